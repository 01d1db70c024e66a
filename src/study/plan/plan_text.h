/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a plan that programs read. They are methods of the plan's result type. */
#ifndef SB_STUDY_PLAN_PLAN_TEXT_H
#define SB_STUDY_PLAN_PLAN_TEXT_H

#include "report/json_writer.h"
#include "study/plan/plan_result.h"

void sb_plan_json(const void *result, struct sb_json *json);

#endif
