/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/core.h"
#include "fuzz/fuzz.h"
#include "report/result.h"
#include "statistic/statistic.h"
#include "store/fields.h"
#include "store/store.h"
#include "study/results.h"
#include "subject/subject.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- evidence ---- */

/*
 * Saved evidence of reports, shards, gates and watches, behind a checksum that the target computes. Evidence
 * that is accepted, and whose counts fit this version's tallies, is written from these tallies again: this
 * says the same, can be read, and is then written to the same bytes. The input is a file without its checksum.
 */
enum { EVIDENCE_ITEMS = 20 }; /* larger decks are only read, because their tallies take much time */

/* Replaces the brace at the end by the checksum of all bytes before it. NULL without a brace. */
static const char *evidence_file(const char *name, const char *text, size_t size)
{
    if (size == 0)
        return NULL;
    size--;
    char *const file = malloc(size + 64);

    if (!file)
        abort();
    memcpy(file, text, size);
    const int end =
        snprintf(file + size, 64, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", sb_hash_add(SB_HASH_EMPTY, file, size));
    const char *const path = scratch_write(name, file, size + (size_t)end);

    free(file);
    return path;
}

/* Returns the size without the bytes after the last brace. */
static size_t evidence_size(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] != '}')
        size--;
    return size;
}

/* Makes tallies with the counts of a snapshot. False if they do not fit; then there is nothing to close. */
static bool evidence_tallies(const struct sb_snapshot *snapshot, size_t deal, bool increments, bool rounds,
                             struct sb_tallies *tallies)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    unsigned what = increments ? SB_TALLIES_INCREMENTS : 0;
    bool fits = false;
    size_t count;

    if (!type)
        abort();
    for (size_t i = 0; i < snapshot->counts_count; i++)
        what |= snapshot->counts[i].dependence ? SB_TALLIES_LAGS : 0;
    if (snapshot->watched)
        what |= rounds ? SB_TALLIES_REPEATS_PART : SB_TALLIES_REPEATS;
    if (snapshot->bet && snapshot->n >= SB_BETTOR_LEAST && snapshot->n <= SB_BETTOR_MOST)
        what |= rounds ? SB_TALLIES_BETTOR_ROUNDS : SB_TALLIES_BETTOR;
    if (snapshot->outliers.present)
        what |= SB_TALLIES_OUTLIERS;
    if (deal < snapshot->n)
        what &= ~(unsigned)(SB_TALLIES_INCREMENTS | SB_TALLIES_LAGS | SB_TALLIES_BETTOR | SB_TALLIES_BETTOR_ROUNDS);
    if (snapshot->n <= EVIDENCE_ITEMS && !sb_snapshot_types(snapshot, type, &count) && count > 0) {
        const enum sb_status status = sb_tallies_open(NULL, snapshot->n, deal, type, count, what, NULL, tallies);

        fits = status == SB_OK && sb_snapshot_resume(snapshot, tallies);
        if (!fits)
            sb_tallies_close(tallies);
    }
    free(type);
    return fits;
}

/* Returns the text of the JSON object of a record, without a checksum. The caller frees the text. */
static char *json_record(const struct sb_saved *saved)
{
    char *text = NULL;
    size_t size = 0;
    struct sb_json json = { .stream = open_memstream(&text, &size) };

    if (!json.stream)
        abort();
    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.evidence/1");
    sb_store_write(&json, sb_saved_fields, saved);
    sb_json_close(&json);
    if (fclose(json.stream))
        abort();
    return text;
}

