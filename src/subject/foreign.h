/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are not text where text is expected, recognised by their first bytes. */
#ifndef SB_SUBJECT_FOREIGN_H
#define SB_SUBJECT_FOREIGN_H

#include <stddef.h>

/* Returns what the bytes are and what to do, for an error line, or NULL if they may be text. Looks at the first
 * bytes only, up to 4. */
const char *sb_foreign(const char bytes[], size_t length);

#endif
