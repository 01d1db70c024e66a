/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as JSON in memory, as a binding for another language needs them: an own shuffle through the gate, its proof, a
 * report, and one result of every other kind.
 *
 *     cc text_in_memory.c $(pkg-config --cflags --libs shufflebias) -o text_in_memory && ./text_in_memory
 */
#include <shufflebias.h>

#include <stdlib.h>
#include <string.h>

/* The naive swap; its randomness comes from the C library. */
static int naive(void *items, size_t n, size_t size, void *state)
{
    uint16_t *const a = items;

    (void)size;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)rand() % n;
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

/* The same shuffle as a function of its draws. */
static int drawn(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const a = items;

    (void)size;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const size_t j = sb_draws_below(draws, (uint32_t)n);
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

/* Returns whether the text of a command's result contains `part`. `options`: names and values, then NULL. */
static bool shown(const char *command, const char *const options[], const char *format, const char *part)
{
    struct sb_request *const request = sb_request_new(command);
    struct sb_result *result = NULL;
    const char *text = NULL;
    enum sb_status status = request ? SB_OK : SB_NO_MEMORY;
    size_t length = 0;

    for (; status == SB_OK && *options; options += 2)
        status = sb_set(request, options[0], options[1]);
    if (status == SB_OK && strcmp(command, "gate") == 0)
        sb_set_shuffle(request, naive, NULL);
    if (status == SB_OK && strcmp(command, "prove") == 0)
        sb_set_draws(request, drawn, NULL);
    if (status == SB_OK)
        result = sb_run(request);
    if (!result && request)
        fprintf(stderr, "%s\n", sb_error(request));
    if (result && sb_look(result, "unicode", "1"))
        text = sb_text(result, format, &length);
    if (result && !text)
        fprintf(stderr, "%s\n", sb_result_error(result));
    const bool well = text && strlen(text) == length && strstr(text, part);

    printf("%s: %zu bytes\n", part, length);
    sb_result_free(result);
    sb_request_free(request);
    return well;
}

int main(void)
{
    static const char *const none[] = { NULL }, *const mine[] = { "name", "mine", "n", "3", NULL };
    static const char *const naive_scheme[] = { "scheme", "naive", NULL };
    static const char *const sample[] = { "scheme", "naive", "samples", "1000", NULL };
    static const char *const fair[] = { "scheme", "fisher-yates", "n", "3", "limit", "1000", NULL };
    static const char *const orders[] = {
        "scheme", "naive", "permutation", "123", "permutation", "231", NULL
    };
    static const char *const descents[] = { "statistic", "descents", NULL };
    static const char *const few[] = { "n", "3", "runs", "1", "samples", "100", NULL };
    static const char *const decks[] = { "scheme", "naive", "decks", "1000", NULL };

    return !(shown("gate", mine, "json", "\"shufflebias.gate/") && shown("gate", mine, "tap", "1..") &&
             shown("prove", none, "json", "\"shufflebias.report/") &&
             shown("report", sample, "json", "\"shufflebias.report/") &&
             shown("odds", orders, "json", "\"shufflebias.odds/") &&
             shown("plan", naive_scheme, "json", "\"shufflebias.plan/") &&
             shown("law", descents, "json", "\"shufflebias.law/") &&
             shown("bench", decks, "json", "\"shufflebias.bench/") &&
             shown("explain", naive_scheme, "json", "\"shufflebias.explain/") &&
             shown("zoo", few, "json", "\"shufflebias.zoo/") &&
             shown("watch", fair, "json", "\"shufflebias.watch/"));
}
