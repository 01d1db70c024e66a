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

void manual_each(cli_help_printer *printer)
{
    cli_help = printer;
    for (size_t i = 0; i < cli_command_types_count; i++) {
        const char *words[] = { cli_command_types[i]->name, "--help", NULL };

        if (cli_command_types[i]->run(2, words))
            exit(EXIT_BROKEN);
    }
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
