/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports whose counts are saved, resumed and merged. tests/cli/save.py and merge.py have commands and large files. */
#include "unit/ask.h"

static struct sb_request *ask_of(const char *how, const char *path, const char *options)
{
    struct sb_request *const request = ask("report", options);

    put(request, how, path);
    return request;
}

static int stop_soon(void *request, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (strcmp(event, "progress") == 0 && done > 0)
        sb_stop(request);
    return 0;
}

static char *text_of(const char *path)
{
    static char text[1 << 20];
    FILE *const file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

TEST(a_report_goes_on_where_it_stopped)
{
    static const char *const asked[] = {
        "scheme=naive n=4 samples=20000000 by=sample threads=1",
        "scheme=naive n=12 samples=20000000 by=sample threads=1 statistics=descents,repeat increments=1",
    };

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const char *const path = scratch_name("saved");
        struct sb_request *const first = ask_of("save", path, asked[i]);

        sb_on(first, stop_soon, first);
        struct sb_result *result = answer(first);
        const double total = sb_number(result, "reports.0.evidence.total");

        check_value(result, "reports.0.evidence.interrupted", "true");
        sb_result_free(result);
        assert_true(sb_saved_is(path));
        struct sb_request *const next = ask_of("save", path, "");

        sb_on(next, stop_soon, next);
        result = answer(next);
        assert_true(sb_number(result, "reports.0.evidence.total") > total);
        sb_result_free(result);
        remove(path);
    }
}

/* The first `from` in a sound file is replaced by `to`: nothing is read. What begins otherwise is no evidence. */
TEST(damage_is_refused)
{
    static const char *const cases[][2] = {
        { "{", "" },
        { "\"schema\"", "\"scheme\"" },
        { "\"n\": \"4\"", "\"n\": \"5\"" },
        { "\"n\": \"4\"", "\"n\": \"-4\"" },
        { "\"counts\": [", "\"counts\": [1, " },
        { "\"seed\": \"1\"", "\"seed\": true" },
        { "naive", "nave" },
    };
    const char *const path = scratch_name("saved");

    sb_result_free(answer(ask_of("save", path, "scheme=naive n=4 samples=1000 by=sample seed=1")));
    char *const sound = strdup(text_of(path));

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const at = strstr(sound, cases[i][0]);
        FILE *const file = fopen(path, "w");

        assert_true(at && file);
        fprintf(file, "%.*s%s%s", (int)(at - sound), sound, cases[i][1], at + strlen(cases[i][0]));
        fclose(file);
        check_refused(ask_of("save", path, ""), i ? SB_IO : SB_INVALID, "");
    }
    free(sound);
    remove(path);
}

/* Shards of a sample make the whole, whose report is that of one run. */
TEST(shards_are_merged)
{
    static const char sample[] = "scheme=naive n=4 samples=200000 by=sample statistics=descents increments=1";
    const char *const parts[] = { scratch_name("1"), scratch_name("2") }, *const whole = scratch_name("whole");
    struct sb_request *const merge = ask("merge", ""), *const half = ask("merge", "partial=1");
    struct sb_result *const once = answer(ask("report", sample));

    for (size_t i = 0; i < 2; i++) {
        struct sb_request *const shard = ask_of("save", parts[i], sample);

        put(shard, "shard", i ? "2/2" : "1/2");
        sb_result_free(answer(shard));
        put(merge, "part", parts[i]);
    }
    put(merge, "output", whole);
    sb_result_free(answer(merge));
    struct sb_result *const resumed = answer(ask_of("save", whole, ""));

    assert_string_equal(sb_get(resumed, "reports.0.sentence"), sb_get(once, "reports.0.sentence"));
    assert_string_equal(sb_get(resumed, "reports.0.evidence.counts"), sb_get(once, "reports.0.evidence.counts"));
    sb_result_free(resumed);
    sb_result_free(once);
    remove(whole);
    put(half, "part", parts[0]);
    put(half, "output", whole);
    sb_result_free(answer(half));
    remove(whole);

    struct sb_request *const twice = ask("merge", "");

    put(twice, "part", parts[0]);
    put(twice, "part", parts[0]);
    put(twice, "output", whole);
    check_refused(twice, SB_INVALID, "");
    for (size_t i = 0; i < 2; i++)
        remove(parts[i]);
}

/* Three parts or more in a row are named by the first and the last. */
TEST(missing_parts_are_named)
{
    static const struct {
        const char *given, *line;
    } cases[] = {
        { "1 2 3 5", "part 4 of 5 is missing" },    { "1 4 5", "parts 2 and 3 of 5 are missing" },
        { "1 5", "parts 2 to 4 of 5 are missing" }, { "2 5", "parts 1, 3 and 4 of 5 are missing" },
        { "5", "parts 1 to 4 of 5 are missing" },
    };
    const char *const path = scratch_name("part");
    char name[128], shard[16];

    for (unsigned k = 1; k <= 5; k++) {
        snprintf(name, sizeof name, "%s%u", path, k);
        snprintf(shard, sizeof shard, "%u/5", k);
        struct sb_request *const part = ask_of("save", name, "scheme=naive n=4 samples=200000 by=sample");

        put(part, "shard", shard);
        sb_result_free(answer(part));
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_request *const merge = ask("merge", "");

        for (const char *k = cases[i].given; *k; k++)
            if (*k != ' ') {
                snprintf(name, sizeof name, "%s%c", path, *k);
                put(merge, "part", name);
            }
        put(merge, "output", path);
        check_refused(merge, SB_INVALID, cases[i].line);
    }
    for (unsigned k = 1; k <= 5; k++) {
        snprintf(name, sizeof name, "%s%u", path, k);
        remove(name);
    }
}
