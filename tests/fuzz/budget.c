/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates that share a ledger, with and without keys, some of them killed. A model says which run and share each has, which runs
 * repeat an earlier one, and which permutations of the scheme count.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"
#include "store/ledger.h"

#include <math.h>
#include <string.h>

enum {
    BUDGET_RUNS = 8,
    BUDGET_LIMIT = 100, /* the most permutations of a run that count */
    BUDGET_N = 4,
    BUDGET_ORDERS = 24,
    BUDGET_OPENING = 64, /* permutations by which a later run of a key is recognised */
    BUDGET_SEEDS = 4,
};

static const char *const schemes[] = { "fisher-yates/ideal/taus",
                                       "naive/ideal/taus" }; /* taus deals one at a time */
static const char *const keys[] = { NULL, "a", "b" };

/* The evidence of a key and a subject. */
struct entry {
    size_t key, scheme;
    uint64_t share, total;
    bool open;                     /* a run was killed */
    bool seen[BUDGET_SEEDS];       /* whether a run with this seed read the permutations that recognise it */
    uint64_t count[BUDGET_ORDERS]; /* how often each order counted */
};

struct model {
    uint64_t runs, shares;
    size_t entries;
    struct entry entry[BUDGET_RUNS];
};

/* One run of the gate. */
struct run {
    size_t key, scheme;
    uint64_t seed, limit;
    bool killed, all; /* `all`: also the bettor, lags and the catalogue, which take most of the time */
    char *ledger;     /* the file when the gate had claimed its share; owned */
    size_t ledger_size;
};

/* The entry that the run continues; NULL if there is none. */
static struct entry *budget_find(struct model *model, const struct run *run)
{
    for (size_t i = 0; i < model->entries; i++) {
        struct entry *const entry = &model->entry[i];

        if (!entry->open && entry->key == run->key && entry->scheme == run->scheme)
            return entry;
    }
    return NULL;
}

/* Keeps the file that a killed run would leave behind. */
static void budget_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct run *const run = state;

    if (!run->ledger)
        run->ledger = scratch_read(scratch_path("ledger"), &run->ledger_size);
}

static enum sb_status budget_gate(struct run *run, struct sb_gate **gate)
{
    const struct sb_subject subject = { .scheme = schemes[run->scheme],
                                        .n = BUDGET_N,
                                        .seed = 1 + run->seed };
    struct sb_error error = { .status = SB_OK };
    struct sb_request options;

    sb_request_init(&options, SB_GATE);
    options.alpha = 0.05;
    options.delta = 0.01;
    options.exclude = 0.3;
    options.tolerate = run->all ? 0 : 0.01;
    options.limit = run->limit;
    options.ledger = scratch_path("ledger");
    options.key = keys[run->key];
    options.progress = budget_progress;
    options.progress_state = run;
    return sb_gate_new(&subject, &options, &error, gate);
}

/* Counts the orders that the scheme deals after the first `skip`. */
static void budget_count(const struct run *run, uint64_t skip, uint64_t total, uint64_t count[BUDGET_ORDERS])
{
    struct sb_error error = { .status = SB_OK };
    struct sb_dealer *dealer = NULL;
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.n = BUDGET_N;
    options.seed = 1 + run->seed;
    fuzz_check(sb_dealer_new(schemes[run->scheme], &options, &error, &dealer) == SB_OK, "a scheme deals");
    for (uint64_t i = 0; i < skip + total; i++) {
        const uint32_t *items;
        size_t rank = 0;

        fuzz_check(sb_dealer_next(dealer, &items) == SB_OK, "a scheme deals on");
        for (size_t j = 0; j < BUDGET_N; j++) { /* the rank by Lehmer's code */
            size_t less = 0;

            for (size_t k = j + 1; k < BUDGET_N; k++)
                less += items[k] < items[j];
            rank = rank * (BUDGET_N - j) + less;
        }
        if (i >= skip)
            count[rank]++;
    }
    sb_dealer_free(dealer);
}

