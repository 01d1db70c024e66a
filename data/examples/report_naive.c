/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of the naive swap at three cards, which favours three of the six orders, and of Fisher-Yates,
 * which favours none.
 *
 *     cc report_naive.c $(pkg-config --cflags --libs shufflebias) -o report_naive && ./report_naive
 */
#include <shufflebias.h>

#include <string.h>

/* Prints all built-in shuffles; returns how many there are. */
static size_t list_shuffles(void)
{
    struct sb_entry entry;
    size_t count = 0;

    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        if (strcmp(entry.family, "shuffle") == 0) {
            printf("%-24s %s\n", entry.name, entry.title);
            count++;
        }
    return count;
}

/* Prints a line for each report; returns whether the naive swap alone is biased. */
static bool conclude(const struct sb_reports *reports)
{
    struct sb_summary summary;
    bool expected = !sb_reports_interrupted(reports) && sb_reports_count(reports) == 2;

    for (size_t i = 0; sb_reports_summary(reports, i, &summary); i++) {
        printf("%s, %s: %s (total variation %g)\n", summary.subject, summary.by, summary.verdict,
               summary.total_variation);
        expected &= strcmp(summary.verdict, i == 0 ? "biased" : "uniform") == 0;
    }
    return expected;
}

int main(void)
{
    static const char *const schemes[] = { "naive", "fisher-yates" };
    struct sb_options options;
    struct sb_error error;
    struct sb_reports *reports;

    printf("shufflebias %s has %zu shuffles\n", sb_version(), list_shuffles());
    sb_options_init(&options);
    options.n = 3;
    options.by = SB_BY_EXACT;
    options.deal = 4; /* a mistake: the error names the field */
    if (sb_reports_new(schemes, 2, &options, &error, &reports) != SB_INVALID ||
        strcmp(error.field, "deal") != 0)
        return 1;
    printf("%s (%s is %s)\n", error.text, error.field, error.value);

    options.deal = 0;
    if (sb_reports_new(schemes, 2, &options, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const bool expected = conclude(reports);
    const bool written = sb_format_known("text") && !sb_reports_write(reports, "text", NULL, &error, stdout);

    sb_reports_free(reports);
    return !(expected && written);
}
