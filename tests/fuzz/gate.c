/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/calls.h"
#include "fuzz/fuzz.h"
#include "fuzz/series.h"
#include "report/result.h"
#include "store/store.h"
#include "study/results.h"
#include "study/watch/watch.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- the rules that each gate follows ---- */

static bool gate_text(struct sb_gate *gate, const char *format, struct sb_error *error, char **text, size_t *length)
{
    char name[] = "gate";
    struct sb_suite_item item = { .name = name, .gate = gate };
    const struct sb_suite suite = { .count = 1, .item = &item };

    return sb_result_text(&sb_suite_result, &suite, format, NULL, error, text, length) == SB_OK && *length > 0;
}

/* Writes the findings in each format, and returns those in JSON. Frees the gate. */
static json_t *gate_found(struct sb_gate *gate, double alpha)
{
    static const char *const formats[] = { "text", "markdown", "junit", "tap", "html", "svg", "json" };
    struct sb_error error;
    char *text = NULL;

    fuzz_check((gate->verdict == SB_VERDICT_FAIL) <= (gate->ln_e >= -log(alpha)), "a failure takes E of 1/alpha");
    fuzz_check(gate->tv_low <= gate->tv_high && gate->tv_high <= 1, "bounds are in order");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length;

        free(text);
        fuzz_check(gate_text(gate, formats[i], &error, &text, &length), "findings can be written");
        page_check(formats[i], text);
    }
    json_t *const found = json_loads(text, 0, NULL);
    json_t *const one = json_array_get(json_object_get(found, "gates"), 0);
    const char *const sentence = json_string_value(json_object_get(one, "sentence"));

    fuzz_check(sentence && strstr(gate->sentence, sentence), "JSON has the sentence");
    free(text);
    sb_gate_free(gate);
    return found;
}

/* ---- gate ---- */

/*
 * Gates: a gate that is stopped and resumed, as often as the bytes say, saves the same evidence and has the
 * same findings as one that ran through.
 */
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
static char *gate_run(const struct sb_subject *subject, struct sb_request options, const char *path, uint64_t after)
{
    struct stop stop = { .raised = 0, .after = after };
    struct sb_error error = { .status = SB_OK };
    const bool saved = sb_saved_is(path);
    struct sb_gate *gate = NULL;
    char *text = NULL;
    size_t length;

    options.save = path;
    options.stop = &stop.raised;
    options.progress = stop_progress;
    options.progress_state = &stop;
    const enum sb_status status = sb_gate_new(subject, &options, &error, &gate);

    fuzz_check(status == SB_OK || status == SB_STOPPED || (status == SB_INVALID && !saved), "a gate runs");
    if (gate)
        fuzz_check(gate_text(gate, "json", &error, &text, &length), "findings can be written");
    sb_gate_free(gate);
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

static void part_gate(struct fuzz *fuzz)
{
    static const char *const schemes[] = { "fisher-yates/ideal/taus", "naive", "sattolo/ideal/taus",
                                           "fisher-yates/modulo:8/taus", "riffle:2" };
    struct sb_subject subject = { .scheme = schemes[fuzz_byte(fuzz) % 5] };
    const unsigned how = fuzz_byte(fuzz);
    struct sb_request options;

    subject.n = 2 + fuzz_byte(fuzz) % 8;
    subject.deal = how & 4 ? 1 + fuzz_byte(fuzz) % subject.n : 0;
    subject.seed = fuzz_number(fuzz, 2);
    sb_request_init(&options, SB_GATE);
    options.increments = how & 2 && (subject.deal == 0 || subject.deal == subject.n);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    options.exclude = how & 16 ? 0.5 : 0.01;
    options.tolerate = how & 32 ? options.exclude / 4 : 0;
    options.seeds = how & 64 ? 100 : 0;
    options.limit = 1 + fuzz_byte(fuzz) % GATE_DECKS;
    scratch_clear();
    for (int i = 0; i < GATE_STOPS; i++)
        free(gate_run(&subject, options, scratch_path("parts"), fuzz_byte(fuzz) % GATE_DECKS));
    char *const parts = gate_run(&subject, options, scratch_path("parts"), UINT64_MAX);
    char *const whole = gate_run(&subject, options, scratch_path("whole"), UINT64_MAX);

    fuzz_check(!parts == !whole, "a gate is refused each time or never");
    if (parts)
        fuzz_check(strcmp(parts, whole) == 0 && gate_same_files(scratch_path("parts"), scratch_path("whole")),
                   "a gate that resumes finds and saves the same");
    free(parts);
    free(whole);
}

/* ---- verdicts ---- */

/*
 * Gates on decks that the bytes choose, in turn or each from the last one, also with equal cards: so verdicts of each
 * kind occur, also about steps, lags and repeated decks. Each format says the same verdict, and E decides it.
 */
enum { LIMIT = 250 };

static void part_verdicts(struct fuzz *fuzz)
{
    static const char *const cards[] = { NULL, "A A B", "A A B B", "A B B B B", "A B C", "A A B B C C D" };
    struct series series = { .next = 0 };
    struct sb_subject subject = { .shuffle = series_deal, .state = &series };
    const unsigned how = fuzz_byte(fuzz);
    struct sb_request options;
    struct sb_error error = { .text = "" };
    struct sb_gate *gate = NULL;

    subject.cards = cards[fuzz_byte(fuzz) % (sizeof cards / sizeof cards[0])];
    subject.n = subject.cards ? 0 : 2 + fuzz_byte(fuzz) % 8;
    subject.deal = !subject.cards && how & 1 ? 1 + fuzz_byte(fuzz) % subject.n : 0;
    subject.chained = how & 2;
    series.from_last = how & 4;
    series_take(fuzz, &series);
    sb_request_init(&options, SB_GATE);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    options.exclude = how & 16 ? 0.5 : 0.01;
    options.tolerate = how & 32 ? options.exclude / 4 : 0;
    options.increments = how & 64;
    options.seeds = how & 128 ? 100 : 0;
    options.limit = LIMIT;
    const enum sb_status status = sb_gate_new(&subject, &options, &error, &gate);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.text[0]), "a gate runs, or says why not");
    if (!gate)
        return;
    json_decref(gate_found(gate, options.alpha));
}

