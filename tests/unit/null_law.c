/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of a statistic as a program gets it from the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

#include <math.h>
#include <string.h>

/* Three cards: 4 of 6 orders have one descent; a cell for each of 0, 1, 2. */
static void test_cells(void **state)
{
    static const double share[] = { 1.0 / 6, 4.0 / 6, 1.0 / 6 };
    struct sb_request options;
    struct sb_null_law *law;
    struct sb_null_cell cell;
    size_t cells = 0;

    sb_request_init(&options, SB_REPORT);
    assert_int_equal(sb_null_law_new("descents", 0, &options, NULL, &law), SB_OK);
    for (; cells < 3 && sb_null_law_cell_get(law, cells, &cell); cells++) {
        assert_int_equal(cell.cell, cells);
        assert_true(fabs(cell.p - share[cells]) < 1e-15);
        assert_true(fabs(cell.ln_p - log(share[cells])) < 1e-15);
    }
    assert_int_equal(cells, 3);
    assert_false(sb_null_law_cell_get(law, 3, &cell));
    sb_null_law_free(law);
}

/* The second of four items: who follows it, from the next one on; the last cell is for nobody. */
static void test_members_have_labels(void **state)
{
    struct sb_request options;
    struct sb_null_law *law;
    struct sb_null_cell cell;

    sb_request_init(&options, SB_REPORT);
    options.n = 4;
    assert_int_equal(sb_null_law_new("successor", 1, &options, NULL, &law), SB_OK);
    assert_true(sb_null_law_cell_get(law, 0, &cell));
    assert_string_equal(cell.label, "3");
    assert_true(sb_null_law_cell_get(law, 3, &cell));
    assert_string_equal(cell.label, "nobody");
    sb_null_law_free(law);
}

static void test_what_is_not_there(void **state)
{
    static const struct {
        const char *statistic;
        size_t n, deal, member;
        enum sb_status status;
        const char *says;
    } refused[] = {
        { "descnts", 5, 0, 0, SB_INVALID, "did you mean descents?" },
        { "cycles", 5, 0, 1, SB_INVALID, "cycles has one member: leave member 2 out" },
        { "position", 5, 0, 5, SB_INVALID, "position has no member 6: use one of 1 to 5" },
        { "displacement", 201, 0, 0, SB_TOO_LARGE,
          "at `n = 201`: use whole permutations of up to 200 items" },
        { "parity", 52, 9, 0, SB_TOO_LARGE, "for deals of 9 out of 52: use whole permutations" },
        { "position", 0, 0, 0, SB_TOO_LARGE, "of `n = 0` items: use n >= 1" },
        { "cycles", 65536, 0, 0, SB_INVALID, "65536" },
    };

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sb_null_law *law = NULL;
        struct sb_request options;
        struct sb_error error;

        sb_request_init(&options, SB_REPORT);
        options.n = refused[i].n;
        options.deal = refused[i].deal;
        assert_int_equal(sb_null_law_new(refused[i].statistic, refused[i].member, &options, &error, &law),
                         refused[i].status);
        assert_non_null(strstr(error.text, refused[i].says));
        assert_null(law);
    }
    sb_null_law_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_members_have_labels),
        cmocka_unit_test(test_what_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
