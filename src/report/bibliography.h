/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The addresses of works that pages name as sources. */
#ifndef SB_REPORT_BIBLIOGRAPHY_H
#define SB_REPORT_BIBLIOGRAPHY_H

#include <stddef.h>

/* If the text begins with the title of a known work, returns the work's address and sets *length to the
 * length of the title. Otherwise returns NULL. The address is static. */
const char *sb_bibliography_find(const char *text, size_t *length);

#endif