/* Makes the text of a record after it was read; NULL if its counts do not fit. */
static char *evidence_copy(const char *path)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_saved *saved;
    struct sb_tallies tallies;
    char *text = NULL;

    if (sb_saved_new(path, SB_REPORT | SB_GATE | SB_WATCH, false, NULL, &error, &saved)) {
        fuzz_check(error.status == SB_IO && error.text[0], "a fault has a line");
        return NULL;
    }
    if (saved->asked.of == SB_REPORT) {
        text = json_record(saved);
    } else if (saved->starts == 0 && evidence_tallies(&saved->snapshot, saved->deal, saved->asked.increments,
                                                      saved->asked.of == SB_WATCH, &tallies)) {
        if (sb_snapshot_take(&tallies, saved->snapshot.total, &saved->snapshot))
            abort();
        text = json_record(saved);
        sb_tallies_close(&tallies);
    }
    sb_saved_free(saved);
    return text;
}

static void evidence_compare(const char *was, size_t size, const char *is)
{
    /* that of laws that would have to be computed; an optional member, which is 0 where it is missing */
    static const char *const ignored[] = { "catalogue", "zeros", NULL };
    json_t *const one = json_loadb(was, size, JSON_REJECT_DUPLICATES, NULL);
    json_t *const other = json_loads(is, JSON_REJECT_DUPLICATES, NULL);
    const char *const path = evidence_file("again", is, evidence_size(is, strlen(is)));
    char *const again = path ? evidence_copy(path) : NULL;

    fuzz_check(one && other, "evidence is JSON");
    json_object_del(one, "options"); /* whose numbers may be written otherwise */
    json_object_del(other, "options");
    fuzz_check(json_same(one, other, ignored), "evidence that is written again says the same");
    fuzz_check(again && strcmp(again, is) == 0, "evidence that was written is written to the same bytes");
    free(again);
    json_decref(one);
    json_decref(other);
}

static void part_evidence(struct fuzz *fuzz)
{
    const char *const text = (const char *)fuzz->data;
    const size_t size = evidence_size(text, fuzz->size);
    const char *const path = evidence_file("evidence", text, size);
    char *const copy = path ? evidence_copy(path) : NULL;

    if (copy)
        evidence_compare(text, size, copy);
    free(copy);
}

/* ---- ledger ---- */

/* Ledgers: a ledger that is read and written again says the same, and is then written to the same bytes. */
/* Reads the ledger at `path` and writes it to the file `name`, whose bytes the caller frees. NULL if the
 * ledger is refused. */
static char *ledger_copy(const char *path, const char *name, size_t *size)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_ledger *ledger;
    const enum sb_status status = sb_ledger_read(path, &error, &ledger);

    fuzz_check(status == error.status && (status == SB_OK || status == SB_IO), "a fault has a line");
    if (status)
        return NULL;
    path = scratch_path(name);
    fuzz_check(sb_ledger_write(path, ledger, &error) == SB_OK, "a ledger can be written");
    sb_ledger_free(ledger);
    return scratch_read(path, size);
}

static void part_ledger(struct fuzz *fuzz)
{
    static const char *const none[] = { NULL };
    const char *const path = scratch_write("ledger", fuzz->data, fuzz->size);
    size_t first_size, second_size;
    char *const first = ledger_copy(path, "first", &first_size);

    if (!first)
        return;
    char *const second = ledger_copy(scratch_path("first"), "second", &second_size);
    json_t *const was = json_loadb((const char *)fuzz->data, fuzz->size, JSON_REJECT_DUPLICATES, NULL);
    json_t *const is = json_loadb(first, first_size, JSON_REJECT_DUPLICATES, NULL);
    const char *const schema = json_string_value(json_object_get(was, "schema"));

    fuzz_check(second && first_size == second_size && memcmp(first, second, first_size) == 0,
               "a ledger that was written is written to the same bytes");
    fuzz_check(was && is && schema, "a ledger is JSON");
    if (strcmp(schema, "shufflebias.ledger/3") == 0)
        fuzz_check(json_same(was, is, none), "a ledger that is written again says the same");
    json_decref(was);
    json_decref(is);
    free(first);
    free(second);
}

/* ---- matrix ---- */

/* Matrices that another program recorded: each column has the total, and the matrix reads the same with
 * other titles and separators. */
