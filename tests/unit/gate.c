/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: looks, weights, rejected statistics against closed testing by brute force, and verdicts of
 * tallies made by hand.
 */
#include "unit/test.h"

#include "fit/sequential.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

static const struct sb_gate_terms terms = {
    .alpha = 1e-9,
    .delta = 1e-6,
    .exclude = 0.01,
    .limit = 2000000,
};

TEST(looks)
{
    unsigned looks = 0;

    for (uint64_t total = 0; total < 20; total++)
        assert_int_equal(sb_gate_next_look(total), total + 1);
    for (uint64_t total = 20; total < 2000000; looks++) {
        const uint64_t next = sb_gate_next_look(total);

        assert_true(next > total && (next == total + 1 || (double)next <= 1.02 * (double)total));
        total = next;
    }
    assert_in_range(looks, 500, 700);
}

/* The rank is in play up to n = 5 by default; more with a looser bound or a higher limit. */
TEST(reach_of_the_rank)
{
    struct sb_gate_terms other = terms;

    assert_true(sb_gate_reaches(&terms, 1) && sb_gate_reaches(&terms, 2) && sb_gate_reaches(&terms, 120));
    assert_false(sb_gate_reaches(&terms, 0) || sb_gate_reaches(&terms, 720));
    other.exclude = 0.05;
    assert_true(sb_gate_reaches(&other, 5040));
    other = terms;
    other.limit = 3000000;
    assert_true(sb_gate_reaches(&other, 720));
    other.limit = 100000;
    assert_false(sb_gate_reaches(&other, 6));
}

/* After the needed deals, the bound of a fair subject is `exclude`. Steps at a lag need as many as a line whose
 * level, delta', has ln 1/delta' = 2 (ln 1/delta + ln 2 + 1). */
TEST(deals_that_a_pass_needs)
{
    const struct sb_gate_line line = { .cells = 120 }, lag = { .cells = 120, .lag = 2 }, two = { .cells = 2 };
    struct sb_gate_terms other = terms;
    const double needed = sb_gate_deals_needed(&terms, &line);

    assert_true(fabs(sb_tv_high_fair(needed, 120, -log(terms.delta)) / terms.exclude - 1) < 1e-5);
    other.delta = pow(terms.delta / 2 / exp(1), 2);
    assert_true(fabs(sb_gate_deals_needed(&terms, &lag) / sb_gate_deals_needed(&other, &line) - 1) < 1e-5);
    other = terms;
    other.exclude = 0.999999;
    other.delta = 0.5;
    assert_true(sb_gate_deals_needed(&other, &two) == 1);
}

static struct sb_tally tally_of(const char *statistic, size_t members, size_t cells, const uint64_t count[])
{
    struct sb_tally tally = { .statistic = statistic, .members = members, .cells = cells, .count = count };

    for (size_t i = 0; count && i < cells; i++)
        tally.total += count[i];
    return tally;
}

TEST(weights)
{
    const struct sb_tally rank = tally_of("rank", 1, 6, NULL), position = tally_of("position", 3, 3, NULL),
                          cycles = tally_of("cycles", 1, 3, NULL), none = tally_of("none", 0, 0, NULL);
    const struct sb_tally all[] = { rank, none, position, cycles };
    struct sb_gate gate;

    assert_int_equal(sb_gate_open(&terms, all, 4, &gate), SB_OK);
    assert_true(gate.whole && gate.lines_count == 5);
    assert_true(gate.line[0].weight == 0.5 && gate.line[4].weight == 0.25);
    for (size_t i = 1; i < 4; i++) {
        assert_true(fabs(gate.line[i].weight - 0.25 / 3) < 1e-16);
        assert_int_equal(gate.line[i].member, i - 1);
        assert_string_equal(gate.line[i].statistic, "position");
    }
    sb_gate_close(&gate);
    assert_int_equal(sb_gate_open(&terms, all + 1, 2, &gate), SB_OK); /* without the rank */
    assert_true(!gate.whole && gate.lines_count == 3 && fabs(gate.line[0].weight - 1.0 / 3) < 1e-16);
    sb_gate_close(&gate);
    assert_int_equal(sb_gate_open(&terms, all, 2, &gate), SB_OK); /* the rank alone */
    assert_true(gate.lines_count == 1 && gate.line[0].weight == 1);
    sb_gate_close(&gate);
    sb_gate_close(&gate);
}