/* ---- watch ---- */

/*
 * Watches: a watch that is saved and resumed, as often as the bytes say, ends in the state of one that ran
 * through, with the same alarms.
 */
enum { WATCH_RUNS = 4, WATCH_DECKS = 60 }; /* a look takes about a millisecond */

/* What the watch of one run came to. */
struct state {
    uint64_t total, alarms;
    double ln_e;
};

static struct state watch_run(const struct sb_subject *subject, struct sb_request options, uint64_t limit)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_watch *watch = NULL;

    options.limit = limit;
    if (sb_watch_new(subject, &options, &error, &watch)) {
        fprintf(stderr, "%s\n", error.text);
        fuzz_check(false, "a watch runs");
    }
    const struct state state = { watch->total, watch->alarms, watch->gate.ln_e };

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

static void part_watch(struct fuzz *fuzz)
{
    static const char *const schemes[] = { "fisher-yates", "naive/ideal/taus", "sattolo/ideal/taus",
                                           "fisher-yates/ideal/taus" };
    static const char *const ignored[] = { "last", "checksum", NULL };
    struct sb_subject subject = { .scheme = schemes[fuzz_byte(fuzz) % 4] };
    const unsigned how = fuzz_byte(fuzz);
    struct sb_request options;
    struct state whole, parts = { 0 };
    uint64_t left;

    subject.n = 2 + fuzz_byte(fuzz) % 6;
    subject.deal = how & 4 ? 1 + fuzz_byte(fuzz) % subject.n : 0;
    subject.seed = fuzz_number(fuzz, 2);
    sb_request_init(&options, SB_WATCH);
    options.window = how & 1;
    options.increments = how & 2 && (subject.deal == 0 || subject.deal == subject.n);
    options.alpha = how & 8 ? 1e-9 : 0.05;
    left = 1 + fuzz_byte(fuzz) % WATCH_DECKS;
    scratch_clear();
    options.save = scratch_path("whole");
    whole = watch_run(&subject, options, left);
    options.save = scratch_path("parts");
    for (unsigned run = 1; left > 0; run++) {
        const uint64_t next = run == WATCH_RUNS ? left : 1 + fuzz_byte(fuzz) % left;

        parts = watch_run(&subject, options, next);
        left -= next;
    }
    json_t *const one = watch_json(scratch_path("whole")), *const other = watch_json(scratch_path("parts"));

    fuzz_check(whole.total == parts.total && whole.alarms == parts.alarms && whole.ln_e == parts.ln_e,
               "a watch that resumes comes to the same");
    fuzz_check(json_same(one, other, ignored), "a watch that resumes saves the same");
    json_decref(one);
    json_decref(other);
}

