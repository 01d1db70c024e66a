/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write the gate's findings; as with formats, nothing is computed here. */
#ifndef SB_REPORT_GATE_H
#define SB_REPORT_GATE_H

#include "core/gate.h"
#include "report/page.h"

/* For people: text or Markdown, as the page is. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_gate_page(const struct sb_gate *gate, struct sb_page *page);

/* For programs: data/schema/gate-1.json. SB_IO. */
enum sb_status sb_gate_json(const struct sb_gate *gate, FILE *stream);

/* "pass", "fail" or "inconclusive". Static. */
const char *sb_verdict_name(enum sb_verdict verdict);

#endif
