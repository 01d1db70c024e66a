/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate on a C function whose evidence is saved and resumed. tests/cli/gate_save.py has commands, files and schemes. */
#include "unit/ask.h"

/* A run on a function that saves to a file, or resumes it. */
static struct sb_request *ask_of(sb_own_shuffle *shuffle, void *state, const char *how, const char *path)
{
    struct sb_request *const request = ask("gate", "limit=500 name=mine");

    put(request, how, path);
    if (shuffle)
        sb_set_shuffle(request, shuffle, state);
    return request;
}

static int stop_soon(void *request, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (done > 100)
        sb_stop(request);
    return 0;
}

TEST(a_function_adds_up_to_the_limit)
{
    const char *const path = scratch_name("gate");
    uint64_t word = 1;
    struct sb_request *const first = ask_of(fair_shuffle, &word, "save", path);

    sb_on(first, stop_soon, first);
    struct sb_result *result = answer(first);

    check_value(result, "gates.0.interrupted", "true");
    assert_true(sb_number(result, "gates.0.total") < 500);
    sb_result_free(result);
    for (int run = 0; run < 2; run++) { /* the second run has nothing to do */
        result = answer(ask_of(fair_shuffle, &word, "resume", path));
        check_value(result, "gates.0.total", "500");
        check_value(result, "verdict", "inconclusive");
        sb_result_free(result);
    }
    remove(path);
}

/* Every run begins with the same seed; the first run breaks its word after 200 permutations. */
struct breaking {
    uint64_t word;
    unsigned calls;
};

static int breaks(void *items, size_t n, size_t size, void *state)
{
    struct breaking *const breaking = state;

    fair_shuffle(items, n, size, &breaking->word);
    if (++breaking->calls > 200)
        memset(items, 0, n * size);
    return 0;
}

TEST(a_seed_counts_once)
{
    const char *const path = scratch_name("gate");
    struct breaking breaking = { .word = 1 };
    uint64_t same = 1, other = 2;

    check_refused(ask_of(breaks, &breaking, "save", path), SB_SUBJECT, "");
    check_refused(ask_of(fair_shuffle, &same, "resume", path), SB_SUBJECT, "would count twice");
    check_answer(ask_of(fair_shuffle, &other, "resume", path), "gates.0.total", "500");
    remove(path);
}

TEST(what_does_not_go_together)
{
    const char *const path = scratch_name("gate");
    uint64_t word = 1;
    struct sb_request *const one = ask_of(fair_shuffle, &word, "save", path), *const suite = ask("gate", "");
    struct sb_request *const ledger = ask_of(fair_shuffle, &word, "save", path);

    struct sb_request *const other = ask("gate", "scheme=naive name=naive");

    assert_int_equal(sb_add(suite, one), SB_OK);
    assert_int_equal(sb_add(suite, other), SB_OK);
    check_refused(suite, SB_INVALID, "the evidence of a suite is not saved");
    sb_request_free(one);
    sb_request_free(other);
    put(ledger, "ledger", "ledger.json");
    check_refused(ledger, SB_INVALID, "a ledger carries on evidence by itself");
}

/* A scheme's evidence, with steps and repeated decks, goes on as well, and names what is not as it was. */
TEST(a_scheme_adds_up_to_the_limit)
{
    static const char *const asked[] = { "scheme=fisher-yates n=3 limit=20000",
                                         "scheme=fisher-yates n=12 limit=20000 increments=1",
                                         "scheme=fisher-yates n=52 limit=2000 profile=cards" };

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const char *const path = scratch_name("gate");
        struct sb_request *const first = ask("gate", asked[i]), *const next = ask("gate", "");
        struct sb_request *const other = ask("gate", "limit=10"), *const wrong = ask("gate", "seed=7");

        put(first, "save", path);
        sb_on(first, stop_soon, first);
        struct sb_result *const result = answer(first);

        check_value(result, "gates.0.interrupted", "true");
        sb_result_free(result);
        put(other, "resume", path);
        put(wrong, "resume", path);
        put(next, "resume", path);
        check_refused(wrong, SB_INVALID, "seed");
        check_refused(other, SB_INVALID, "limit");
        check_answer(next, "gates.0.total", i < 2 ? "20000" : "2000");
        remove(path);
    }
}
