/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the manual pages and the completions to a folder: shufflebias-manual FOLDER SOURCE */
#include "cli/manual/manual.h"

#include <stdlib.h>

void manual_fail(const char *what)
{
    perror(what);
    exit(EXIT_BROKEN);
}

FILE *manual_open(const char *folder, const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    if (!file)
        manual_fail(path);
    return file;
}

void manual_close(FILE *file)
{
    const bool failed = ferror(file);

    if (fclose(file) || failed)
        manual_fail("manual");
}

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fputs("usage: shufflebias-manual FOLDER SOURCE\n", stderr);
        return EXIT_USAGE;
    }
    manual_pages(argv[1]);
    manual_library(argv[1], argv[2]);
    manual_files(argv[1], argv[2]);
    manual_completions(argv[1]);
    return EXIT_DONE;
}
