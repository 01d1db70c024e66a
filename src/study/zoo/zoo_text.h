/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions write a zoo in JSON and in CSV. They are methods of sb_zoo_result. */
#ifndef SB_STUDY_ZOO_ZOO_TEXT_H
#define SB_STUDY_ZOO_ZOO_TEXT_H

#include "report/json_writer.h"
#include "study/zoo/zoo_result.h"

void sb_zoo_json(const void *result, struct sb_json *json);
void sb_zoo_csv(const void *result, FILE *stream);

#endif
