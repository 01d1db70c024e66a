/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints a hand-made example in a format: for people, for the check of the schema, and to renew a golden
 * file.
 *
 *     report_print details|all|odd text|unicode|colour|markdown|json|csv
 */
#include "unit/report_example.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const example[] = { "details", "all", "odd" };
    const char *const format = argc > 2 ? argv[2] : "text";
    const bool colour = strcmp(format, "colour") == 0, unicode = colour || strcmp(format, "unicode") == 0;

    for (int e = 0; argc > 1 && e < 3; e++) {
        if (strcmp(argv[1], example[e]) != 0)
            continue;
        struct sb_reports *const reports = example_new((enum example)e);
        char *const text = example_print(reports, unicode ? "text" : format,
                                         &(struct sb_look) { .unicode = unicode, .colour = colour });

        fputs(text, stdout);
        free(text);
        example_free(reports);
        return EXIT_SUCCESS;
    }
    return EXIT_FAILURE;
}
