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

#include "property/slices_law.h"
#include "unit/ranks_threads.h"

enum { LEAST = SB_SLICES_ITEMS_LEAST };

static struct sb_shuffler shuffler;
static struct sb_evidence found; /* of the first rank */
static bool found_certain;

static enum sb_status compute(struct member *member, struct sb_evidence *evidence, bool *certain)
{
    const struct sb_law law = { .shuffler = &shuffler,
                                .threads = 1 + member->ranks.rank % 2,
                                .ranks = &member->ranks };
    struct sb_convolve_plan plan;

    if (sb_convolve_plan_open(&law, &plan))
        return SB_NO_MEMORY;
    const struct sb_slices_plan slices = sb_slices_plan(&plan);

    *evidence = (struct sb_evidence) { .by = SB_BY_EXACT, .n = plan.n, .deal = plan.n, .cells = plan.cells };
    mpz_init_set(evidence->denominator, plan.denominator);
    evidence->total = mpz_get_ui(plan.denominator);
    const enum sb_status status = sb_slices_law(&law, &slices, evidence, certain);

    sb_convolve_plan_close(&plan);
    return status;
}

static void first(struct member *member)
{
    assert_int_equal(compute(member, &found, &found_certain), SB_OK);
}

static void others(struct member *member)
{
    struct sb_evidence evidence;
    bool certain;

    (void)compute(member, &evidence, &certain);
    sb_evidence_close(&evidence);
}

static void ranks_agree_with_a_plain_walk(void **state)
{
    static const char *const names[] = { "naive", "naive-backward", "sattolo", "planet-poker",
                                         "fisher-yates" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        open_shuffle(named(names[i]), LEAST, &shuffler);
        uint64_t *const count = plain_walk(LEAST, shuffler.steps, shuffler.count);

        ranks_run(2 + (unsigned)i % 3, first, others);
        assert_true(found_certain);
        assert_census(&found, count, factorial(LEAST));
        assert_matrix(&found, LEAST, count, factorial(LEAST));
        sb_evidence_close(&found);
        free(count);
        sb_shuffler_close(&shuffler);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ranks_agree_with_a_plain_walk) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
