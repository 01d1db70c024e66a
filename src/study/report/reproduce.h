/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions write the section of a page that shows the command that makes the page again. */
#ifndef SB_STUDY_REPORT_REPRODUCE_H
#define SB_STUDY_REPORT_REPRODUCE_H

#include "gate/gate.h"
#include "report/html/html.h"
#include "study/report/page/pair.h"

void sb_html_reproduce_reports(const struct sb_reports *reports, struct sb_html *html);
void sb_html_reproduce_gate(const struct sb_gate *gate, struct sb_html *html);

#endif
