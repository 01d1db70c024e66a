/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON contract, as another program reads it: with jansson, which shares no code with the writer. */
#include "unit/test.h"

#include "report_example.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *parse(const struct sb_reports *reports)
{
    char *const text = example_print(reports, "json", NULL);
    json_error_t error;
    json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    assert_non_null(root);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    return root;
}

/* The array of reports of an example, the i-th; *root is to be given back. */
static json_t *example_report(enum example which, size_t i, json_t **root)
{
    struct sb_reports *const reports = example_new(which);

    *root = parse(reports);
    example_free(reports);
    return json_array_get(json_object_get(*root, "reports"), i);
}

/* What stands under the key, as compact JSON, is `expected`. */
static void check(const json_t *object, const char *key, const char *expected)
{
    char *const text = json_dumps(json_object_get(object, key), JSON_COMPACT | JSON_ENCODE_ANY);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static double number(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);

    assert_true(json_is_real(value));
    return json_real_value(value);
}

TEST(names_its_schema)
{
    struct sb_reports *const reports = example_new(EXAMPLE_DETAILS);
    json_t *const root = parse(reports);

    check(root, "schema", "\"shufflebias.report/2\"");
    assert_string_equal(json_string_value(json_object_get(root, "version")), SB_VERSION);
    assert_int_equal(json_array_size(json_object_get(root, "reports")), 4);
    json_decref(root);
    example_free(reports);
}

TEST(exact_report_is_the_contract)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_DETAILS, 0, &root);
    const json_t *const evidence = json_object_get(report, "evidence"), *const effect =
                                                                            json_object_get(report, "effect");

    check(json_object_get(report, "subject"), "name", "\"naive\"");
    check(json_object_get(report, "subject"), "draw", "\"ideal\"");
    check(json_object_get(report, "subject"), "rng", "null");
    check(report, "n", "3");
    check(report, "deal", "3");
    check(evidence, "by", "\"exact\"");
    check(evidence, "engine", "\"tree\"");
    check(evidence, "denominator", "\"27\"");
    check(evidence, "counts", "[\"4\",\"5\",\"5\",\"5\",\"4\",\"4\"]");
    check(report, "matrix",
          "[[\"1/3\",\"1/3\",\"1/3\"],[\"10/27\",\"8/27\",\"1/3\"],[\"8/27\",\"10/27\",\"1/3\"]]");
    assert_true(number(effect, "total_variation") == 0.055555555555555556);
    check(effect, "total_variation_exact", "\"1/18\"");
    check(effect, "total_variation_fair", "null");
    assert_true(number(effect, "kl_bits") == 0.0089239401617778304);
    assert_true(number(effect, "max_ratio") == 1.1111111111111111);
    check(effect, "most_likely", "[\"132\",\"213\",\"231\"]");
    check(effect, "least_likely", "[\"123\",\"312\",\"321\"]");
    check(report, "findings", "[]");
    check(report, "verdict", "\"biased\"");
    json_decref(root);
}

TEST(sampled_report_is_the_contract)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_DETAILS, 1, &root);
    const json_t *const evidence = json_object_get(report, "evidence");
    const json_t *const finding = json_array_get(json_object_get(report, "findings"), 0);
    const json_t *const row = json_array_get(json_object_get(report, "permutations"), 1);

    check(json_object_get(report, "subject"), "rng", "\"philox\"");
    check(evidence, "by", "\"sample\"");
    check(evidence, "total", "27000");
    check(evidence, "seed", "1");
    check(evidence, "rng", "\"philox\"");
    check(evidence, "interrupted", "false");
    check(evidence, "counts", "[4010,4985,5020,4990,4005,3990]");
    /* item 1 at position 1: 123 and 132, 4010 + 4985; at position 2: 213 and 312, 5020 + 4005; ... */
    check(report, "matrix", "[[8995,9025,8980],[10010,8000,8990],[7995,9975,9030]]");
    check(json_object_get(report, "effect"), "total_variation_exact", "null");
    assert_true(number(json_object_get(report, "effect"), "total_variation_fair") == 0.00542888);
    check(finding, "statistic", "\"rank\"");
    check(finding, "test", "\"pearson\"");
    assert_true(number(finding, "dof") == 5);
    assert_true(number(finding, "ln_p") == -158.27183679371021);
    check(row, "permutation", "\"132\"");
    check(row, "count", "4985");
    assert_true(number(row, "low") < 4985 / 27000.0 && number(row, "high") > 4985 / 27000.0);
    json_decref(root);
}

