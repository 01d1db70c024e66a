/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding never decides a verdict. Each test moves the level of a comparison through the numbers of a gate, in steps
 * of a tenth of the margin. Where the gate finds something, the true number is beyond the level, too. A gate that is a
 * margin too careful would find it, too. */
#include "certified/exact_bounds.h"

#include "fit/fit.h"
#include "fit/sequential.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

static struct claim claim_weights = { "sb_gate_weight: sum", .absolute = 1 }; /* in units of 16 * 2^-53 */
static struct claim claim_share = { "sb_gate_share", .relative = 0x1p-51 };
static struct claim claim_seeds = { "sb_birthday_seeds_low", .absolute = 1 }; /* times the gate's margin */

enum { BITS = 256, STEPS = 30 };

static const struct sb_gate_terms usual = { .alpha = 1e-9, .delta = 1e-6, .exclude = 0.01, .limit = 1 };

/* A gate on the rank and another statistic with the same counts, whose E is compared with 1/alpha. */
TEST(biases)
{
    uint64_t seed = 5;
    size_t tried = 0;

    for (size_t i = 0; i < certify_cases(60); i++) {
        struct sb_gate gate;
        struct sb_tally both[2];
        ARBS(ln_e, margin);
        size_t said = 0;

        random_law(&seed, 2 + random_below(&seed, 60), false);
        random_counts(&seed, random_scale(&seed, 1e3, 1e7), 0.2);
        both[0] = both[1] = drawn;
        both[0].statistic = "rank";
        assert_int_equal(sb_gate_open(&usual, both, 2, &gate), SB_OK);
        assert_int_equal(sb_gate_look(both, 2, &gate), SB_OK);
        exact_ln_e(1, 256, ln_e); /* the average of two equal E is this E */
        const double own = gate.line[0].ln_e_error + 1e-12;

        for (int step = -STEPS; step <= STEPS && gate.ln_e > 1 && gate.ln_e < 200; step++) {
            gate.terms.alpha = exp(-gate.ln_e + 0.1 * step * own);
            if (!sb_gate_shows_bias(&gate))
                continue;
            arb_set_d(margin, gate.terms.alpha);
            arb_log(margin, margin, 256);
            arb_add(margin, margin, ln_e, 256); /* ln(E alpha) */
            assert_true(arb_is_nonnegative(margin));
            said++;
        }
        if (gate.ln_e > 1 && gate.ln_e < 200) {
            assert_true(said >= 15);
            tried++;
        }
        sb_gate_close(&gate);
    }
    assert_true(tried >= 5);
}

/* A gate on the rank, whose cells are sorted. */
static void open_gate(uint64_t *seed, bool even, struct sb_gate *gate)
{
    random_law(seed, 2 + random_below(seed, 23), even);
    random_counts(seed, random_scale(seed, 1e3, 1e6), random_scale(seed, 0.01, 0.5));
    sort_cells();
    drawn.statistic = "rank";
    assert_int_equal(sb_gate_open(&usual, &drawn, 1, gate), SB_OK);
    assert_int_equal(sb_gate_look(&drawn, 1, gate), SB_OK);
}

/* Lower bounds, which are compared with `tolerate`. */
TEST(tolerated)
{
    uint64_t seed = 80;
    size_t tried = 0;

    for (size_t i = 0; i < certify_cases(60); i++) {
        struct sb_gate gate;
        size_t said = 0;
        ARBS(at, value);

        open_gate(&seed, i % 2, &gate);
        const double x[4] = { sb_gate_ln_level(gate.line[0].weight, usual.alpha) }, low = gate.line[0].tv_low;
        const double own = sb_tv_low_error(gate.line[0].ln_e_error, x[0]);

        for (int step = -STEPS; step <= STEPS && low > 1e-6; step++) {
            gate.terms.tolerate = low + 0.1 * step * own;
            if (!sb_gate_exceeds(&gate))
                continue;
            arb_set_d(at, gate.terms.tolerate);
            exact_tv_low(x, at, BITS, value);
            assert_true(arb_is_negative(value)); /* the true bound is larger */
            said++;
        }
        if (low > 1e-6) {
            assert_true(said >= 15);
            tried++;
        }
        sb_gate_close(&gate);
    }
    assert_true(tried >= 5);
}

/* Upper bounds, which are compared with `exclude`. */
TEST(excluded)
{
    uint64_t seed = 81;

    for (size_t i = 0; i < certify_cases(20); i++) {
        struct sb_gate gate;
        size_t said = 0;
        ARBS(at, value);

        open_gate(&seed, i % 2, &gate);
        const bool even = sb_tv_sets_join(&drawn);
        const double ln_level = -log(usual.delta);
        const double x[4] = { even ? sb_tv_sets_ln_rest(ln_level) : ln_level, [3] = even ? 0 : usual.exclude };

        if (even && gate.tv_high < usual.exclude) { /* known-tv_sets has this test */
            sb_gate_close(&gate);
            continue;
        }
        for (int step = -STEPS; step <= STEPS; step++) {
            gate.terms.exclude = gate.tv_high + 0.1 * step * SB_TV_HIGH_ERROR;
            if (!sb_gate_excludes(&gate))
                continue;
            arb_set_d(at, gate.terms.exclude);
            exact_tv_high(x, at, BITS, value);
            assert_true(arb_is_positive(value)); /* the true bound is smaller */
            said++;
        }
        assert_true(said >= 15);
        sb_gate_close(&gate);
    }
}

enum { LINES = 3 };

