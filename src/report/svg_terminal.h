/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as a terminal shows it, as a picture. */
#ifndef SB_REPORT_SVG_TERMINAL_H
#define SB_REPORT_SVG_TERMINAL_H

#include <stdio.h>

/* Writes an SVG document of the text: well-formed UTF-8, lines that end in "\n", colours as sb_page_ink()
 * sets them. */
void sb_svg_terminal(const char *text, FILE *stream);

#endif
