/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for targets whose code reads files: in a folder of their own, which is removed at the end. */
#ifndef TESTS_FUZZ_SCRATCH_H
#define TESTS_FUZZ_SCRATCH_H

#include <stddef.h>

/* Returns the path of the file with this short name in the folder. The path is valid until the next three
 * calls. */
const char *scratch_path(const char *name);

/* Replaces the content of the file, and returns its path. */
const char *scratch_write(const char *name, const void *bytes, size_t size);

/* Reads the file into memory that the caller frees, with a terminating 0; NULL if there is no file. */
char *scratch_read(const char *path, size_t *size);

/* Removes all files of the folder. */
void scratch_clear(void);

#endif
