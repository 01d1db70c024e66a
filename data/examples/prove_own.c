/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A proof of your own shuffle, which takes its draws from a function, draw(state, bound). Here it shuffles
 * cards that have names. The proof calls it with every series of answers. All orders must come out equally
 * often; with a mistake in the shuffle, they must not.
 *
 *     cc prove_own.c $(pkg-config --cflags --libs shufflebias) -o prove_own && ./prove_own
 */
#include <shufflebias.h>

#include <string.h>

/* ---- the shuffles ---- */

struct card {
    char name[6];
};

typedef uint32_t draw_function(void *state, uint32_t bound);

static void exchange(struct card cards[], size_t i, size_t j)
{
    const struct card card = cards[i];

    cards[i] = cards[j];
    cards[j] = card;
}

static void shuffle_cards(struct card cards[], size_t count, draw_function *draw, void *state)
{
    for (size_t i = count; i > 1; i--)
        exchange(cards, i - 1, draw(state, (uint32_t)i));
}

/* The same with a mistake: no card keeps its position. */
static void sattolo(struct card cards[], size_t count, draw_function *draw, void *state)
{
    for (size_t i = count; i > 1; i--)
        exchange(cards, i - 1, draw(state, (uint32_t)i - 1));
}

/* ---- the proof ---- */

typedef void cards_function(struct card cards[], size_t count, draw_function *draw, void *state);

static uint32_t draw(void *draws, uint32_t bound)
{
    return sb_draws_below(draws, bound);
}

static int call(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    cards_function *const *const function = state;

    (void)size;
    (*function)(items, n, draw, draws);
    return 0;
}

/* Whether the proof has the expected verdict; frees the request. */
static bool proves(struct sb_request *request, const char *verdict)
{
    struct sb_result *const result = sb_run(request);

    if (!result)
        fprintf(stderr, "%s\n", sb_error(request));
    else
        printf("%s\n", sb_get(result, "reports.0.sentence"));
    const bool well = result && strcmp(sb_get(result, "reports.0.verdict"), verdict) == 0;

    sb_result_free(result);
    sb_request_free(request);
    return well;
}

/* A request to prove a shuffle of n cards; NULL if memory runs out. */
static struct sb_request *proof(const char *name, const char *n)
{
    struct sb_request *const request = sb_request_new("prove");
    char size[16];

    snprintf(size, sizeof size, "%zu", sizeof(struct card));
    if (request && !sb_set(request, "name", name) && !sb_set(request, "n", n) &&
        !sb_set(request, "size", size))
        return request;
    sb_request_free(request);
    return NULL;
}

static bool is(const char *verdict, const char *name, cards_function *function)
{
    struct sb_request *const request = proof(name, "6");

    if (!request)
        return false;
    sb_set_draws(request, call, &function);
    return proves(request, verdict);
}

/* A program (here a shell script), and code that draws numbers in [0, 1), can be proved, too. */
static bool program_is(const char *verdict)
{
    static const char *const program[] = {
        "sh", "-c", "while read -r start; do echo draw 2; read -r i; echo deck $i $((1 - i)); done"
    };
    struct sb_request *const request = proof("program", "2");

    if (!request)
        return false;
    for (size_t i = 0; i < sizeof program / sizeof program[0]; i++)
        sb_set(request, "command", program[i]);
    return proves(request, verdict);
}

/* floor(u k) of a number u below 1. */
static uint32_t draw_number(void *draws, uint32_t bound)
{
    return (uint32_t)(sb_draws_uniform(draws) * bound);
}

static int call_with_numbers(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    (void)size;
    (void)state;
    shuffle_cards(items, n, draw_number, draws);
    return 0;
}

static bool numbers_are(const char *verdict)
{
    struct sb_request *const request = proof("numbers", "3");

    if (!request)
        return false;
    sb_set_draws(request, call_with_numbers, NULL);
    return proves(request, verdict);
}

int main(void)
{
    return !(is("uniform", "shuffle_cards", shuffle_cards) && is("biased", "sattolo", sattolo) &&
             program_is("uniform") && numbers_are("uniform"));
}