/* A gate on three lines, of which the first is biased. v[] becomes the true E of each line. */
static void open_lines(uint64_t *seed, struct sb_gate *gate, arb_ptr v)
{
    static uint64_t counts[LINES][30];
    const size_t cells = 2 + random_below(seed, 29);
    struct sb_tally tally[LINES];

    for (size_t k = 0; k < LINES; k++) {
        random_law(seed, cells, true);
        random_counts(seed, 1e5, k ? 0.01 * random_share(seed) : random_scale(seed, 0.02, 0.2));
        tally[k] = drawn;
        tally[k].count = counts[k];
        memcpy(counts[k], drawn_count, cells * sizeof counts[k][0]);
        exact_ln_e(1, BITS, v + k);
        arb_exp(v + k, v + k, BITS);
    }
    assert_int_equal(sb_gate_open(&usual, tally, LINES, gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, LINES, gate), SB_OK);
}

/* The statistics that a gate rejects by closed testing: v = w (E alpha - 1) is at least the sum of all -v above 0. */
TEST(rejected)
{
    uint64_t seed = 82;
    size_t alone = 0;

    for (size_t i = 0; i < certify_cases(40); i++) {
        struct sb_gate gate;
        arb_ptr v = _arb_vec_init(LINES);
        ARBS(missing, part);

        open_lines(&seed, &gate, v);
        gate.terms.alpha = fmin(0.5, exp(-gate.line[0].ln_e) * random_scale(&seed, 1, 10));
        sb_gate_reject(&gate);
        for (size_t k = 0; k < LINES; k++) {
            arb_set_d(part, gate.terms.alpha);
            arb_mul(v + k, v + k, part, BITS);
            arb_sub_ui(v + k, v + k, 1, BITS);
            arb_set_d(part, gate.line[k].weight);
            arb_mul(v + k, v + k, part, BITS);
            if (arb_is_negative(v + k))
                arb_sub(missing, missing, v + k, BITS);
        }
        for (size_t k = 0; k < LINES && !gate.jointly; k++) {
            assert_true(!gate.line[k].rejected || arb_ge(v + k, missing));
            alone += gate.line[k].rejected;
        }
        _arb_vec_clear(v, LINES);
        sb_gate_close(&gate);
    }
    assert_true(alone >= 5);
}

/* The least number of decks after decks without a repeat, against pairs/ln(1/delta). From 2^53 pairs on, their sum is
 * rounded. */
TEST(seeds)
{
    uint64_t seed = 83;

    for (size_t i = 0; i < certify_cases(50); i++) {
        const uint64_t kept = 1 + (uint64_t)random_scale(&seed, 1, 0x1p31), decks = 1000;
        const double delta = random_scale(&seed, 1e-12, 0.1), total = (double)(kept + decks);
        struct sb_birthday birthday = { .ln_pair = -150,
                                        .decks = kept,
                                        .pairs = 0.5 * (double)kept * (double)(kept - 1) };
        ARBS(pairs, part);

        arb_set_d(pairs, birthday.pairs);
        for (uint64_t t = 0; t < decks; t++) {
            sb_birthday_step(&birthday, kept + t, false);
            arb_add_ui(pairs, pairs, (ulong)(kept + t), BITS);
        }
        const double low = sb_birthday_seeds_low(&birthday, delta);

        arb_set_d(part, delta);
        arb_log(part, part, BITS);
        arb_div(pairs, pairs, part, BITS);
        arb_set_d(part, -low);
        arb_sub(part, part, pairs, BITS);
        arb_div(part, part, pairs, BITS); /* the relative error */
        arb_mul_2exp_si(part, part, 53);
        arb_set_d(pairs, total + 16);
        arb_div(part, part, pairs, BITS);
        certify_enclosed(&claim_seeds, 0, part, (const double[4]) { total, delta, low });
    }
}

/* The weights of all lines add up to 1, and the parts of a ledger's tests are level/(k (k+1)). */
TEST(budgets)
{
    enum { FAMILIES = 20 };
    static const char *const names[] = { "rank", "position", "cycles", "repeat" };
    uint64_t seed = 84;

    for (size_t i = 0; i < certify_cases(100); i++) {
        const size_t count = 1 + random_below(&seed, FAMILIES);
        const uint64_t k = 1 + (uint64_t)random_scale(&seed, 1, 1e6);
        const double level = random_scale(&seed, 1e-12, 0.1);
        struct sb_tally tally[FAMILIES] = { { 0 } };
        ARBS(sum, part);

        for (size_t f = 0; f < count; f++) {
            tally[f].statistic = f == 0 && i % 2 ? names[0] : names[1 + f % 3];
            tally[f].members = f == 0 ? 1 : random_below(&seed, 200);
            tally[f].share = f && f < 4 && i % 3 == 0 ? 0.05 / (double)f : 0;
        }
        for (size_t f = 0; f < count; f++) {
            arb_set_d(part, tally[f].members ? sb_gate_weight(tally, count, f) : 0);
            arb_addmul_ui(sum, part, tally[f].members, BITS);
        }
        arb_sub_ui(sum, sum, 1, BITS);
        arb_mul_2exp_si(sum, sum, 49);
        certify_enclosed(&claim_weights, 0, sum, (const double[4]) { (double)count });
        arb_set_d(sum, level);
        arb_div_ui(sum, sum, (ulong)k, BITS);
        arb_div_ui(sum, sum, (ulong)k + 1, BITS);
        certify_enclosed(&claim_share, sb_gate_share(level, k), sum, (const double[4]) { level, (double)k });
    }
}
