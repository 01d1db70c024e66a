/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a watch. */
#ifndef SB_STUDY_WATCH_WATCH_TEXT_H
#define SB_STUDY_WATCH_WATCH_TEXT_H

#include "study/watch/watch_result.h"

/* Writes the metrics in the text format of Prometheus. Errors stay in the stream, for ferror(). */
void sb_watch_metrics(const struct sb_watch *watch, FILE *stream);

#endif
