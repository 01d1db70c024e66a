/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a page that says how to have it again, with its heading. */
#ifndef SB_REPORT_HTML_REPRODUCE_H
#define SB_REPORT_HTML_REPRODUCE_H

#include "core/gate.h"
#include "report/pair.h"

void sb_html_reproduce_reports(const struct sb_reports *reports, FILE *stream);
void sb_html_reproduce_gate(const struct sb_gate *gate, FILE *stream);

#endif
