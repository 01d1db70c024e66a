/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved evidence in which one value was edited, and whose checksum was then corrected: the reader names the place.
 * The edits are those that tests/cli does not make.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/store.h"
#include "unit/ledger_house.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { GATE, MATRIX, WATCH, LEDGER };

/* One edit: the first `old` after the text `after` becomes `new`. */
struct edit {
    enum kind kind;
    const char *after, *old, *new, *place;
};

static const struct edit edits[] = {
    { GATE, "\"terms\"", "\"looks\": {", "\"looks\": { \"x\": 1, ", "looks.x is no field" },
    { GATE, "\"looks\"", "\"tv_low\": [0.0, ", "\"tv_low\": [",
      "looks.tv_low must hold a number for each look" },
    { GATE, "\"looks\"", "\"ln_e\": [-", "\"ln_e\": [\"x\", -",
      "looks.ln_e must hold a number for each look" },
    { GATE, "\"lag\"", ": 2", ": 0", "lag must be" },
    { GATE, "\"increments\": true,\n      \"total\"", "\"members\"", "\"lag\": 2,\n      \"members\"",
      "lag must not stand" },
    { GATE, "\"repeats\": 0", "\"pairs\": ", "\"pairs\": -", "repeats.pairs must be" },
    { GATE, "\"repeats\": 0", "\"pairs\": ", "\"pairs\": 9999999", "repeats.pairs must be" },
    { GATE, "\"repeats\": 0", "\"ln_e\": [", "\"ln_e\": [1.0, ", "repeats.ln_e must be four numbers" },
    { GATE, "\"places\"", ": [", ": [-1, ", "places must be null or a permutation" },
    { GATE, "\"pairs\"", "\"bettor\": {", "\"bettor\": { \"x\": 1, ", "bettor.x is no field" },
    { GATE, "\"bettor\"", "\"parts\": [", "\"parts\": [1", "bettor.parts must hold a fraction" },
    { GATE, "\"bettor\"", "\"powers\": [", "\"powers\": [0.5, ", "bettor.powers must be an array" },
    { GATE, "\"powers\"", "\"catalogue\": {", "\"catalogue\": { \"x\": 1, ", "catalogue.x is no field" },
    { GATE, "\"names\"", "\"sums\": [\"", "\"sums\": [\"7fffffffffffffff\", \"",
      "catalogue.sums must be at most" },
    { MATRIX, "\"total\"", "\"matrix\": [\n", "\"matrix\": [[1],\n", "matrix must be" },
    { MATRIX, "\"matrix\"", "[1", "[2", "matrix[0] must be integers" },
    { WATCH, "\"powers\"", "\"won\": null", "\"won\": 3", "bettor.won must be" },
    { WATCH, "\"powers\"", "\"round\": 1", "\"round\": 2", "bettor.round must be" },
    { WATCH, "\"starts\"", "[\n    {", "[\n    5, {", "starts[0]. must be an object" },
    { WATCH, "\"starts\"", "\"levels\": [0", "\"levels\": [-1", "starts[0].levels must be" },
    { WATCH, "\"starts\"", "\"levels\": [0", "\"levels\": [9", "starts[0].levels must be" },
    { WATCH, "\"starts\"", "\"bets\": [", "\"bets\": [null, ", "starts[0].bets must be" },
    { LEDGER, "\"recent\"", "[\n    {", "[\n    5, {", "recent[0]. must be an object" },
    { LEDGER, "\"keys\"", "[\n    {", "[\n    5, {", "keys[0]. must be an object" },
};

/* FNV-1a, Fowler, Noll and Vo. */
static uint64_t checksum(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void save(struct ledger_house *house, enum kind kind)
{
    static const char *const scheme[] = { "naive" };
    struct sb_request watched;
    struct sb_request options;
    struct sb_reports *reports;
    struct sb_watch *watch;

    unlink(house->path);
    house->word[0] = 1;
    house->subject.n = 12;
    house->options.limit = 20;
    house->options.increments = kind == GATE;
    house->options.save = kind == GATE ? house->path : NULL;
    house->options.ledger = kind == LEDGER ? house->path : NULL;
    house->options.key = kind == LEDGER ? "v1" : NULL;
    sb_request_init(&options, SB_REPORT);
    options.n = 12;
    options.samples = 100;
    options.statistics = "";
    options.save = house->path;
    sb_request_init(&watched, SB_WATCH);
    watched.window = true;
    watched.limit = 20;
    watched.save = house->path;
    if (kind == GATE || kind == LEDGER) {
        assert_int_equal(ledger_house_run(house), SB_OK);
    } else if (kind == WATCH) {
        assert_int_equal(sb_watch_new(&house->subject, &watched, &house->error, &watch), SB_OK);
        sb_watch_free(watch);
    } else {
        assert_int_equal(sb_reports_new(scheme, 1, &options, &house->error, &reports), SB_OK);
        sb_reports_free(reports);
    }
}

static enum sb_status load(struct ledger_house *house, enum kind kind)
{
    struct sb_gate_saved *gate = NULL;
    struct sb_saved *report = NULL;
    struct sb_ledger *ledger = NULL;
    struct sb_watch_saved watch = { .there = false };
    const enum sb_status status = kind == GATE     ? sb_gate_saved_new(house->path, &house->error, &gate)
                                  : kind == WATCH  ? sb_watch_saved_read(house->path, &house->error, &watch)
                                  : kind == LEDGER ? sb_ledger_read(house->path, &house->error, &ledger)
                                                   : sb_saved_new(house->path, &house->error, &report);

    sb_gate_saved_free(gate);
    sb_saved_free(report);
    sb_watch_saved_close(&watch);
    sb_ledger_free(ledger);
    return status;
}

/* Writes the file anew, with the edit and its checksum. */
static void edit_file(const struct ledger_house *house, const struct edit *edit)
{
    char *const text = ledger_house_text(house);
    char *const after = strstr(text, edit->after), *const old = after ? strstr(after, edit->old) : NULL;
    char *const made = calloc(2, strlen(text) + 100);

    if (!old || !made)
        fail_msg("no %s after %s", edit->old, edit->after);
    sprintf(made, "%.*s%s%s", (int)(old - text), text, edit->new, old + strlen(edit->old));
    char *const end = strstr(made, ",\n  \"checksum\"");

    if (end)
        sprintf(end, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", checksum(made, (size_t)(end - made)));
    FILE *const file = fopen(house->path, "w");

    assert_non_null(file);
    assert_true(fputs(made, file) >= 0 && fclose(file) == 0);
    free(text);
    free(made);
}

static void edits_are_found(void **state)
{
    struct ledger_house *const house = *state;

    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        save(house, edits[i].kind);
        assert_int_equal(load(house, edits[i].kind), SB_OK);
        edit_file(house, &edits[i]);
        const enum sb_status status = load(house, edits[i].kind);

        if (status != SB_IO || !strstr(house->error.text, edits[i].place))
            fail_msg("%s to %s: status %d, %s", edits[i].old, edits[i].new, (int)status, house->error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(edits_are_found, ledger_house_open, ledger_house_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
