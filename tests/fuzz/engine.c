/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact/engine.h"
#include "draw/draw.h"
#include "exact/oracle.h"
#include "fuzz/fuzz.h"
#include "property/engines_agree.h"
#include "subject/subject.h"

#include <stdio.h>

/* ---- engine ---- */

/*
 * Engines: the law of a random series of swaps, or of a scheme, is the same from each engine that can compute
 * it, and so are the matrix, the odds and the total variation that follow from the law.
 */
enum { ENGINE_ITEMS = 5, ENGINE_SWAPS = 6, ENGINE_LEAVES = 4000 };

/* The swaps of the shuffle below; of one input at a time. */
static struct sb_swap engine_swaps[ENGINE_SWAPS];
static size_t engine_swaps_count;

static size_t engine_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t i = 0; steps && i < engine_swaps_count; i++)
        steps[i] = engine_swaps[i];
    return engine_swaps_count;
}

static const struct sb_shuffle_type engine_shuffle = { .name = "swaps", .claim = SB_BIASED, .plan = engine_plan };

/* Takes the swaps, with at most ENGINE_LEAVES series of answers. */
static void engine_take_swaps(struct fuzz *fuzz, size_t n)
{
    size_t leaves = 1;

    engine_swaps_count = 0;
    for (size_t count = fuzz_byte(fuzz) % (ENGINE_SWAPS + 1); count > 0; count--) {
        struct sb_swap swap = { .at = fuzz_byte(fuzz) % n, .from = fuzz_byte(fuzz) % n };

        swap.at_bound = fuzz_byte(fuzz) % 4 ? 1 : 1 + fuzz_byte(fuzz) % (n - swap.at);
        swap.bound = 1 + fuzz_byte(fuzz) % (n - swap.from);
        leaves *= swap.at_bound * swap.bound;
        if (leaves > ENGINE_LEAVES)
            return;
        engine_swaps[engine_swaps_count++] = swap;
    }
}

static void part_engine(struct fuzz *fuzz)
{
    const size_t n = 2 + fuzz_byte(fuzz) % (ENGINE_ITEMS - 1), deal = 1 + fuzz_byte(fuzz) % n;
    const size_t rank = fuzz_byte(fuzz);
    const bool swaps = fuzz_byte(fuzz) % 2;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_request options;
    char text[64] = "naive/";

    if (swaps)
        engine_take_swaps(fuzz, n);
    fuzz_text(fuzz, text + (swaps ? 6 : 0), swaps ? 16 : sizeof text); /* swaps may have any draw */
    if (sb_scheme_parse(text, NULL, NULL, NULL, &scheme) && sb_scheme_parse("naive", NULL, NULL, NULL, &scheme))
        abort();
    if (swaps)
        scheme.shuffle = (struct sb_shuffle) { .type = &engine_shuffle };
    if (sb_scheme_check(&scheme, n, deal, NULL))
        return;
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    fuzz_check(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler) == SB_OK, "there is memory");
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    const char *engine, *const differs = engines_differ(&law, ENGINE_LEAVES, rank, SIZE_MAX / 2, &engine);

    if (differs)
        fprintf(stderr, "%s: %s\n", engine, differs);
    fuzz_check(!differs, "engines agree with the tree");
    sb_shuffler_close(&shuffler);
}

/* ---- oracle ---- */

/*
 * The oracle: the law of a peer, which is a short program in the fuzzer's bytes, equals the law from a plain
 * walk through all answers. Programs that depend on something else than their answers, deal no deck or never
 * end get an error, and no law.
 */
enum {
    ORACLE_ITEMS = 4,
    ORACLE_DEALS = 24,
    ORACLE_STEPS = 12, /* the most instructions of a program */
    ORACLE_DRAWS = 40, /* the most draws of a run, for programs with loops */
    ORACLE_LEAVES = 3000,
};

