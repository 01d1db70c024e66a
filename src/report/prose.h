/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences as HTML. */
#ifndef SB_REPORT_PROSE_H
#define SB_REPORT_PROSE_H

#include <stdio.h>

/*
 * Writes a text as HTML: text between two backquotes becomes code, addresses and the titles of known works become
 * links, and numbers are typeset (report/typeset.h). Lines break neither within an equation such as "n = 3" nor within
 * a product. If `explained` is not NULL, the terms of the glossary whose bits are not set in *explained get an
 * explanation.
 */
void sb_prose(const char *text, unsigned *explained, FILE *stream);

/* Writes a title, with nothing but its characters escaped. Like sb_prose(), keeps equations such as "n = 3" on one
 * line. */
void sb_prose_title(const char *text, FILE *stream);

#endif
