/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A law by slices that ranks compute together, at the least size that has slices. The ranks are threads with their own
 * memory (ranks_threads.h). tests/unit/ranks.c has whole reports, which take longer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/convolve/convolve.h"
#include "property/slices_law.h"
#include "unit/ranks_threads.h"

enum { LEAST = SB_SLICES_ITEMS_LEAST };

static struct sb_shuffler shuffler;
static struct sb_evidence found; /* of the first rank */

static enum sb_status compute(struct member *member, struct sb_evidence *evidence)
{
    const struct sb_law law = { .shuffler = &shuffler,
                                .threads = 1 + member->ranks.rank % 2,
                                .ranks = &member->ranks };

    return sb_convolve_law(&law, NULL, evidence);
}

static void first(struct member *member)
{
    assert_int_equal(compute(member, &found), SB_OK);
}

static void others(struct member *member)
{
    struct sb_evidence evidence;

    if (compute(member, &evidence) == SB_OK)
        sb_evidence_close(&evidence);
}

static void check_ranks(unsigned ranks)
{
    uint64_t *const count = plain_walk(LEAST, shuffler.steps, shuffler.count);

    ranks_run(ranks, first, others);
    assert_census(&found, count, factorial(LEAST));
    assert_matrix(&found, LEAST, count, factorial(LEAST));
    sb_evidence_close(&found);
    free(count);
}

static void ranks_agree_with_a_plain_walk(void **state)
{
    static const char *const names[] = { "naive", "naive-backward", "sattolo", "planet-poker",
                                         "fisher-yates" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        open_shuffle(named(names[i]), LEAST, &shuffler);
        check_ranks(2 + (unsigned)i % 3);
        sb_shuffler_close(&shuffler);
    }
}

/* If each step swaps the first item with any, then one rank has the slice of all steps' centre, and the others copy it. */
static void one_rank_has_the_centre(void **state)
{
    struct sb_swap steps[5];

    (void)state;
    open_any(&shuffler);
    const struct sb_shuffler opened = shuffler;

    for (size_t k = 0; k < 5; k++)
        steps[k] = (struct sb_swap) { .at = 0, .at_bound = 1, .from = 0, .bound = LEAST };
    shuffler.n = shuffler.deal = LEAST;
    shuffler.steps = steps;
    for (shuffler.count = 1; shuffler.count <= 5; shuffler.count += 2)
        for (unsigned ranks = 2; ranks <= 4; ranks++)
            check_ranks(ranks);
    shuffler = opened;
    sb_shuffler_close(&shuffler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_agree_with_a_plain_walk),
        cmocka_unit_test(one_rank_has_the_centre),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
