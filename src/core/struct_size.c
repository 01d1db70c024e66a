/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of callers that were compiled against another version of the library. */
#include "core/struct_size.h"

#include "core/core.h"

#include <string.h>

enum { STRUCT_MOST = 65536 }; /* a larger size means that the struct was not initialised */

/* Returns whether a byte after the first `size` bytes is set. */
static bool struct_has_more(const unsigned char *theirs, size_t theirs_size, size_t size)
{
    for (size_t i = size; i < theirs_size; i++)
        if (theirs[i])
            return true;
    return false;
}

enum sb_status sb_struct_read(const void *theirs, const char *name, size_t size, struct sb_error *error,
                              void *own)
{
    size_t theirs_size;

    if (!theirs)
        return sb_error_set(error, SB_INVALID, "struct %s is NULL: fill one with `%s_init`", name, name);
    memcpy(&theirs_size, theirs, sizeof theirs_size);
    if (theirs_size < sizeof theirs_size || theirs_size > STRUCT_MOST)
        return sb_error_set(
            error, SB_INVALID,
            "`struct_size = %zu`: struct %s is not initialised: call `%s_init` before you set "
            "fields",
            theirs_size, name, name);
    if (struct_has_more(theirs, theirs_size, size))
        return sb_error_set(
            error, SB_INVALID,
            "`struct_size = %zu`: struct %s sets a field beyond the %zu bytes that shufflebias "
            "%s knows: leave the field as `%s_init` sets it, or use a newer library",
            theirs_size, name, size, SB_VERSION, name);
    memcpy(own, theirs, theirs_size < size ? theirs_size : size);
    memcpy(own, &size, sizeof size);
    return SB_OK;
}

void sb_struct_write(const void *own, size_t size, void *theirs, size_t room)
{
    const size_t common = room < size ? room : size;

    memcpy(theirs, own, common);
    memset((unsigned char *)theirs + common, 0, room - common);
}

void sb_struct_init(const void *defaults, size_t size, void *theirs, size_t room)
{
    sb_struct_write(defaults, size, theirs, room);
    memcpy(theirs, &room, sizeof room);
}
