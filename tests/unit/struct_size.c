/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers that were compiled against an older or a newer header: their structs have fewer or more fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shufflebias.h"

#include <stdlib.h>
#include <string.h>

/* Returns a block on the heap that holds a copy of a struct, cut or extended by zeros to `size` bytes, so that valgrind
 * and sanitizers see any access beyond it. The caller frees the block. */
static void *resized(const void *from, size_t from_size, size_t size)
{
    unsigned char *const to = calloc(1, size);

    assert_non_null(to);
    memcpy(to, from, size < from_size ? size : from_size);
    memcpy(to, &size, sizeof size);
    return to;
}

static enum sb_status report(const struct sb_options *options, struct sb_error *error)
{
    static const char *const schemes[] = { "naive" };
    struct sb_reports *reports = NULL;
    const enum sb_status status = sb_reports_new(schemes, 1, options, error, &reports);

    sb_reports_free(reports);
    return status;
}

/* A caller whose header ends after `samples` gets the default of alpha, which is not 0. */
static void an_older_caller(void **state)
{
    struct older {
        size_t struct_size, n, deal;
        uint64_t samples;
    };
    struct older *const older = calloc(1, sizeof *older);
    void *const options = older;
    struct sb_error error = { 0 };

    (void)state;
    assert_non_null(older);
    assert_int_equal(sizeof *older, offsetof(struct sb_options, seed));
    sb_options_init_sized(options, sizeof *older);
    assert_int_equal(older->struct_size, sizeof *older);
    assert_int_equal(older->n, 3);
    older->samples = 1000;
    assert_int_equal(report(options, &error), SB_OK);
    free(older);
}

static void a_newer_caller(void **state)
{
    struct sb_options options;
    struct sb_error error = { 0 };
    unsigned char *newer;

    (void)state;
    sb_options_init(&options);
    options.samples = 1000;
    newer = resized(&options, sizeof options, sizeof options + 16);
    assert_int_equal(report((const struct sb_options *)(void *)newer, &error), SB_OK);
    newer[sizeof options + 15] = 1;
    assert_int_equal(report((const struct sb_options *)(void *)newer, &error), SB_INVALID);
    assert_string_equal(error.field, "struct_size");
    assert_non_null(strstr(error.text, "struct sb_options sets a field beyond the "));
    assert_non_null(
        strstr(error.text, "leave the field as `sb_options_init` sets it, or use a newer library"));
    memset(newer, 0xff, sizeof options + 16);
    sb_options_init_sized((struct sb_options *)(void *)newer, sizeof options + 16);
    assert_int_equal(newer[sizeof options + 15], 0); /* the library sets what it does not know to 0 */
    free(newer);
}

