/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write a plan; as with formats, nothing is computed here. */
#ifndef SB_STUDY_PLAN_PLAN_TEXT_H
#define SB_STUDY_PLAN_PLAN_TEXT_H

#include "report/page.h"
#include "study/plan/plan_result.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_plan_page(const struct sb_plan *plan, struct sb_page *page);

/* For programs: data/schema/plan-1.json. SB_IO. */
enum sb_status sb_plan_json(const struct sb_plan *plan, FILE *stream);

#endif