enum { LINES_MOST = 10 };

/* Whether the weighted average of E over the set reaches 1/alpha. */
static int reaches(const struct sb_gate *gate, unsigned set)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        if (set >> i & 1) {
            sum += gate->line[i].weight * exp(gate->line[i].ln_e);
            weight += gate->line[i].weight;
        }
    return sum >= weight / gate->terms.alpha;
}

/* Whether it is rejected by closed testing: so are all sets around it. */
static int rejected(const struct sb_gate *gate, unsigned set)
{
    for (unsigned around = set; around < 1U << gate->lines_count; around++)
        if ((around & set) == set && !reaches(gate, around))
            return 0;
    return 1;
}

static unsigned size_of(unsigned set)
{
    unsigned size = 0;

    for (; set; set >>= 1)
        size += set & 1;
    return size;
}

static void assert_rejected_as_by_brute_force(struct sb_gate *gate)
{
    unsigned named = 0, alone = 0, smallest = LINES_MOST + 1;

    sb_gate_reject(gate);
    for (size_t i = 0; i < gate->lines_count; i++) {
        named |= (unsigned)gate->line[i].rejected << i;
        alone |= (unsigned)rejected(gate, 1U << i) << i;
    }
    if (alone) {
        assert_int_equal(named, alone);
        assert_false(gate->jointly);
        return;
    }
    for (unsigned set = 1; set < 1U << gate->lines_count; set++)
        if (size_of(set) < smallest && rejected(gate, set))
            smallest = size_of(set);
    assert_true(gate->jointly && rejected(gate, named));
    assert_int_equal(size_of(named), smallest);
}

/* Made-up e-values around 1/alpha of up to ten lines, as long as their average fails. */
TEST(rejected_as_by_brute_force)
{
    uint64_t x = 1;
    unsigned fails = 0, jointly = 0;

    for (unsigned trial = 0; trial < 2000; trial++) {
        struct sb_gate_line line[LINES_MOST] = { 0 };
        struct sb_gate gate = { .terms = terms, .line = line, .lines_count = 1 + trial % LINES_MOST };

        for (size_t i = 0; i < gate.lines_count; i++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            line[i].weight = i == 0 ? 0.5 : 0.5 / (double)(gate.lines_count - 1);
            line[i].ln_e = -log(terms.alpha) + (double)(x >> 40) / (1 << 24) * 5 - (trial % 3 ? 2.5 : 4);
        }
        if (gate.lines_count == 1)
            line[0].weight = 1;
        if (!reaches(&gate, (1U << gate.lines_count) - 1))
            continue;
        assert_rejected_as_by_brute_force(&gate);
        fails++;
        jointly += gate.jointly;
    }
    assert_true(fails > 500 && jointly > 50 && fails - jointly > 50);
}

/* An infinite e-value is rejected, and so is whatever else is by itself. */
TEST(impossible_is_rejected)
{
    struct sb_gate_line line[] = { { .weight = 0.5, .ln_e = 3 }, { .weight = 0.5, .ln_e = HUGE_VAL } };
    struct sb_gate gate = { .terms = terms, .line = line, .lines_count = 2 };

    sb_gate_reject(&gate);
    assert_true(!line[0].rejected && line[1].rejected && !gate.jointly);
}