/* Each struct that a caller fills, without its init: 0, and what a local variable may hold. */
static void structs_that_were_not_initialised(void **state)
{
    static const char *const orders[] = { "123" };
    const struct sb_subject subject = { .struct_size = sizeof subject, .scheme = "naive", .seed = 1 };
    const struct sb_aim aim = { .struct_size = sizeof aim, .scheme = "naive" };
    struct sb_options options;
    struct sb_gate_options gate_options;
    struct sb_error error;
    struct sb_gate *gate = NULL;
    struct sb_watch *watch = NULL;
    struct sb_zoo *zoo = NULL;
    struct sb_plan *plan = NULL;
    struct sb_odds *odds = NULL;
    struct sb_reports *reports = NULL;
    struct sb_suite *suite = NULL;
    unsigned char raw[1024] = { 0 };

    (void)state;
    sb_options_init(&options);
    sb_gate_options_init(&gate_options);
    for (int fill = 0; fill < 2; fill++) {
        const void *const bad = raw;

        memset(raw, fill ? 0xff : 0, sizeof raw);
        assert_int_equal(sb_gate_new(bad, &gate_options, &error, &gate), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_subject is not initialised: call `sb_subject_init`"));
        assert_int_equal(sb_gate_new(&subject, bad, &error, &gate), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_gate_options is not initialised"));
        assert_int_equal(sb_watch_new(&subject, bad, &error, &watch), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_watch_options is not initialised"));
        assert_int_equal(sb_watch_new(bad, NULL, &error, &watch), SB_INVALID);
        assert_int_equal(sb_zoo_new(bad, &error, &zoo), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_zoo_options is not initialised"));
        assert_int_equal(sb_prove_callback("none", NULL, NULL, bad, &error, &reports), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_proof is not initialised"));
        assert_int_equal(sb_plan_new(bad, &options, &error, &plan), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_aim is not initialised"));
        assert_int_equal(sb_plan_new(&aim, bad, &error, &plan), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_options is not initialised"));
        assert_int_equal(sb_odds_new("naive", orders, 1, bad, &error, &odds), SB_INVALID);
        assert_int_equal(sb_reports_observe(bad, &options, &error, &reports), SB_INVALID);
        assert_int_equal(sb_suite_new(bad, 1, 1, &error, &suite), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_suite_case is not initialised"));
        options.ranks = bad;
        assert_int_equal(report(&options, &error), SB_INVALID);
        assert_non_null(strstr(error.text, "struct sb_ranks is not initialised"));
        options.ranks = NULL;
    }
    assert_int_equal(sb_gate_new(NULL, &gate_options, &error, &gate), SB_INVALID);
    assert_string_equal(error.text, "struct sb_subject is NULL: fill one with `sb_subject_init`");
}

/* A result is cut to what an older caller has room for; what only a newer caller knows becomes 0. */
static void results(void **state)
{
    struct sb_entry whole;
    unsigned char *const older = malloc(sizeof(char *)), *const newer = malloc(sizeof whole + 8);
    const char *family;

    (void)state;
    assert_true(older && newer);
    memset(newer, 0xff, sizeof whole + 8);
    assert_true(sb_entry_get(0, &whole));
    assert_true(sb_entry_get_sized(0, (struct sb_entry *)(void *)older, sizeof(char *)));
    memcpy(&family, older, sizeof family);
    assert_string_equal(family, whole.family);
    assert_true(sb_entry_get_sized(0, (struct sb_entry *)(void *)newer, sizeof whole + 8));
    assert_memory_equal(newer, &whole, sizeof whole);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(newer[sizeof whole + i], 0);
    free(older);
    free(newer);
}

/* The cases of a suite lie as far apart as the caller's header says. */
static void cases_of_a_newer_caller(void **state)
{
    struct newer {
        struct sb_suite_case known;
        uint64_t unknown;
    };
    const struct sb_subject subjects[] = {
        { .struct_size = sizeof subjects[0], .scheme = "naive", .seed = 1 },
        { .struct_size = sizeof subjects[0], .scheme = "sattolo", .seed = 1 },
    };
    struct newer cases[] = {
        { .known = { .struct_size = sizeof(struct newer), .name = "one", .subject = &subjects[0] } },
        { .known = { .struct_size = sizeof(struct newer), .name = "two", .subject = &subjects[1] } },
    };
    struct sb_suite_part part;
    struct sb_suite *suite;
    struct sb_error error;

    (void)state;
    assert_int_equal(sb_suite_new(&cases[0].known, 2, 1, &error, &suite), SB_OK);
    assert_true(sb_suite_get(suite, 1, &part));
    assert_string_equal(part.name, "two");
    sb_suite_free(suite);
    cases[1].unknown = 1;
    assert_int_equal(sb_suite_new(&cases[0].known, 2, 1, &error, &suite), SB_INVALID);
    assert_string_equal(error.field, "struct_size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_caller),
        cmocka_unit_test(a_newer_caller),
        cmocka_unit_test(structs_that_were_not_initialised),
        cmocka_unit_test(results),
        cmocka_unit_test(cases_of_a_newer_caller),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
