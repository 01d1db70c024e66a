/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of the naive swap at three cards, which favours three of the six orders, and of Fisher-Yates,
 * which favours none.
 *
 *     cc report_naive.c $(pkg-config --cflags --libs shufflebias) -o report_naive && ./report_naive
 */
#include <shufflebias.h>

#include <string.h>

static size_t list_shuffles(void)
{
    size_t count = 0;

    for (size_t i = 0; sb_entry(i, "name"); i++)
        if (strcmp(sb_entry(i, "family"), "shuffle") == 0) {
            printf("%-24s %s\n", sb_entry(i, "name"), sb_entry(i, "title"));
            count++;
        }
    return count;
}

/* Prints the verdicts, and returns whether the naive swap is biased and Fisher-Yates is not. */
static bool conclude(struct sb_result *result)
{
    static const char *const expected[] = { "biased", "uniform" };
    bool well = true;

    for (int i = 0; i < 2; i++) {
        char path[40];

        snprintf(path, sizeof path, "reports.%d.verdict", i);
        const char *const verdict = sb_get(result, path);

        printf("%s\n", verdict ? verdict : "no verdict");
        well = well && verdict && strcmp(verdict, expected[i]) == 0;
    }
    return well;
}

int main(void)
{
    struct sb_request *const request = sb_request_new("report");

    printf("shufflebias %s has %zu shuffles\n", sb_version(), list_shuffles());
    if (!request || sb_set(request, "scheme", "naive") || sb_set(request, "scheme", "fisher-yates") ||
        sb_set(request, "by", "exact") ||
        sb_set(request, "deal", "4")) /* a mistake: the error names the option */
        return 1;
    if (sb_run(request) || sb_status(request) != SB_INVALID || strcmp(sb_error_option(request), "deal") != 0)
        return 1;
    printf("%s (%s is %s)\n", sb_error(request), sb_error_option(request), sb_error_value(request));

    sb_set(request, "deal", "3");
    struct sb_result *const result = sb_run(request);

    if (!result) {
        fprintf(stderr, "%s\n", sb_error(request));
        return 1;
    }
    const bool well = conclude(result) && sb_write(result, "text", stdout) == SB_OK;

    sb_result_free(result);
    sb_request_free(request);
    return !well;
}
