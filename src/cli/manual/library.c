/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual page of the library, section 3: docs/library.md, and each function with the first sentence of
 * its comment. */
#include "cli/manual/manual.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the text of a file, which the caller frees. */
static char *library_read(const char *path)
{
    FILE *const file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file || getdelim(&text, &size, '\0', file) <= 0)
        manual_fail(path);
    fclose(file);
    return text;
}

/* Writes the first sentence of a comment, without the stars before its lines. */
static void library_sentence(FILE *page, const char *comment, const char *end)
{
    bool blank = true;

    for (const char *at = comment + 2; at < end; at++) {
        const bool margin = *at == '\n' || (blank && (*at == '*' || *at == ' '));

        if (*at == '.' && (isspace((unsigned char)at[1]) || at + 1 == end))
            break;
        if (margin && !blank)
            fputc(' ', page);
        if (!margin && *at != '`')
            manual_letter(page, *at);
        blank = margin;
    }
    fputs(".\n", page);
}

/* Writes the name of the function that is declared at `at`, as the tag of a paragraph. */
static void library_name(FILE *page, const char *at)
{
    const char *const open = strchr(at, '(');
    const char *name = open;

    while (isalnum((unsigned char)name[-1]) || name[-1] == '_')
        name--;
    fprintf(page, ".TP\n.BR %.*s ()\n", (int)(open - name), name);
}

/* Writes all functions of the header. */
static void library_functions(FILE *page, const char *path)
{
    char *const text = library_read(path);

    for (const char *comment = text; (comment = strstr(comment, "/*"));) {
        const char *const end = strstr(comment, "*/"), *const after = end + 3;

        if (strncmp(after, "SB_API ", 7) == 0) {
            library_name(page, after);
            library_sentence(page, comment, end);
        }
        comment = end;
    }
    free(text);
}

void manual_library(const char *folder, const char *source)
{
    FILE *const page = manual_open(folder, "shufflebias.3");
    char path[4096];

    snprintf(path, sizeof path, "%s/docs/library.md", source);
    manual_title(page, "shufflebias", 3, "a C library that tells whether a shuffle is fair");
    fputs(".SH SYNOPSIS\n.EX\n#include <shufflebias.h>\n\n"
          "cc FILE.c $(pkg\\-config \\-\\-cflags \\-\\-libs shufflebias)\n.EE\n.SH DESCRIPTION\n",
          page);
    manual_markdown(page, path, NULL);
    fputs(".SH FUNCTIONS\nThe header says what each parameter is, and which errors a function has.\n", page);
    snprintf(path, sizeof path, "%s/src/shufflebias.h", source);
    library_functions(page, path);
    fputs(".SH SEE ALSO\n.BR shufflebias (1)\n", page);
    manual_close(page);
}
