/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a plan in JSON. The function is a method of sb_plan_result. */
#ifndef SB_STUDY_PLAN_PLAN_TEXT_H
#define SB_STUDY_PLAN_PLAN_TEXT_H

#include "report/json_writer.h"
#include "study/plan/plan_result.h"

void sb_plan_json(const void *result, struct sb_json *json);

#endif