static void matrix_check_sums(const struct sb_matrix_file *matrix)
{
    fuzz_check(matrix->deal >= 1 && matrix->deal <= matrix->n, "there are no more positions than items");
    for (size_t position = 0; position < matrix->deal; position++) {
        uint64_t left = matrix->total;

        for (size_t item = 0; item < matrix->n; item++) {
            fuzz_check(matrix->count[item * matrix->deal + position] <= left, "no count is above the total");
            left -= matrix->count[item * matrix->deal + position];
        }
        fuzz_check(left == 0, "each column has the total");
    }
}

/* Writes the matrix with a title for each row and column, and returns the path. */
static const char *matrix_write(const struct sb_matrix_file *matrix, char separator)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    if (!stream)
        abort();
    fputs("item", stream);
    for (size_t position = 0; position < matrix->deal; position++)
        fprintf(stream, "%cp%zu", separator, position);
    for (size_t item = 0; item < matrix->n; item++) {
        fprintf(stream, "\ni%zu", item);
        for (size_t position = 0; position < matrix->deal; position++)
            fprintf(stream, "%c%" PRIu64, separator, matrix->count[item * matrix->deal + position]);
    }
    fclose(stream);
    const char *const path = scratch_write("again", text, size);

    free(text);
    return path;
}

static void part_matrix(struct fuzz *fuzz)
{
    const size_t deal = fuzz_byte(fuzz) % 8;
    const char separator = ",;\t "[fuzz_byte(fuzz) % 4];
    struct sb_error error = { .status = SB_OK };
    struct sb_matrix_file matrix, again;
    const enum sb_status status =
        sb_matrix_file_read(scratch_write("matrix", fuzz->data, fuzz->size), deal, NULL, &error, &matrix);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.status == status), "a fault has a line");
    if (status)
        return;
    matrix_check_sums(&matrix);
    fuzz_check(sb_matrix_file_read(matrix_write(&matrix, separator), deal, NULL, &error, &again) == SB_OK,
               "a matrix with titles can be read");
    fuzz_check(again.n == matrix.n && again.deal == matrix.deal && again.total == matrix.total &&
                   memcmp(again.count, matrix.count, matrix.n * matrix.deal * sizeof matrix.count[0]) == 0,
               "titles and separators change no count");
    sb_matrix_file_close(&matrix);
    sb_matrix_file_close(&again);
}

/* ---- budget ---- */

/*
 * Gates that share a ledger, some of which save their evidence, and some of which are killed. A model says which run
 * and share each has, which runs repeat an earlier one, and which permutations of the scheme count.
 */
enum {
    BUDGET_RUNS = 8,
    BUDGET_LIMIT = 100, /* the most permutations of a run that count */
    BUDGET_N = 4,
    BUDGET_ORDERS = 24,
    BUDGET_OPENING = 64, /* permutations by which a later run is recognised */
    BUDGET_SEEDS = 4,
};

static const char *const schemes[] = { "fisher-yates/ideal/taus", "naive/ideal/taus" };   /* taus deals one at a time */
static const char *const files[][2] = { { NULL, NULL }, { "a0", "a1" }, { "b0", "b1" } }; /* for each scheme */

/* A file of evidence. */
struct entry {
    size_t file, scheme;
    uint64_t share, total;
    bool open;                     /* its last run was killed */
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
    size_t file, scheme;
    uint64_t seed, limit;
    bool killed, all; /* `all`: also the bettor, lags and the catalogue, which take most of the time */
    /* the ledger and the evidence when the gate had claimed its share; owned */
    char *ledger, *evidence;
    size_t ledger_size, evidence_size;
};

static const char *budget_name(const struct run *run)
{
    return files[run->file][run->scheme];
}

/* The evidence of the run's file, which the run may have to begin anew; NULL if there is none. */
static struct entry *budget_find(struct model *model, const struct run *run)
{
    for (size_t i = 0; i < model->entries; i++) {
        struct entry *const entry = &model->entry[i];

        if (entry->file == run->file && entry->scheme == run->scheme)
            return entry;
    }
    return NULL;
}