/* One look at three cards in the ratios of the naive swap, 4 5 5 5 4 4. */
static void look_at_three(const struct sb_gate_terms *with, uint64_t times, const uint64_t ratio[6],
                          struct sb_gate *gate)
{
    static const unsigned cards[6][3] = {
        { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
    };
    uint64_t rank[6], matrix[9] = { 0 };

    for (size_t i = 0; i < 6; i++) {
        rank[i] = times * ratio[i];
        for (size_t j = 0; j < 3; j++)
            matrix[3 * cards[i][j] + j] += rank[i];
    }
    const struct sb_tally tally[] = { tally_of("rank", 1, 6, rank), tally_of("position", 3, 3, matrix) };

    assert_int_equal(sb_gate_open(with, tally, 2, gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, 2, gate), SB_OK);
    assert_int_equal(sb_gate_sum_up(tally, 2, gate), SB_OK);
}

static const uint64_t naive[] = { 4, 5, 5, 5, 4, 4 }, fair[] = { 1, 1, 1, 1, 1, 1 };

/* Where E is 1/alpha up to rounding, the gate does not fail the shuffle; where it is larger by 10^-6, the
 * gate does. */
TEST(rounding_does_not_decide)
{
    struct sb_gate gate;

    look_at_three(&terms, 1000, naive, &gate);
    gate.terms.alpha = exp(-gate.ln_e);
    assert_true(!sb_gate_shows_bias(&gate));
    gate.terms.alpha = exp(1e-6 - gate.ln_e);
    assert_true(sb_gate_shows_bias(&gate));
    sb_gate_close(&gate);
}

/* A total variation of 1/18 = 0.056 is forgiven, or it is not. */
TEST(tolerance)
{
    struct sb_gate_terms other = terms;
    struct sb_gate gate;

    other.tolerate = 0.06;
    look_at_three(&other, 100000, naive, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    sb_gate_close(&gate);
    other.exclude = 0.06;
    look_at_three(&other, 100000, naive, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_PASS);
    sb_gate_close(&gate);
    other.tolerate = 0.05;
    look_at_three(&other, 100000, naive, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_FAIL);
    assert_true(gate.tv_low > 0.05 && gate.line[0].rejected && !gate.line[1].rejected && !gate.jointly);
    sb_gate_close(&gate);
}

/* What is missing: for a pass as often as a fair shuffle needs, 137,000 at n = 3; for a fail the rest of ln
 * E. */
TEST(how_many_more)
{
    struct sb_gate gate;

    look_at_three(&terms, 1, fair, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_in_range((uint64_t)gate.needed, 120000, 150000);
    sb_gate_close(&gate);
    look_at_three(&terms, 100, naive, &gate);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_in_range((uint64_t)gate.needed, 1000, 8000);
    sb_gate_close(&gate);
}

/* Where increments are looked at a pass goes by their rank, too: by 0.008 from fair, and then by 0.002. */
TEST(increments_have_a_say)
{
    uint64_t rank[6], steps[6];
    struct sb_tally tally[2];
    struct sb_gate gate;

    for (size_t i = 0; i < 6; i++) {
        rank[i] = 100000;
        steps[i] = i % 2 ? 101600 : 98400;
    }
    tally[0] = tally_of("rank", 1, 6, rank);
    tally[1] = tally_of("rank", 1, 6, steps);
    tally[1].lag = 1;
    struct sb_gate_terms other = terms;

    other.tolerate = 0.01;
    assert_int_equal(sb_gate_open(&other, tally, 2, &gate), SB_OK);
    assert_int_equal(sb_gate_look(tally, 2, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_true(gate.whole && gate.tv_high > 0.01);
    assert_int_equal(sb_gate_sum_up(tally, 2, &gate), SB_OK);
    assert_true(gate.line[0].tv_high < 0.01 && gate.line[1].tv_high > 0.01);
    for (size_t i = 0; i < 6; i++)
        steps[i] = i % 2 ? 100400 : 99600;
    assert_int_equal(sb_gate_look(tally, 2, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_PASS);
    sb_gate_close(&gate);
}

/* Without the rank every line has to be below. */
TEST(without_the_rank)
{
    uint64_t count[9];
    const struct sb_tally tally = {
        .statistic = "position", .members = 3, .cells = 3, .total = 300000, .count = count
    };
    struct sb_gate gate;

    for (size_t i = 0; i < 9; i++)
        count[i] = 100000;
    assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_true(gate.verdict == SB_VERDICT_PASS && !gate.whole);
    count[3] += 1600;
    count[5] -= 1600;
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    assert_int_equal(gate.verdict, SB_VERDICT_INCONCLUSIVE);
    assert_true(gate.tv_high > 0.01 && gate.points_count == 2);
    sb_gate_close(&gate);
}
