/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all manual pages share: text in roff, and the macros of man(7). */
#include "cli/manual/manual.h"

void manual_letter(FILE *page, char letter)
{
    if (letter == '\\')
        fputs("\\e", page);
    else if (letter == '-')
        fputs("\\-", page);
    else
        fputc(letter, page);
}

void manual_text(FILE *page, const char *text)
{
    bool starts = true;

    for (; *text; text++) {
        if (starts && (*text == '.' || *text == '\''))
            fputs("\\&", page);
        manual_letter(page, *text);
        starts = *text == '\n';
    }
}

void manual_lines(FILE *page, const char *text)
{
    fputs(".EX\n", page);
    manual_text(page, text);
    fputs(".EE\n", page);
}

void manual_title(FILE *page, const char *name, int section, const char *purpose)
{
    const char *const manual = section == 1 ? "User Commands" : section == 3 ? "Library Functions" : "File Formats";

    fprintf(page, ".TH \"%s\" %d \"\" \"shufflebias %s\" \"%s\"\n.SH NAME\n", name, section, sb_version(), manual);
    manual_text(page, name);
    fputs(" \\- ", page);
    manual_text(page, purpose);
    fputs("\n", page);
}
