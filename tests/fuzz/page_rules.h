/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a text that the library wrote in one of its formats. */
#ifndef TESTS_FUZZ_PAGE_RULES_H
#define TESTS_FUZZ_PAGE_RULES_H

/* Aborts unless the tags of "html", "svg" and "junit" match, and "json" can be read. Other formats have no rule. */
void page_check(const char *format, const char *text);

#endif