/* ---- alarm ---- */

/*
 * Watches on decks that the bytes choose, and that change after a while: alarms come in order, each has a sentence and
 * JSON, and each format has the numbers of the summary.
 */
enum { ALARM_DECKS = 400 };

/* Decks of one series, and then of another. */
struct change {
    struct series first, then;
    unsigned after, dealt;
};

static int change_deal(void *items, size_t n, size_t size, void *state)
{
    struct change *const change = state;

    return series_deal(items, n, size, change->dealt++ < change->after ? &change->first : &change->then);
}

/* The alarms of a watch so far. */
struct alarms {
    uint64_t count, after;
};

static int alarm_check(void *state, const struct sb_alarm *alarm)
{
    struct alarms *const alarms = state;
    struct sb_error error;
    char *text = NULL;

    fuzz_check(sb_result_text(&sb_alarm_result, alarm, "json", NULL, &error, &text, NULL) == SB_OK &&
                   alarm->sentence[0],
               "an alarm can be written");
    json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const uint64_t after = (uint64_t)json_integer_value(json_object_get(value, "total"));

    fuzz_check(value && after > alarms->after, "alarms come in order");
    alarms->after = after;
    alarms->count++;
    json_decref(value);
    sb_text_free(text);
    return 0;
}

static void watch_check(const struct sb_watch *watch, const struct alarms *alarms, bool window)
{
    static const char *const formats[] = { "text", "markdown", "html", "svg", "json" };
    struct sb_error error;

    const double low = watch->gate.tv_low, high = watch->gate.tv_high;

    fuzz_check(watch->total <= ALARM_DECKS && watch->alarms == alarms->count && alarms->after <= watch->total &&
                   (window || alarms->count <= 1),
               "the watch counts the alarms");
    fuzz_check(low <= high && low >= 0 && high <= 1, "bounds are in order");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = NULL;

        fuzz_check(sb_result_text(&sb_watch_result, watch, formats[i], NULL, &error, &text, NULL) == SB_OK && text[0],
                   "a watch can be written");
        page_check(formats[i], text);
        sb_text_free(text);
    }
}

static void part_alarm(struct fuzz *fuzz)
{
    static const char *const cards[] = { NULL, NULL, NULL, "A A B", "A A B B", "A B C" };
    const unsigned how = fuzz_byte(fuzz);
    struct change change = { .after = 2 * fuzz_byte(fuzz), .first.from_last = how & 1, .then.from_last = how & 2 };
    struct sb_subject subject = { .shuffle = change_deal, .state = &change };
    struct alarms alarms = { 0 };
    struct sb_request options;
    struct sb_error error = { .text = "" };
    struct sb_watch *watch = NULL;

    subject.cards = cards[fuzz_byte(fuzz) % (sizeof cards / sizeof cards[0])];
    subject.n = subject.cards ? 0 : 2 + fuzz_byte(fuzz) % 8;
    subject.deal = !subject.cards && how & 4 ? 1 + fuzz_byte(fuzz) % subject.n : 0;
    subject.chained = how & 8;
    sb_request_init(&options, SB_WATCH);
    options.window = how & 16;
    options.increments = how & 32;
    options.alpha = how & 64 ? 1e-9 : 0.05;
    options.limit = 1 + fuzz_byte(fuzz) * ALARM_DECKS / 256;
    options.alarmed = alarm_check;
    options.alarmed_state = &alarms;
    series_take(fuzz, &change.first);
    series_take(fuzz, &change.then);
    const enum sb_status status = sb_watch_new(&subject, &options, &error, &watch);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.text[0]), "a watch runs, or says why not");
    if (watch)
        watch_check(watch, &alarms, options.window);
    sb_watch_free(watch);
}

FUZZ_TARGET(part_gate, part_verdicts, part_watch, part_alarm)
