/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules that each report obeys: shares and fractions add up, intervals contain what they are about, and p-values have
 * the ln p beside them. */
#ifndef TESTS_FUZZ_REPORT_RULES_H
#define TESTS_FUZZ_REPORT_RULES_H

#include "core/calls.h"

/* Checks the reports as JSON, and writes them in another format, which `other` chooses. Returns the JSON, which the caller
 * frees. Aborts if a rule is broken. */
char *report_check(const struct sb_reports *reports, unsigned other);

#endif
