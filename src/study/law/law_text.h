/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write the law of a statistic; as with formats, nothing is computed here. */
#ifndef SB_STUDY_LAW_LAW_TEXT_H
#define SB_STUDY_LAW_LAW_TEXT_H

#include "report/page.h"
#include "study/law/null_law.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_null_law_page(const struct sb_null_law *law, struct sb_page *page);

/* For spreadsheets: a line per cell under a header line. SB_IO. */
enum sb_status sb_null_law_csv(const struct sb_null_law *law, FILE *stream);

/* For programs: data/schema/law-1.json. SB_IO. */
enum sb_status sb_null_law_json(const struct sb_null_law *law, FILE *stream);

#endif
