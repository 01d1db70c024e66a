/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on schemes, exact, sampled and by seeds, and on decks that the bytes choose: each format can be written;
 * shares and fractions add up, intervals contain what they are about, and p-values have the ln p beside them; one
 * thread and three, and two shards that are merged, say the same.
 */
#include "fuzz/entry_name.h"
#include "fuzz/fuzz.h"
#include "fuzz/report_rules.h"
#include "fuzz/scratch.h"
#include "fuzz/series.h"

#include "core/calls.h"

#include <string.h>

/* Exact laws of up to REPORT_EXACT items are quick, and so are exact matrices of REPORT_MATRIX items or more, which
 * have no other law. */
enum { REPORT_SAMPLES = 3000, REPORT_SEEDS = 2000, REPORT_NAMES = 128, REPORT_EXACT = 6, REPORT_MATRIX = 14 };

/* ---- the request ---- */

/* Takes the options, of a size that a fuzzer can run many times in a second. */
static void report_options(struct fuzz *fuzz, char names[REPORT_NAMES], struct sb_request *options)
{
    static const char *const cards[] = { NULL, NULL, NULL, "A A B", "A A B B", "A B C", "x y z u v w x y" };
    static const double alphas[] = { 0.001, 0.05, 0.5, 0.999, 1e-12, 1e-100 };
    const unsigned how = fuzz_byte(fuzz), items = fuzz_byte(fuzz);

    sb_request_init(options, SB_REPORT);
    options->by = how % 8;
    options->increments = how & 8;
    options->counts = how & 16;
    if (how & 32) {
        entry_name(fuzz, "statistic", names, REPORT_NAMES);
        options->statistics = names;
    }
    options->cards = how & 64 ? cards[fuzz_byte(fuzz) % (sizeof cards / sizeof cards[0])] : NULL;
    options->title = how & 128 ? "<&>\"'" : NULL;
    options->alpha = alphas[fuzz_byte(fuzz) % (sizeof alphas / sizeof alphas[0])];
    options->threads = 1;
    options->n = items < 224 ? items % 10 : items < 254 ? 14 + items % 15 : 52;
    if (options->n > REPORT_EXACT && options->n < REPORT_MATRIX)
        options->by &= ~(unsigned)SB_BY_EXACT;
    if (options->by == 0 || options->cards)
        options->by |= SB_BY_SAMPLE; /* otherwise the library asks how long the exact law takes */
    options->deal = options->n && !options->cards ? fuzz_byte(fuzz) % (options->n + 1) : 0;
    options->samples = 1 + fuzz_number(fuzz, 2) % REPORT_SAMPLES;
    options->seed = fuzz_number(fuzz, 2);
    options->seed_range.first = fuzz_number(fuzz, 3);
    options->seed_range.count = 1 + fuzz_number(fuzz, 2) % REPORT_SEEDS;
}

/* ---- the ways to the same report ---- */

/* Makes the report of a scheme; NULL if the options do not go together. */
static char *report_of(const char *scheme, const struct sb_request *options, unsigned other)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports;
    const enum sb_status status = sb_reports_new(&scheme, 1, options, &error, &reports);

    if (status) {
        fuzz_check((status == SB_INVALID || status == SB_TOO_LARGE) && error.text[0],
                   "a report is made, or says why not");
        return NULL;
    }
    char *const text = report_check(reports, other);

    sb_reports_free(reports);
    return text;
}

/* Makes the report of a saved sample. */
static char *report_saved(const char *path, unsigned other)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_request options;
    struct sb_reports *reports = NULL;
    struct sb_saved *saved;

    sb_request_init(&options, SB_REPORT);
    fuzz_check(sb_saved_new(path, &error, &saved) == SB_OK, "a saved sample can be read");
    sb_saved_options(saved, &options);
    fuzz_check(sb_reports_saved(saved, &options, &error, &reports) == SB_OK,
               "a saved sample can be reported on");
    char *const text = report_check(reports, other);

    sb_reports_free(reports);
    sb_saved_free(saved);
    return text;
}

/* Splits the sample into two shards and merges them. */
static void report_shards(const char *scheme, const struct sb_request *run, unsigned other)
{
    const char *const path[] = { scratch_path("1"), scratch_path("2"), scratch_path("all"),
                                 scratch_path("one") };
    struct sb_request options = *run, merging;
    struct sb_error error = { .status = SB_OK };
    size_t size, other_size;

    scratch_clear();
    options.by = SB_BY_SAMPLE;
    options.save = path[3];
    char *const whole = report_of(scheme, &options, other);

    if (!whole)
        return;
    options.shard.of = 2;
    for (options.shard.number = 1; options.shard.number <= 2; options.shard.number++) {
        options.save = path[options.shard.number - 1];
        char *const part = report_of(scheme, &options, other);

        free(part);
        if (!part) { /* not each generator can begin anywhere */
            free(whole);
            return;
        }
    }
    sb_request_init(&merging, SB_REPORT);
    merging.save = path[2];
    fuzz_check(sb_saved_merge(path, 2, false, &merging, &error) == SB_OK, "shards can be merged");
    char *const one = scratch_read(path[3], &size), *const merged = scratch_read(path[2], &other_size);
    char *const read = report_saved(path[2], other);

    fuzz_check(one && merged && size == other_size && memcmp(one, merged, size) == 0,
               "shards add up to the whole sample");
    free(read);
    free(one);
    free(merged);
    free(whole);
}

/* Makes the report of decks that the bytes choose. */
static void report_observed(struct fuzz *fuzz, const struct sb_request *options)
{
    struct series series = { .from_last = fuzz_byte(fuzz) % 2 };
    struct sb_subject subject = { .shuffle = series_deal, .state = &series };
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports;

    subject.cards = options->cards;
    subject.n = options->cards ? 0 : 2 + options->n % 8;
    subject.deal = options->cards || options->deal > subject.n ? 0 : options->deal;
    subject.chained = fuzz_byte(fuzz) % 2;
    series_take(fuzz, &series);
    if (sb_reports_observe(&subject, options, &error, &reports) == SB_OK) {
        free(report_check(reports, fuzz_byte(fuzz)));
        sb_reports_free(reports);
    } else {
        fuzz_check(error.text[0], "an error has a line");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz) % 8;
    char names[REPORT_NAMES] = "", scheme[REPORT_NAMES] = "";
    struct sb_request options;

    if (how > 0)
        entry_scheme(&fuzz, scheme, sizeof scheme);
    report_options(&fuzz, names, &options);
    if (how == 0) {
        report_observed(&fuzz, &options);
        return 0;
    }
    const unsigned other = fuzz_byte(&fuzz);

    if (how == 1) {
        report_shards(scheme, &options, other);
        return 0;
    }
    char *const one = report_of(scheme, &options, other);

    if (how == 2) {
        options.threads = 3;
        char *const many = report_of(scheme, &options, other);

        fuzz_check(!one == !many && (!one || strcmp(one, many) == 0), "threads do not change a report");
        free(many);
    }
    free(one);
    return 0;
}
