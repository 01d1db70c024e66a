/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a pass says about values that were counted together, on shuffles that are biased only within such
 * groups. The generators' seeds are fixed. A fair shuffle fails with probability 1e-9 at most, and a bias of
 * `exclude` in what is counted passes with probability 1e-6 at most.
 */
#include "unit/test.h"

#include "core/calls.h"
#include "core/numbers.h"
#include "gate/gate.h"
#include "statistic/statistic.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITEMS = 64,
    VALUES = ITEMS * (ITEMS - 1) / 2 + 1, /* of inversions */
    GROUPS = 64,                          /* at most, as in the gate */
    WAITING = 1000,                       /* decks of one group that are kept at most */
};

/* xorshift64*, Vigna, doi:10.1145/2845077. */
static size_t below(uint64_t *word, size_t bound)
{
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    return (size_t)((*word * UINT64_C(2685821657736338717) >> 32) * bound >> 32);
}

static void fair(uint64_t *word, uint16_t item[], size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = below(word, i);
        const uint16_t moved = item[i - 1];

        item[i - 1] = item[j];
        item[j] = moved;
    }
}

static size_t inversions(const uint16_t item[ITEMS])
{
    size_t count = 0;

    for (size_t i = 0; i < ITEMS; i++)
        for (size_t j = i + 1; j < ITEMS; j++)
            count += item[i] > item[j];
    return count;
}

/* Has decks of about half of all numbers of inversions alone, but as many of each group as a fair shuffle. */
struct rejecting {
    uint64_t word;
    uint32_t group[VALUES];
    bool allowed[VALUES];
    size_t waiting[GROUPS];
    uint16_t deck[GROUPS][WAITING][ITEMS];
};

/* Whether value i of a group is in a set: a bit for each of a few; of many, the long tails, two in four. */
static bool in_set(uint32_t set, bool few, size_t i)
{
    return few ? set >> i & 1 : i % 4 < 2;
}

/* Of each group the values whose probability is about half of the group's, and as often odd as even in all,
 * which parity would tell: of a small group all sets are tried. The total variation. */
static double choose(struct rejecting *self)
{
    static double ln_p[VALUES], merged[VALUES];
    double odd = 0, left = 0;

    assert_int_equal(sb_statistic_null_law(sb_statistic_find("inversions"), NULL, ITEMS, ITEMS, ln_p), SB_OK);
    assert_in_range(sb_merge_cells(ln_p, VALUES, 1.0 / GROUPS, self->group, merged), 2, GROUPS);
    for (size_t first = 0, end; first < VALUES; first = end) {
        double best = HUGE_VAL, best_odd = 0, best_left = 0;

        for (end = first; end < VALUES && self->group[end] == self->group[first];)
            end++;
        const bool few = end - first <= 8;
        for (uint32_t set = 1; set < (few ? UINT32_C(1) << (end - first) : 2); set++) {
            double mass = 0, set_odd = 0, set_left = 0;

            for (size_t i = first; i < end; i++)
                mass += in_set(set, few, i - first) ? exp(ln_p[i]) : 0;
            for (size_t i = first; i < end; i++) {
                const double p = exp(ln_p[i]);
                const double q = in_set(set, few, i - first) ? p * exp(merged[self->group[first]]) / mass : 0;

                set_odd += i % 2 ? q - p : 0;
                set_left += fmax(0, p - q);
            }
            if (fabs(odd + set_odd) - 0.3 * set_left >= best)
                continue;
            best = fabs(odd + set_odd) - 0.3 * set_left;
            best_odd = set_odd;
            best_left = set_left;
            for (size_t i = first; i < end; i++)
                self->allowed[i] = in_set(set, few, i - first);
        }
        odd += best_odd;
        left += best_left;
    }
    assert_true(fabs(odd) < 0.02);
    return left;
}

