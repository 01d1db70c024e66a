/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write an explanation and compute nothing. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_TEXT_H
#define SB_STUDY_EXPLAIN_EXPLAIN_TEXT_H

#include "report/exact_text.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "study/explain/explanation.h"

/* These functions write parts of the text: sb_explain_tree() draws the tree, and sb_explain_steps() writes
 * the walked path. */
void sb_explain_tree(const struct sb_explain *explain, struct sb_page *page);
void sb_explain_steps(const struct sb_explain *explain, struct sb_page *page);

/* Writes the members of the explanation's JSON object: data/schema/explain-1.json. */
void sb_explain_json(const void *result, struct sb_json *json);

/* Returns the notation of the order with this rank, such as "231"; "()" if there are no items. */
struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank);

/* Returns the colour of an order. The colour tells whether the order is more or less likely than in a fair
 * shuffle. */
enum sb_ink sb_explain_ink(const struct sb_explain_order *order);

#endif
