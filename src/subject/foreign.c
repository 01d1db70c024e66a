/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the first bytes of a file with those of formats that people take for text. */
#include "subject/foreign.h"

#include <string.h>

const char *sb_foreign(const char bytes[], size_t length)
{
    static const struct {
        const char *begins, *what;
    } format[] = {
        { "\xFF\xFE", "this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'" },
        { "\xFE\xFF", "this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'" },
        { "\x1F\x8B", "this is gzip data: read it with zcat" },
        { "BZh9", "this is bzip2 data: read it with bzcat" },
        { "\xFD"
          "7zX",
          "this is xz data: read it with xzcat" },
        { "(\xB5/\xFD", "this is zstd data: read it with zstdcat" },
        { "PK\3\4", "this is a zip archive: read it with 'unzip -p', or save a spreadsheet as CSV" },
    };

    for (size_t i = 0; i < sizeof format / sizeof format[0]; i++)
        if (length >= strlen(format[i].begins) &&
            memcmp(bytes, format[i].begins, strlen(format[i].begins)) == 0)
            return format[i].what;
    return NULL;
}
