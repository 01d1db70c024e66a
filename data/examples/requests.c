/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate, a proof and a few decks as requests: options and values are texts, as on the command line.
 *
 *     cc requests.c $(pkg-config --cflags --libs shufflebias) -o requests && ./requests
 */
#include <shufflebias.h>

#include <stdio.h>
#include <string.h>

/* The naive swap of 4-byte items, which asks for each of its draws. */
static int naive(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint32_t *const deck = items;

    (void)size;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const size_t j = sb_draws_below(draws, (uint32_t)n);
        const uint32_t item = deck[i];

        deck[i] = deck[j];
        deck[j] = item;
    }
    return 0;
}

/* A shuffle that leaves the items as they are. */
static int idle(void *items, size_t n, size_t size, void *state)
{
    (void)items;
    (void)n;
    (void)size;
    (void)state;
    return 0;
}

static int heard(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    (void)event;
    (void)text;
    (void)done;
    (void)total;
    ++*(unsigned *)state;
    return 0;
}

static int gate(void)
{
    struct sb_request *const request = sb_request_new("gate");
    unsigned events = 0;
    size_t length = 0;

    if (sb_set(request, "excluded", "0.1") != SB_INVALID || sb_status(request) != SB_INVALID)
        return 1;
    printf("%s (%s, %s)\n", sb_error(request), sb_error_option(request), sb_error_value(request));
    sb_set(request, "n", "4");
    sb_set_shuffle(request, idle, NULL);
    sb_on(request, heard, &events);
    struct sb_result *const result = sb_run(request);
    if (!result)
        return 1;
    printf("n = %s: %s\n", sb_option(request, "n"), sb_get(result, "gates.0.sentence"));
    const bool known = sb_look(result, "unicode", "1"), refused = !sb_text(result, "svgz", NULL);
    printf("%s\n", sb_result_error(result));
    const char *const text = sb_text(result, "text", &length);
    const bool same = text && strlen(text) == length && sb_number(result, "gates.0.total") > 0;
    const bool written = sb_write(result, "text", stdout) == SB_OK;

    sb_result_free(result);
    sb_request_free(request);
    return known && refused && same && written ? 0 : 1;
}

static int proof(void)
{
    struct sb_request *const request = sb_request_new("prove");

    sb_set(request, "n", "3");
    sb_set(request, "size", "4");
    sb_set_draws(request, naive, NULL);
    struct sb_result *const result = sb_run(request);
    const int failed = !result || sb_write(result, "text", stdout);

    sb_result_free(result);
    sb_request_free(request);
    return failed;
}

static int decks(void)
{
    struct sb_request *const request = sb_request_new("deal");

    sb_set(request, "scheme", "fisher-yates");
    sb_set(request, "n", "5");
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t *const deck = sb_next(request);

        if (!deck)
            return 1;
        printf("%u %u %u %u %u\n", deck[0], deck[1], deck[2], deck[3], deck[4]);
    }
    sb_stop(request);
    sb_request_free(request);
    return 0;
}

int main(void)
{
    return gate() || proof() || decks();
}
