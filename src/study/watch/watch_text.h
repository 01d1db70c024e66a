/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write what a watch knows; as with formats, nothing is computed here. */
#ifndef SB_STUDY_WATCH_WATCH_TEXT_H
#define SB_STUDY_WATCH_WATCH_TEXT_H

#include "report/page.h"
#include "study/watch/watch_result.h"

/* For people: a sentence. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_watch_page(const struct sb_watch *watch, struct sb_page *page);

/* For programs: data/schema/watch-1.json; of an alarm data/schema/alarm-1.json. SB_IO. */
enum sb_status sb_watch_json(const struct sb_watch *watch, FILE *stream);
enum sb_status sb_alarm_json(const struct sb_alarm *alarm, FILE *stream);

/* For Prometheus: its text format. Errors stay in the stream, for ferror(). */
void sb_watch_metrics(const struct sb_watch *watch, FILE *stream);

#endif
