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

/* Whether the proof of a function has the expected verdict. */
static bool is(const char *verdict, const char *name, cards_function *function)
{
    struct sb_reports *reports;
    struct sb_summary summary;
    struct sb_proof proof;
    struct sb_error error;
    bool well;

    sb_proof_init(&proof);
    proof.n = 6;
    proof.size = sizeof(struct card);
    if (sb_prove_callback(name, call, &function, &proof, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    sb_reports_summary(reports, 0, &summary);
    well = strcmp(summary.verdict, verdict) == 0;
    printf("%s: %s\n", name, summary.sentence);
    sb_reports_free(reports);
    return well;
}

/* A program (here a shell script), and code that draws numbers in [0, 1), can be proved, too. */
static bool program_is(const char *verdict)
{
    static const char *const command[] = {
        "sh", "-c", "while read -r start; do echo draw 2; read -r i; echo deck $i $((1 - i)); done", NULL
    };
    struct sb_reports *reports;
    struct sb_summary summary;
    struct sb_proof proof;
    struct sb_error error;

    sb_proof_init(&proof);
    proof.n = 2;
    if (sb_prove_command(command, &proof, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    const bool well = sb_reports_summary(reports, 0, &summary) && strcmp(summary.verdict, verdict) == 0;

    sb_reports_free(reports);
    return well;
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
    struct sb_reports *reports;
    struct sb_summary summary;
    struct sb_proof proof;
    struct sb_error error;

    sb_proof_init(&proof);
    proof.size = sizeof(struct card);
    if (sb_prove_callback("numbers", call_with_numbers, NULL, &proof, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    const bool well = sb_reports_summary(reports, 0, &summary) && strcmp(summary.verdict, verdict) == 0;

    sb_reports_free(reports);
    return well;
}

int main(void)
{
    return !(is("uniform", "shuffle_cards", shuffle_cards) && is("biased", "sattolo", sattolo) &&
             program_is("uniform") && numbers_are("uniform"));
}
