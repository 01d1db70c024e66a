/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terms that pages explain where they first appear, and again in a list at the end of the page. */
#ifndef SB_REPORT_GLOSSARY_H
#define SB_REPORT_GLOSSARY_H

#include <stddef.h>
#include <stdio.h>

/* If the text begins with a term whose bit is not set in *explained, writes the term with its explanation, sets
 * the bit and returns the term's length. Otherwise writes nothing and returns 0. The text must begin at the
 * beginning of a word. */
size_t sb_glossary_write(const char *text, unsigned *explained, FILE *stream);

/* Writes the list of the terms whose bits are set in `explained`. Writes nothing for 0. */
void sb_glossary_list(unsigned explained, FILE *stream);

#endif
