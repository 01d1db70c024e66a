/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large tables in huge pages. Without huge pages, each access to a random place in a table of many megabytes also
 * needs a page look-up. */
#ifndef SB_CORE_SYSTEM_HUGE_PAGES_H
#define SB_CORE_SYSTEM_HUGE_PAGES_H

#include <stddef.h>

/* Allocates `count` zeroed elements of `width` bytes, in huge pages if the table is large and the system has
 * them. The caller frees the table. NULL if memory runs out. */
void *sb_huge_pages_new(size_t count, size_t width);

#endif
