/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law slice by slice is the law, also with more items than the least that have slices (slices.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/slices_law.h"

static void nine_items(void **state)
{
    (void)state;
    assert_in_range(check_shuffles(9, 3), 7, 50);
    check_series(9, 4, 20261124);
}

/* With more items, tiles have more items in common: compares with the walk that holds all counts. */
static void slices_are_the_whole(void **state)
{
    static const struct {
        const char *name;
        size_t n;
    } laws[] = {
        { "naive", 10 }, { "naive-backward", 10 }, { "sattolo", 10 }, { "planet-poker", 10 }, { "naive", 11 }
    };

    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        struct sb_evidence whole, evidence;
        struct sb_shuffler shuffler;
        const struct sb_law law = { .shuffler = &shuffler };

        open_shuffle(named(laws[i].name), laws[i].n, &shuffler);
        assert_int_equal(sb_convolve_law(&law, NULL, &whole), SB_OK);
        uint64_t *const count = calloc(whole.cells, sizeof *count);

        assert_non_null(count);
        for (size_t cell = 0; cell < whole.cells; cell++)
            count[cell] = sb_numbers_u64(&whole.counts, cell);
        assert_true(slices_law(&law, STEPS, &evidence));
        assert_census(&evidence, count, whole.cells);
        free(count);
        sb_evidence_close(&evidence);
        sb_evidence_close(&whole);
        sb_shuffler_close(&shuffler);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_items),
        cmocka_unit_test(slices_are_the_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
