/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a text in a terminal. */
#ifndef SB_REPORT_SVG_TERMINAL_H
#define SB_REPORT_SVG_TERMINAL_H

#include <stdio.h>

/* Writes an SVG document of the text. The text is well-formed UTF-8, its lines end in "\n", and its colours
 * are those of sb_page_ink(). */
void sb_svg_terminal(const char *text, FILE *stream);

#endif