/* Keeps the files that a killed run would leave behind. */
static void budget_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct run *const run = state;

    if (!run->ledger)
        run->ledger = scratch_read(scratch_path("ledger"), &run->ledger_size);
    if (!run->evidence && budget_name(run))
        run->evidence = scratch_read(scratch_path(budget_name(run)), &run->evidence_size);
}

/* Copies the next deck of the dealer. */
static int budget_deal(void *items, size_t n, size_t size, void *dealer)
{
    const struct sb_feed *const feed = dealer;

    if (sb_feed_next(dealer, 1, NULL))
        return 1;
    for (size_t i = 0; i < n; i++)
        ((uint16_t *)items)[i] = (uint16_t)feed->items[i];
    return 0;
}

static struct sb_feed *budget_dealer(const struct run *run)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *dealer = NULL;
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.n = BUDGET_N;
    options.seed = 1 + run->seed;
    fuzz_check(sb_scheme_feed(schemes[run->scheme], &options, &error, &dealer) == SB_OK, "a scheme deals");
    return dealer;
}

static enum sb_status budget_gate(struct run *run, struct sb_gate **gate)
{
    struct sb_feed *const dealer = budget_dealer(run);
    const struct sb_subject subject = { .shuffle = budget_deal, .state = dealer, .name = "deal", .n = BUDGET_N };
    struct sb_error error = { .status = SB_OK };
    char limit[24];
    struct sb_wrong wrong;
    struct sb_request options;

    sb_request_init(&options, SB_GATE);
    options.alpha = 0.05;
    options.delta = 0.01;
    options.exclude = 0.3;
    options.tolerate = run->all ? 0 : 0.01;
    snprintf(limit, sizeof limit, "%" PRIu64, run->limit);
    fuzz_check(sb_request_set(&options, sb_option_find(SB_GATE, "limit"), limit, &wrong), "a limit is a number");
    options.ledger = scratch_path("ledger");
    options.save = budget_name(run) ? scratch_path(budget_name(run)) : NULL;
    options.progress = budget_progress;
    options.progress_state = run;
    const enum sb_status status = sb_gate_new(&subject, &options, &error, gate);

    sb_feed_free(dealer);
    return status;
}

/* Counts the orders that the scheme deals after the first `skip`. */
static void budget_count(const struct run *run, uint64_t skip, uint64_t total, uint64_t count[BUDGET_ORDERS])
{
    struct sb_feed *const dealer = budget_dealer(run);

    for (uint64_t i = 0; i < skip + total; i++) {
        size_t rank = 0;

        fuzz_check(sb_feed_next(dealer, 1, NULL) == SB_OK, "a scheme deals on");
        const sb_item *const items = dealer->items;

        for (size_t j = 0; j < BUDGET_N; j++) { /* the rank by Lehmer's code */
            size_t less = 0;

            for (size_t k = j + 1; k < BUDGET_N; k++)
                less += items[k] < items[j];
            rank = rank * (BUDGET_N - j) + less;
        }
        if (i >= skip)
            count[rank]++;
    }
    sb_feed_free(dealer);
}

/* Whether the file has these counts and this share. */
static bool budget_holds(const struct entry *model)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_saved *saved;
    bool holds = false;

    fuzz_check(sb_saved_new(scratch_path(files[model->file][model->scheme]), SB_GATE, false, NULL, &error, &saved) ==
                   SB_OK,
               "the evidence is valid");
    for (size_t k = 0; k < saved->snapshot.counts_count; k++) {
        const struct sb_counts *const counts = &saved->snapshot.counts[k];

        if (strcmp(counts->statistic, "rank") == 0 && !counts->lag)
            holds = counts->cells == BUDGET_ORDERS && memcmp(counts->count, model->count, sizeof model->count) == 0;
    }
    holds = holds && saved->share == model->share && saved->snapshot.total == model->total;
    sb_saved_free(saved);
    return holds;
}

