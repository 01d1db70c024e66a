/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All runs of a ledger together fail with a probability of at most alpha if the shuffle is fair, however many
 * there are. They pass with a probability of at most delta if the shuffle has the excluded bias. Each ledger is a
 * file in a folder of its own.
 */
#include "gate/gate.h"
#include "promise/promise.h"
#include "study/results.h"

#include <unistd.h>

struct ledger_setting {
    size_t n;
    unsigned runs, keys; /* keys: files of evidence, each of `runs` runs; 0: no files, and `runs` runs */
    uint64_t limit;
    double alpha, exclude;
    bool biased;
};

/* A run on the ledger; whether it has the verdict that must be rare. */
static bool run(const struct promise_case *one, const char *ledger, unsigned key, struct promise_random *random)
{
    const struct ledger_setting *const set = one->about;
    const struct sb_subject subject = {
        .name = "mine",
        .shuffle = set->biased ? promise_biased : promise_fair,
        .state = random,
        .n = set->n,
    };
    struct sb_request options;
    struct sb_error error;
    struct sb_gate *gate;
    char name[96];

    snprintf(name, sizeof name, "%s.%u", ledger, key);
    sb_request_init(&options, SB_GATE);
    options.ledger = ledger;
    options.save = key ? name : NULL;
    options.alpha = set->alpha;
    options.delta = 0.2;
    options.exclude = set->exclude;
    options.limit = set->limit;
    promise_check(sb_gate_new(&subject, &options, &error, &gate), one, &error);
    const bool wrong = gate->verdict == (set->biased ? SB_VERDICT_PASS : SB_VERDICT_FAIL);

    sb_gate_free(gate);
    return wrong;
}

static void remove_all(const char *folder, const char *ledger)
{
    static const char *const ends[] = { "", ".lock", ".1", ".2" };
    char path[128];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", ledger, ends[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void ledger_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    const struct ledger_setting *const set = one->about;
    struct promise_random random = promise_seed(7, index);
    char folder[64], ledger[80];

    promise_folder(folder);
    snprintf(ledger, sizeof ledger, "%s/l.json", folder);
    outcome[0] = 0;
    /* the files take turns */
    for (unsigned i = 0; i < set->runs && outcome[0] < 1; i++)
        for (unsigned key = 1; key <= (set->keys ? set->keys : 1) && outcome[0] < 1; key++)
            outcome[0] = run(one, ledger, set->keys ? key : 0, &random);
    remove_all(folder, ledger);
}

#define FAILS .line = { { .promise = "any run of a fair shuffle fails", .allowed = 0.2 } }, .trial = ledger_trial
#define PASSES .line = { { .promise = "any run with this bias passes", .allowed = 0.2 } }, .trial = ledger_trial

static const struct promise_case cases[] = {
    { "ledger", "8 runs of 3 items, 100 permutations each", 5000, 10, FAILS,
      .about = &(const struct ledger_setting) { .n = 3, .runs = 8, .limit = 100, .alpha = 0.2, .exclude = 0.001 } },
    { "ledger-keys", "2 files of evidence with 4 runs each, 3 items, 150 permutations each", 3000, 10, FAILS,
      .about = &(
          const struct ledger_setting) { .n = 3, .runs = 4, .keys = 2, .limit = 150, .alpha = 0.2, .exclude = 0.001 } },
    { "ledger-decks", "a file of evidence with 4 runs of 12 items, 100 permutations each", 1000, 0, FAILS,
      .about =
          &(const struct ledger_setting) {
              .n = 12, .runs = 4, .keys = 1, .limit = 100, .alpha = 0.2, .exclude = 0.001 } },
    { "ledger-biased", "4 runs of 3 items, even orders up by 0.3, 300 permutations each", 1000, 0, PASSES,
      .about =
          &(const struct ledger_setting) {
              .n = 3, .runs = 4, .limit = 300, .alpha = 1e-100, .exclude = 0.3, .biased = true } },
};

const struct promise_part promise_ledgers = { .title = "Ledgers",
                                              .count = sizeof cases / sizeof cases[0],
                                              .cases = cases };
