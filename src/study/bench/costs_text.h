/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write what shuffles cost; as with formats, nothing is computed here. */
#ifndef SB_STUDY_BENCH_COSTS_TEXT_H
#define SB_STUDY_BENCH_COSTS_TEXT_H

#include "report/page.h"
#include "study/bench/costs.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_costs_page(const struct sb_costs *costs, struct sb_page *page);

/* For spreadsheets: a line per scheme under a header line. SB_IO. */
enum sb_status sb_costs_csv(const struct sb_costs *costs, FILE *stream);

/* For programs: data/schema/bench-1.json. SB_IO. */
enum sb_status sb_costs_json(const struct sb_costs *costs, FILE *stream);

#endif