/* A p below the smallest double is not written as 0, though a double reads it so. */
TEST(tiny_p_is_written)
{
    struct sb_reports *const reports = example_new(EXAMPLE_DETAILS);
    char *const text = example_print(reports, "json", NULL);

    assert_non_null(strstr(text, "\"p\": 1.30000e-4521,"));
    assert_non_null(strstr(text, "\"ln_p\": -10409.724841161613,"));
    free(text);
    example_free(reports);
}

TEST(empty_deck)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_ODD, 0, &root);

    check(report, "n", "0");
    check(report, "matrix", "[]");
    check(json_object_get(report, "evidence"), "counts", "[\"1\"]");
    check(json_object_get(report, "effect"), "most_likely", "[\"\"]");
    json_decref(root);
}

TEST(deal_has_a_column_per_position_dealt)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_ODD, 1, &root);

    check(report, "deal", "2");
    check(report, "matrix", "[[227,199],[205,205],[200,200],[195,195],[173,201]]");
    check(json_object_get(report, "evidence"), "interrupted", "true");
    json_decref(root);
}

TEST(matrix_alone_has_null_effects)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_ODD, 2, &root);
    const char *key;
    json_t *value;

    check(json_object_get(report, "evidence"), "counts", "null");
    assert_true(json_object_size(json_object_get(report, "effect")) >= 8); /* all are there, and null */
    json_object_foreach(json_object_get(report, "effect"), key, value) assert_true(json_is_null(value));
    assert_int_equal(json_array_size(json_object_get(report, "matrix")), 13);
    json_decref(root);
}

/* 2^69 + 1 = 590295810358705651713 of 2^70 = 1180591620717411303424 */
TEST(beyond_64_bits)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_ODD, 3, &root);

    check(json_object_get(report, "evidence"), "denominator", "\"1180591620717411303424\"");
    check(json_object_get(report, "evidence"), "counts",
          "[\"590295810358705651713\",\"590295810358705651711\"]");
    check(json_object_get(report, "effect"), "total_variation_exact", "\"1/1180591620717411303424\"");
    json_decref(root);
}

/* The same bytes come back, but for the one that is no UTF-8; what does not exist is null. */
TEST(hostile_name_and_no_numbers)
{
    json_t *root;
    const json_t *const report = example_report(EXAMPLE_ODD, 4, &root);
    const json_t *const finding = json_array_get(json_object_get(report, "findings"), 0);

    assert_string_equal(json_string_value(json_object_get(json_object_get(report, "subject"), "name")),
                        "a\"b\\c|<d>*_`\x1B[31m\uFFFD,\u00E9\n");
    check(json_object_get(report, "effect"), "total_variation", "null");
    check(finding, "value", "null");
    check(finding, "p", "null");
    check(finding, "ln_p", "null");
    check(json_object_get(report, "evidence"), "seed", "9223372036854775807");
    json_decref(root);
}

TEST(counts_above_8_items_are_asked_for)
{
    struct sb_reports *const reports = example_new(EXAMPLE_ODD);

    for (int asked = 0; asked < 2; asked++) {
        reports->report[5].counts = asked;
        json_t *const root = parse(reports);
        const json_t *const report = json_array_get(json_object_get(root, "reports"), 5);
        const json_t *const counts = json_object_get(json_object_get(report, "evidence"), "counts");

        assert_int_equal(json_array_size(counts), asked ? 362880 : 0);
        assert_true(asked || json_is_null(counts));
        json_decref(root);
    }
    example_free(reports);
}
