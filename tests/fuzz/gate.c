/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates: a gate that is stopped and resumed, as often as the bytes say, saves the same evidence and has the
 * same findings as one that ran through.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"

#include "core/calls.h"

#include <string.h>

enum { GATE_STOPS = 2, GATE_DECKS = 60 };

/* Raises the stop flag after some permutations of a run. */
struct stop {
    volatile sig_atomic_t raised;
    uint64_t after;
};

static void stop_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct stop *const stop = state;

    if (done >= stop->after)
        stop->raised = 1;
}

/* Runs the gate, which stops after some permutations and resumes if the file is there. Returns the findings
 * as JSON, or NULL if it was stopped before its first permutation, or if the options do not go together. */
static char *gate_run(const struct sb_subject *subject, struct sb_request options, const char *path,
                      uint64_t after)
{
    struct stop stop = { .raised = 0, .after = after };
    struct sb_error error = { .status = SB_OK };
    struct sb_gate_saved *saved = NULL;
    struct sb_subject own = *subject;
    struct sb_gate *gate = NULL;
    char *text = NULL;
    size_t length;

    options.save = path;
    options.stop = &stop.raised;
    options.progress = stop_progress;
    options.progress_state = &stop;
    if (sb_saved_is(path)) {
        fuzz_check(sb_gate_saved_new(path, &error, &saved) == SB_OK, "saved evidence can be resumed");
        sb_gate_saved_asked(saved, &own, &options);
    }
    options.saved = saved;
    const enum sb_status status = sb_gate_new(&own, &options, &error, &gate);

    fuzz_check(status == SB_OK || status == SB_STOPPED || (status == SB_INVALID && !saved), "a gate runs");
    if (gate)
        fuzz_check(sb_gate_text(gate, "json", NULL, &error, &text, &length) == SB_OK,
                   "findings can be written");
    sb_gate_free(gate);
    sb_gate_saved_free(saved);
    return text;
}

/* Returns whether both files have the same bytes. */
static bool gate_same_files(const char *one, const char *other)
{
    size_t one_size, other_size;
    char *const a = scratch_read(one, &one_size), *const b = scratch_read(other, &other_size);
    const bool same = a && b && one_size == other_size && memcmp(a, b, one_size) == 0;

    free(a);
    free(b);
    return same;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const schemes[] = { "fisher-yates/ideal/taus", "naive", "sattolo/ideal/taus",
                                           "fisher-yates/modulo:8/taus", "riffle:2" };
    struct fuzz fuzz = { data, size };
    struct sb_subject subject = { .scheme = schemes[fuzz_byte(&fuzz) % 5] };
    const unsigned how = fuzz_byte(&fuzz);
    struct sb_request options;

    subject.n = 2 + fuzz_byte(&fuzz) % 8;
    subject.deal = how & 4 ? 1 + fuzz_byte(&fuzz) % subject.n : 0;
    subject.seed = fuzz_number(&fuzz, 2);
    sb_request_init(&options, SB_GATE);
    options.increments = how & 2 && (subject.deal == 0 || subject.deal == subject.n);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    options.exclude = how & 16 ? 0.5 : 0.01;
    options.tolerate = how & 32 ? options.exclude / 4 : 0;
    options.seeds = how & 64 ? 100 : 0;
    options.limit = 1 + fuzz_byte(&fuzz) % GATE_DECKS;
    scratch_clear();
    for (int i = 0; i < GATE_STOPS; i++)
        free(gate_run(&subject, options, scratch_path("parts"), fuzz_byte(&fuzz) % GATE_DECKS));
    char *const parts = gate_run(&subject, options, scratch_path("parts"), UINT64_MAX);
    char *const whole = gate_run(&subject, options, scratch_path("whole"), UINT64_MAX);

    fuzz_check(!parts == !whole, "a gate is refused each time or never");
    if (parts)
        fuzz_check(strcmp(parts, whole) == 0 && gate_same_files(scratch_path("parts"), scratch_path("whole")),
                   "a gate that resumes finds and saves the same");
    free(parts);
    free(whole);
    return 0;
}