static void budget_check_files(const struct model *model)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_ledger *ledger = NULL;

    fuzz_check(sb_ledger_read(scratch_path("ledger"), &error, &ledger) == SB_OK && ledger, "the ledger is valid");
    fuzz_check(ledger->runs == model->runs && ledger->shares == model->shares, "the ledger counts the runs");
    for (size_t i = 0; i < model->entries; i++)
        fuzz_check(model->entry[i].open || budget_holds(&model->entry[i]), "a file has the counts of its runs");
    sb_ledger_free(ledger);
}

/* What the run must report. */
static void budget_check_gate(const struct run *run, const struct entry *entry, uint64_t before, uint64_t run_number,
                              uint64_t share, const struct sb_gate *gate)
{
    const uint64_t added = gate->total - before;

    fuzz_check(gate->budget.run == run_number && gate->budget.share == share, "a run has its number and its share");
    fuzz_check(fabs(gate->terms.alpha * (double)(share * (share + 1)) / 0.05 - 1) < 1e-14 &&
                   fabs(gate->terms.delta * (double)(share * (share + 1)) / 0.01 - 1) < 1e-14,
               "share k has alpha/(k(k+1))");
    fuzz_check(gate->total > before && added <= run->limit, "a run reaches its limit");
    fuzz_check(added == run->limit || gate->verdict == SB_VERDICT_FAIL || (!entry && gate->verdict == SB_VERDICT_PASS),
               "only a verdict ends a run");
}

static void budget_run(struct model *model, struct run *run)
{
    struct entry *entry = budget_name(run) ? budget_find(model, run) : NULL;
    const bool goes_on = entry && !entry->open;
    const uint64_t before = goes_on ? entry->total : 0, skip = before ? BUDGET_OPENING : 0;
    const bool repeats = skip && entry->seen[run->seed];
    uint64_t total = 0;
    struct sb_gate *gate = NULL;
    const enum sb_status status = budget_gate(run, &gate);

    fuzz_check(status == (repeats ? SB_SUBJECT : SB_OK), "a run is refused if it repeats another");
    model->runs++;
    model->shares += !goes_on;
    if (budget_name(run) && !goes_on) {
        entry = entry ? entry : &model->entry[model->entries++];
        *entry = (struct entry) { .file = run->file, .scheme = run->scheme, .share = model->shares };
    }
    if (gate) {
        budget_check_gate(run, entry, before, model->runs, entry ? entry->share : model->shares, gate);
        total = gate->total;
        sb_gate_free(gate);
    }
    if (run->killed && run->ledger) {
        scratch_write("ledger", run->ledger, run->ledger_size);
        if (entry) {
            scratch_write(budget_name(run), run->evidence, run->evidence_size);
            entry->open = true;
        }
    } else if (entry && status == SB_OK) {
        budget_count(run, skip, total - before, entry->count);
        entry->total = total;
        entry->seen[run->seed] = entry->seen[run->seed] || skip + total - before >= BUDGET_OPENING;
    }
}

static void part_budget(struct fuzz *fuzz)
{
    static struct model model;
    const bool all = fuzz_byte(fuzz) > 240;

    model = (struct model) { .runs = 0 };
    scratch_clear();
    for (size_t i = 0; i < BUDGET_RUNS && fuzz->size; i++) {
        const unsigned how = fuzz_byte(fuzz);
        struct run run = {
            .file = how % 3,
            .scheme = how / 3 % 2,
            .seed = how / 6 % BUDGET_SEEDS, /* 0 and 1 are the same seed of taus, so 1 is added */
            .killed = how >= 192,
            .all = all,
            .limit = 1 + fuzz_byte(fuzz) % BUDGET_LIMIT,
        };

        budget_run(&model, &run);
        budget_check_files(&model);
        free(run.ledger);
        free(run.evidence);
    }
}

FUZZ_TARGET(part_evidence, part_ledger, part_matrix, part_budget)
