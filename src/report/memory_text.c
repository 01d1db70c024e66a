/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in memory that the library returns to its caller. */
#include "report/memory_text.h"
#include "report/result.h"

#include "core/error.h"
#include "core/text/memory_stream.h"

#include <stdlib.h>

enum sb_status sb_memory_text_open(struct sb_memory_text *memory, struct sb_error *error)
{
    *memory = (struct sb_memory_text) { .text = NULL };
    memory->stream = sb_memory_stream_open(&memory->text, &memory->length);
    return memory->stream ? SB_OK : sb_error_memory(error, "the text");
}

enum sb_status sb_memory_text_close(struct sb_memory_text *memory, enum sb_status status,
                                    struct sb_error *error, char **text, size_t *length)
{
    const bool whole = sb_memory_stream_close(memory->stream, &memory->text);

    if (status == SB_OK && whole) {
        *text = memory->text;
        if (length)
            *length = memory->length;
        return SB_OK;
    }
    free(memory->text);
    return status == SB_OK || status == SB_IO ? sb_error_memory(error, "the text") : status;
}

void sb_text_free(char *text)
{
    free(text);
}