/* Whether the ledger has these counts for the share. */
static bool budget_holds(const struct sb_ledger *ledger, const struct entry *model)
{
    for (size_t i = 0; i < ledger->entries_count; i++) {
        const struct sb_ledger_entry *const entry = ledger->entry[i];

        if (entry->share != model->share)
            continue;
        if (entry->open != model->open || entry->snapshot.total != model->total)
            return false;
        for (size_t k = 0; k < entry->snapshot.counts_count; k++) {
            const struct sb_counts *const counts = &entry->snapshot.counts[k];

            if (strcmp(counts->statistic, "rank") == 0 && !counts->lag)
                return counts->cells == BUDGET_ORDERS &&
                       memcmp(counts->count, model->count, sizeof model->count) == 0;
        }
        return model->total == 0;
    }
    return false;
}

static void budget_check_file(const struct model *model)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_ledger *ledger = NULL;

    fuzz_check(sb_ledger_read(scratch_path("ledger"), &error, &ledger) == SB_OK && ledger,
               "the ledger is valid");
    fuzz_check(ledger->runs == model->runs && ledger->shares == model->shares, "the ledger counts the runs");
    for (size_t i = 0; i < model->entries; i++)
        fuzz_check(budget_holds(ledger, &model->entry[i]), "a key has the counts of its runs");
    sb_ledger_free(ledger);
}

/* What the run must report. */
static void budget_check_gate(const struct run *run, const struct entry *entry, uint64_t before,
                              uint64_t run_number, uint64_t share, const struct sb_gate *gate)
{
    struct sb_gate_summary summary = { .total = 0 };

    sb_gate_summary_get(gate, &summary);
    fuzz_check(summary.run == run_number && summary.share == share, "a run has its number and its share");
    fuzz_check(fabs(summary.alpha * (double)(share * (share + 1)) / 0.05 - 1) < 1e-14 &&
                   fabs(summary.delta * (double)(share * (share + 1)) / 0.01 - 1) < 1e-14,
               "share k has alpha/(k(k+1))");
    fuzz_check(summary.total > before && summary.total - before <= run->limit, "a run reaches its limit");
    fuzz_check(summary.total - before == run->limit || strcmp(summary.verdict, "fail") == 0 ||
                   (!entry && strcmp(summary.verdict, "pass") == 0),
               "only a verdict ends a run");
}

static void budget_run(struct model *model, struct run *run)
{
    const bool keyed = keys[run->key] != NULL;
    struct entry *entry = keyed ? budget_find(model, run) : NULL;
    const uint64_t before = entry ? entry->total : 0, skip = before ? BUDGET_OPENING : 0;
    const bool repeats = skip && entry->seen[run->seed];
    struct sb_gate_summary summary = { .total = 0 };
    struct sb_gate *gate = NULL;
    const enum sb_status status = budget_gate(run, &gate);

    fuzz_check(status == (repeats ? SB_SUBJECT : SB_OK), "a run is refused if it repeats another");
    model->runs++;
    model->shares += !entry;
    if (keyed && !entry) {
        entry = &model->entry[model->entries++];
        *entry = (struct entry) { .key = run->key, .scheme = run->scheme, .share = model->shares };
    }
    if (gate) {
        budget_check_gate(run, entry, before, model->runs, entry ? entry->share : model->shares, gate);
        sb_gate_summary_get(gate, &summary);
        sb_gate_free(gate);
    }
    if (run->killed && run->ledger) {
        scratch_write("ledger", run->ledger, run->ledger_size);
        if (entry)
            entry->open = true;
    } else if (entry && status == SB_OK) {
        budget_count(run, skip, summary.total - before, entry->count);
        entry->total = summary.total;
        entry->seen[run->seed] = entry->seen[run->seed] || skip + summary.total - before >= BUDGET_OPENING;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct model model;
    struct fuzz fuzz = { data, size };
    const bool all = fuzz_byte(&fuzz) > 240;

    model = (struct model) { .runs = 0 };
    scratch_clear();
    for (size_t i = 0; i < BUDGET_RUNS && fuzz.size; i++) {
        const unsigned how = fuzz_byte(&fuzz);
        struct run run = {
            .key = how % 3,
            .scheme = how / 3 % 2,
            .seed = how / 6 % BUDGET_SEEDS, /* 0 and 1 are the same seed of taus, so 1 is added */
            .killed = how >= 192,
            .all = all,
            .limit = 1 + fuzz_byte(&fuzz) % BUDGET_LIMIT,
        };

        budget_run(&model, &run);
        budget_check_file(&model);
        free(run.ledger);
    }
    return 0;
}
