/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual pages of section 5, on file formats. Each is a page under docs/, or a section of one. */
#include "cli/manual/manual.h"

static const struct {
    const char *name, *purpose;
    const char *source, *section; /* a page under docs/, and its section; NULL: the whole page */
} files[] = {
    { "shufflebias-evidence", "saved samples and gates, which can be resumed and judged", "save.md", "The file" },
    { "shufflebias-formats", "the formats of results, and what programs may rely on", "formats.md", NULL },
    { "shufflebias-permutations", "the text and binary formats of shuffled decks", "gate.md",
      "How permutations are read" },
    { "shufflebias-suite", "a list of shuffles to gate", "ci.md", "Suites" },
};

enum { FILES = sizeof files / sizeof files[0] };

void manual_file_pages(FILE *page)
{
    for (size_t i = 0; i < FILES; i++) {
        fputs(".BR ", page);
        manual_text(page, files[i].name);
        fputs(" (5),\n", page);
    }
}

void manual_files(const char *folder, const char *source)
{
    for (size_t i = 0; i < FILES; i++) {
        char name[80], path[4096];

        snprintf(name, sizeof name, "%s.5", files[i].name);
        snprintf(path, sizeof path, "%s/docs/%s", source, files[i].source);
        FILE *const page = manual_open(folder, name);

        manual_title(page, files[i].name, 5, files[i].purpose);
        fputs(".SH DESCRIPTION\n", page);
        manual_markdown(page, path, files[i].section);
        fputs(".SH SEE ALSO\n.BR shufflebias (1)\n", page);
        manual_close(page);
    }
}