/* A fair deck's group, and the next allowed one of that group, of other fair decks. */
static int rejecting(void *items, size_t n, size_t size, void *state)
{
    struct rejecting *const self = state;
    uint16_t deck[ITEMS];
    size_t group;

    assert_true(n == ITEMS && size == sizeof deck[0]);
    memcpy(deck, items, sizeof deck);
    fair(&self->word, deck, n);
    group = self->group[inversions(deck)];
    while (self->waiting[group] == 0) {
        memcpy(deck, items, sizeof deck);
        fair(&self->word, deck, n);
        const size_t count = inversions(deck), at = self->group[count];

        if (self->allowed[count] && self->waiting[at] < WAITING)
            memcpy(self->deck[at][self->waiting[at]++], deck, sizeof deck);
    }
    memcpy(items, self->deck[group][--self->waiting[group]], sizeof deck);
    return 0;
}

static struct sb_gate *gate_on(sb_own_shuffle *shuffle, void *state, size_t n, double exclude)
{
    const struct sb_subject subject = { .shuffle = shuffle, .state = state, .n = n, .size = sizeof(uint16_t) };
    struct sb_request options;
    struct sb_gate *gate = NULL;

    sb_request_init(&options, SB_GATE);
    options.exclude = exclude;
    assert_int_equal(sb_gate_new(&subject, &options, NULL, &gate), SB_OK);
    return gate;
}

/* Whether the JSON of a gate has the line. */
static bool json_has(const struct sb_gate *gate, const char *line)
{
    char name[] = "gate";
    struct sb_suite_item item = { .name = name, .gate = (struct sb_gate *)gate };
    const struct sb_suite suite = { .count = 1, .item = &item };
    char *text = NULL;

    assert_int_equal(sb_result_text(&sb_suite_result, &suite, "json", NULL, NULL, &text, NULL), SB_OK);
    const bool has = strstr(text, line);
    sb_text_free(text);
    return has;
}

/* Inversions are more than half of all total variation off, and it passes where a fiftieth is to be
 * excluded. */
TEST(a_pass_names_what_was_counted_in_groups)
{
    struct rejecting *const self = calloc(1, sizeof *self);

    assert_non_null(self);
    self->word = 1;
    assert_true(choose(self) > 0.5); /* total variation of inversions */
    struct sb_gate *const gate = gate_on(rejecting, self, ITEMS, 0.02);
    print_message("# verdict %d after %llu permutations\n", (int)gate->verdict, (unsigned long long)gate->total);
    assert_int_equal(gate->verdict, SB_VERDICT_PASS);
    assert_non_null(strstr(gate->details, "of the statistics neighbouring values are counted in groups"));
    assert_true(gate->merged);
    assert_true(json_has(gate, "\"merged\": true"));
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        if (strcmp(line->statistic, "inversions") == 0)
            assert_true(line->merged);
        for (const char *const *whole =
                 (const char *const[]) { "position", "successor", "parity", "cycle-of-first", "repeat", NULL };
             *whole; whole++)
            if (strcmp(line->statistic, *whole) == 0)
                assert_false(line->merged);
    }
    sb_gate_free(gate);
    free(self);
}

/* The first item, when it lands on an odd place, from 0, changes places with its left neighbour. */
static int steps_left(void *items, size_t n, size_t size, void *word)
{
    uint16_t *const item = items;

    assert_true(size == sizeof item[0]);
    fair(word, item, n);
    for (size_t i = 1; i < n; i += 2)
        if (item[i] == 0) {
            item[i] = item[i - 1];
            item[i - 1] = 0;
        }
    return 0;
}

TEST(neighbouring_positions_are_told_apart)
{
    uint64_t word = 1;
    struct sb_gate *const gate = gate_on(steps_left, &word, 128, 0.1);

    assert_int_equal(gate->verdict, SB_VERDICT_FAIL);
    assert_non_null(strstr(gate->sentence, "item 1 at position"));
    sb_gate_free(gate);
}

/* Also where `position` is known by groups in what an earlier version has saved: its cells have another
 * number. */
TEST(positions_keep_their_cells)
{
    static const size_t n[] = { 65, 128, 1000, 1024, 1025 };

    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
        assert_int_equal(sb_statistic_merges(&sb_statistic_position, n[i]), n[i] > 1024);
    assert_true(sb_statistic_merges(sb_statistic_find("cycles"), 5));
    assert_false(sb_statistic_merges(&sb_statistic_rank, 9));
}
