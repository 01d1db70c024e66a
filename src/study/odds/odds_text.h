/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write odds; as with formats, nothing is computed here. */
#ifndef SB_STUDY_ODDS_ODDS_TEXT_H
#define SB_STUDY_ODDS_ODDS_TEXT_H

#include "report/page.h"
#include "study/odds/odds_result.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_odds_page(const struct sb_odds *odds, struct sb_page *page);

/* For programs: data/schema/odds-1.json. SB_IO. */
enum sb_status sb_odds_json(const struct sb_odds *odds, FILE *stream);

#endif
