/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write an explanation; like formats, they compute nothing. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_TEXT_H
#define SB_STUDY_EXPLAIN_EXPLAIN_TEXT_H

#include "report/exact_text.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "study/explain/explanation.h"

/* The parts of the text: the tree, drawn; and the path that was walked. */
void sb_explain_tree(const struct sb_explain *explain, struct sb_page *page);
void sb_explain_steps(const struct sb_explain *explain, struct sb_page *page);

/* Writes the members of the explanation's JSON object: data/schema/explain-1.json. */
void sb_explain_json(const void *result, struct sb_json *json);

/* The order of this rank, for people: "231"; "()" for the order of no items. */
struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank);

/* The colour of an order: more or less likely than fair. */
enum sb_ink sb_explain_ink(const struct sb_explain_order *order);

#endif
