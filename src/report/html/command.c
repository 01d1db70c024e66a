/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command line on a page. Browsers break lines after hyphens, which would leave "--" at the end of a line and
 * "samples" on the next. So an option and its value are one box, which is divided only if it is wider than the
 * page.
 */
#include "report/html/html.h"
#include "report/markup.h"

#include <string.h>

/* The length of the first word, and of its value if it is an option. An option by itself is "--". */
static size_t command_word(const char *text)
{
    const size_t word = strcspn(text, " ");
    const char *const next = text + word + (text[word] == ' ');

    if (text[0] != '-' || strncmp(text, "-- ", 3) == 0 || *next == '-' || *next == '\0')
        return word;
    return word + 1 + strcspn(next, " ");
}

void sb_html_command(const char *command, FILE *stream)
{
    fputs("<pre><code>", stream);
    while (*command) {
        const size_t length = command_word(command);
        const bool boxed = memchr(command, '-', length) != NULL;

        fputs(boxed ? "<span class=\"word\">" : "", stream);
        sb_markup_part(stream, command, length);
        fputs(boxed ? "</span>" : "", stream);
        command += length;
        if (*command == ' ') {
            fputc(' ', stream);
            command++;
        }
    }
    fputs("</code></pre>\n", stream);
}
