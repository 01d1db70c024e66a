/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches: a watch that is saved and resumed, as often as the bytes say, ends in the state of one that ran
 * through, with the same alarms.
 */
#include "fuzz/fuzz.h"
#include "fuzz/json_same.h"
#include "fuzz/scratch.h"

#include "core/calls.h"

#include <string.h>

enum { WATCH_RUNS = 4, WATCH_DECKS = 60 }; /* a look takes about a millisecond */

/* What the watch of one run came to. */
struct state {
    uint64_t total, alarms;
    double ln_e;
};

static struct state watch_run(const struct sb_subject *subject, struct sb_request options, uint64_t limit)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_watch_summary summary;
    struct sb_watch *watch = NULL;

    options.limit = limit;
    if (sb_watch_new(subject, &options, &error, &watch)) {
        fprintf(stderr, "%s\n", error.text);
        fuzz_check(false, "a watch runs");
    }
    sb_watch_summary_get(watch, &summary);
    const struct state state = { summary.total, summary.alarms, summary.ln_e };

    sb_watch_free(watch);
    return state;
}

/* Reads a file of evidence. */
static json_t *watch_json(const char *path)
{
    size_t size;
    char *const text = scratch_read(path, &size);
    json_t *const value = text ? json_loadb(text, size, 0, NULL) : NULL;

    fuzz_check(value, "a watch saves its evidence");
    free(text);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const schemes[] = { "fisher-yates", "naive/ideal/taus", "sattolo/ideal/taus",
                                           "fisher-yates/ideal/taus" };
    static const char *const ignored[] = { "last", "checksum", NULL };
    struct fuzz fuzz = { data, size };
    struct sb_subject subject = { .scheme = schemes[fuzz_byte(&fuzz) % 4] };
    const unsigned how = fuzz_byte(&fuzz);
    struct sb_request options;
    struct state whole, parts = { 0 };
    uint64_t left;

    subject.n = 2 + fuzz_byte(&fuzz) % 6;
    subject.deal = how & 4 ? 1 + fuzz_byte(&fuzz) % subject.n : 0;
    subject.seed = fuzz_number(&fuzz, 2);
    sb_request_init(&options, SB_WATCH);
    options.window = how & 1;
    options.increments = how & 2 && (subject.deal == 0 || subject.deal == subject.n);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    left = 1 + fuzz_byte(&fuzz) % WATCH_DECKS;
    scratch_clear();
    options.save = scratch_path("whole");
    whole = watch_run(&subject, options, left);
    options.save = scratch_path("parts");
    for (unsigned run = 1; left > 0; run++) {
        const uint64_t next = run == WATCH_RUNS ? left : 1 + fuzz_byte(&fuzz) % left;

        parts = watch_run(&subject, options, next);
        left -= next;
    }
    json_t *const one = watch_json(scratch_path("whole")), *const other = watch_json(scratch_path("parts"));

    fuzz_check(whole.total == parts.total && whole.alarms == parts.alarms && whole.ln_e == parts.ln_e,
               "a watch that resumes comes to the same");
    fuzz_check(json_same(one, other, ignored), "a watch that resumes saves the same");
    json_decref(one);
    json_decref(other);
    return 0;
}