/* What a program does next. The operands are the two bytes after the instruction. */
enum oracle_step {
    STEP_SWAP,      /* draws below one plus the first operand, and exchanges that item with another */
    STEP_COIN,      /* asks for a number, and exchanges two items if it is small */
    STEP_SKIP,      /* draws below 3, and skips the next instruction if the answer is 0 */
    STEP_AGAIN,     /* draws below 2, and goes back an instruction if the answer is 1: a loop */
    STEP_SPOIL,     /* overwrites an item, so that the deck may be no permutation */
    STEP_REMEMBERS, /* exchanges two items in every other run: a fault */
    STEP_FAILS,     /* ends with an error */
    STEPS,
};

struct oracle_peer {
    struct sb_peer peer; /* must be the first member */
    struct fuzz program;
    unsigned runs;
    bool honest; /* whether the deck has followed from the answers alone, in all runs */
};

static void oracle_swap(sb_item deck[], size_t i, size_t j)
{
    const sb_item item = deck[i];

    deck[i] = deck[j];
    deck[j] = item;
}

static enum sb_status oracle_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                     struct sb_error *error)
{
    struct oracle_peer *const peer = (struct oracle_peer *)self;
    const uint8_t *const code = peer->program.data;
    const size_t length = peer->program.size / 3 < ORACLE_STEPS ? peer->program.size / 3 : ORACLE_STEPS;

    peer->runs++;
    for (size_t i = 0; i < n; i++)
        deck[i] = (sb_item)i;
    for (size_t at = 0; at < length && !draws->over; at++) {
        const uint8_t *const step = code + 3 * at;
        const size_t one = step[1] % n, other = step[2] % n;

        switch (step[0] % STEPS) {
        case STEP_SWAP:
            oracle_swap(deck, other, draws->below(draws, (uint32_t)one + 1));
            break;
        case STEP_COIN:
            if (draws->uniform(draws) * 4 < step[2] % 5)
                oracle_swap(deck, one, other);
            break;
        case STEP_SKIP:
            at += draws->below(draws, 3) == 0;
            break;
        case STEP_AGAIN:
            at -= at > 0 && draws->below(draws, 2) ? 2 : 0;
            break;
        case STEP_SPOIL:
            deck[one] = (sb_item)(step[2] % (n + 1));
            break;
        case STEP_REMEMBERS:
            if (peer->runs % 2)
                oracle_swap(deck, one, other);
            peer->honest = peer->honest && one == other;
            break;
        default:
            error->status = SB_SUBJECT;
            snprintf(error->text, sizeof error->text, "the peer fails");
            return SB_SUBJECT;
        }
    }
    return SB_OK;
}

static void oracle_free(struct sb_peer *self)
{
}

/* A plain walk: the answers of one run. */
struct walk {
    struct sb_draws draws; /* must be the first member */
    uint32_t cells, bound[ORACLE_DRAWS], answer[ORACLE_DRAWS];
    size_t length, asked;
};

static uint32_t walk_below(struct sb_draws *draws, uint32_t bound)
{
    struct walk *const walk = (struct walk *)draws;

    if (bound == 1)
        return 0;
    if (walk->asked == ORACLE_DRAWS) {
        draws->over = true;
        return 0;
    }
    if (walk->asked == walk->length) {
        walk->bound[walk->length] = bound;
        walk->answer[walk->length++] = 0;
    }
    return walk->answer[walk->asked++];
}

/* The middle of a cell. All cells at a multiple of 1/4 are whole, so no program looks into a cell. */
static double walk_uniform(struct sb_draws *draws)
{
    const uint32_t cells = ((struct walk *)draws)->cells;

    return (walk_below(draws, cells) + 0.5) / cells;
}

/* Goes on to the next series of answers; false after the last. */
static bool walk_next(struct walk *walk)
{
    while (walk->length > 0 && ++walk->answer[walk->length - 1] == walk->bound[walk->length - 1])
        walk->length--;
    walk->asked = 0;
    return walk->length > 0;
}

/* The rank of a deck among the permutations of its n items, in lexicographic order; false if it is none. */
static bool walk_rank(const sb_item deck[], size_t n, size_t *rank)
{
    *rank = 0;
    for (size_t i = 0; i < n; i++) {
        size_t smaller = 0;

        for (size_t j = i + 1; j < n; j++) {
            smaller += deck[j] < deck[i];
            if (deck[j] == deck[i])
                return false;
        }
        if (deck[i] >= n)
            return false;
        *rank = *rank * (n - i) + smaller;
    }
    return true;
}

