/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Structs of callers that were compiled against another version of the library, with fewer or more fields.
 *
 * Within one soname, structs only grow at the end (docs/library.md). A struct that the caller fills begins
 * with its size, `struct_size`, as the caller's header has it. Fields that an older caller does not know get
 * their defaults. Fields that this library does not know must be 0, as in Linux's copy_struct_from_user().
 */
#ifndef SB_CORE_STRUCT_SIZE_H
#define SB_CORE_STRUCT_SIZE_H

#include "shufflebias.h"

/*
 * Copies a caller's struct over *own, a struct of `size` bytes that holds the defaults. The field
 * own->struct_size becomes `size`. `name` is the struct's tag, such as "sb_options", whose function
 * sb_options_init() the error names. SB_INVALID: `theirs` is NULL, was not initialised, or sets a field that
 * this library does not know.
 */
enum sb_status sb_struct_read(const void *theirs, const char *name, size_t size, struct sb_error *error,
                              void *own);

/* Copies *own, of `size` bytes, to a caller's struct of `room` bytes. Bytes beyond `size` become 0. */
void sb_struct_write(const void *own, size_t size, void *theirs, size_t room);

/* Does what sb_struct_write() does, and sets the struct's first field, `struct_size`, to `room`. */
void sb_struct_init(const void *defaults, size_t size, void *theirs, size_t room);

#endif
