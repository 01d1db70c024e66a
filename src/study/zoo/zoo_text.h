/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write a zoo; as with formats, nothing is computed here. */
#ifndef SB_STUDY_ZOO_ZOO_TEXT_H
#define SB_STUDY_ZOO_ZOO_TEXT_H

#include "report/page.h"
#include "study/zoo/zoo_result.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_zoo_page(const struct sb_zoo *zoo, struct sb_page *page);

/* For programs: data/schema/zoo-1.json, and one flat table. SB_IO. */
enum sb_status sb_zoo_json(const struct sb_zoo *zoo, FILE *stream);
enum sb_status sb_zoo_csv(const struct sb_zoo *zoo, FILE *stream);

#endif