/* Adds up the law. Returns false if there are too many series, a series is too long, or a deck is wrong. */
static bool walk_law(struct oracle_peer *peer, size_t n, uint32_t cells, mpq_t law[])
{
    struct walk walk = { .draws = { .below = walk_below, .uniform = walk_uniform }, .cells = cells };
    struct sb_error error;
    sb_item deck[ORACLE_ITEMS];
    bool right = true;
    size_t leaves = 0, rank;
    mpq_t share;

    mpq_init(share);
    do {
        walk.asked = 0;
        right = oracle_shuffle(&peer->peer, &walk.draws, n, deck, &error) == SB_OK && !walk.draws.over &&
                walk_rank(deck, n, &rank) && ++leaves <= ORACLE_LEAVES;
        if (!right)
            break;
        mpq_set_ui(share, 1, 1);
        for (size_t i = 0; i < walk.length; i++)
            mpz_mul_ui(mpq_denref(share), mpq_denref(share), walk.bound[i]);
        mpq_add(law[rank], law[rank], share);
    } while (walk_next(&walk));
    mpq_clear(share);
    return right;
}

static void oracle_compare(const struct sb_evidence *evidence, mpq_t law[])
{
    mpq_t fraction;

    mpq_init(fraction);
    fuzz_check(evidence->inquiry->complete && evidence->inquiry->cut == 0 && evidence->inquiry->loose == 0,
               "a law that is resolved is complete");
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        sb_evidence_fraction(evidence, rank, fraction);
        fuzz_check(mpq_equal(fraction, law[rank]), "the law is that of a plain walk");
    }
    mpq_clear(fraction);
}

/* The resolved part of a law and the rest add up to 1. */
static void oracle_check_sum(const struct sb_evidence *evidence)
{
    mpq_t sum, fraction;

    mpq_inits(sum, fraction, NULL);
    mpq_set(sum, evidence->inquiry->unresolved);
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        sb_evidence_fraction(evidence, rank, fraction);
        mpq_add(sum, sum, fraction);
    }
    fuzz_check(mpq_cmp_ui(sum, 1, 1) == 0, "the law and what is not resolved add up to 1");
    mpq_clears(sum, fraction, NULL);
}

static void part_oracle(struct fuzz *fuzz)
{
    const size_t n = 1 + fuzz_byte(fuzz) % ORACLE_ITEMS;
    const unsigned how = fuzz_byte(fuzz);
    struct oracle_peer peer = {
        .peer = { .name = "program", .shuffle = oracle_shuffle, .free = oracle_free, },
        .honest = true,
    };
    struct sb_oracle oracle = {
        .peer = &peer.peer,
        .n = n,
        .cells = 4 * (1 + how % 3),
        .draws_most = how & 128 ? 1 + how % 8 : ORACLE_DRAWS,
        .paths_most = how & 64 ? 1 + how % 16 : ORACLE_LEAVES,
    };
    struct sb_evidence evidence = { 0 };
    struct sb_error error = { .status = SB_OK };
    mpq_t law[ORACLE_DEALS];

    peer.program = *fuzz;
    const enum sb_status status = sb_oracle_law(&oracle, &error, &evidence);

    fuzz_check(status == error.status || status == SB_OK, "an error has a line");
    for (size_t i = 0; i < ORACLE_DEALS; i++)
        mpq_init(law[i]);
    const bool known = peer.honest && walk_law(&peer, n, oracle.cells, law);

    if (status == SB_OK)
        oracle_check_sum(&evidence);
    if (known && how < 64)
        fuzz_check(status == SB_OK || status == SB_TOO_LARGE, /* where the estimate is too high */
                   "an honest peer with few series has a law");
    if (known && status == SB_OK && mpq_sgn(evidence.inquiry->unresolved) == 0)
        oracle_compare(&evidence, law);
    if (status == SB_OK)
        sb_evidence_close(&evidence);
    for (size_t i = 0; i < ORACLE_DEALS; i++)
        mpq_clear(law[i]);
}

FUZZ_TARGET(part_engine, part_oracle)
