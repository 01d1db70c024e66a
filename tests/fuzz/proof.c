/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on what is not a scheme: proofs of C functions that are short programs in the bytes, with items of any size,
 * and matrices that somebody has recorded. The reports obey their rules, and the size of an item changes nothing.
 */
#include "fuzz/fuzz.h"
#include "fuzz/report_rules.h"
#include "fuzz/scratch.h"

#include "core/calls.h"

#include <string.h>

enum { PROOF_STEPS = 10, PROOF_ITEM = 24, PROOF_ITEMS = 6, PROOF_TEXT = 1024 };

/* A program: each step has three bytes. */
struct program {
    uint8_t step[PROOF_STEPS][3];
    size_t length;
};

static void proof_swap(char *items, size_t size, size_t i, size_t j)
{
    char item[PROOF_ITEM];

    memcpy(item, items + i * size, size);
    memmove(items + i * size, items + j * size, size);
    memcpy(items + j * size, item, size);
}

/* Swaps with an item that is drawn, or if a number is small; skips a step, or repeats one, by a draw. */
static int proof_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    const struct program *const program = state;

    for (size_t at = 0; n > 0 && at < program->length; at++) {
        const uint8_t *const step = program->step[at];
        const size_t one = step[1] % n, other = step[2] % n;

        switch (step[0] % 4) {
        case 0:
            proof_swap(items, size, other, sb_draws_below(draws, (uint32_t)one + 1));
            break;
        case 1:
            if (sb_draws_uniform(draws) * 4 < step[2] % 5)
                proof_swap(items, size, one, other);
            break;
        case 2:
            at += sb_draws_below(draws, 3) == 0;
            break;
        default:
            at -= at > 0 && sb_draws_below(draws, 2) ? 2 : 0;
        }
    }
    return 0;
}

static char *proof_of(const struct program *program, const struct sb_request *proof, unsigned other)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports;
    const enum sb_status status =
        sb_prove_callback("program", proof_shuffle, (void *)program, proof, &error, &reports);

    if (status) {
        fuzz_check((status == SB_INVALID || status == SB_TOO_LARGE || status == SB_SUBJECT) && error.text[0],
                   "a proof is made, or says why not");
        return NULL;
    }
    char *const text = report_check(reports, other);

    sb_reports_free(reports);
    return text;
}

static void check_proof(struct fuzz *fuzz)
{
    static const size_t sizes[] = { 1, 2, 4, 8, 3, PROOF_ITEM };
    const unsigned other = fuzz_byte(fuzz);
    struct program program = { .length = fuzz_byte(fuzz) % (PROOF_STEPS + 1) };
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = fuzz_byte(fuzz) % PROOF_ITEMS;
    proof.draws = 1 + fuzz_byte(fuzz) % 40;
    proof.cells = fuzz_byte(fuzz) % 13;
    proof.paths = 3000;
    proof.counts = other % 2;
    const size_t size = sizes[fuzz_byte(fuzz) % (sizeof sizes / sizeof sizes[0])];

    for (size_t i = 0; i < PROOF_STEPS; i++)
        for (size_t j = 0; j < 3; j++)
            program.step[i][j] = (uint8_t)fuzz_byte(fuzz);
    char *const one = proof_of(&program, &proof, other);

    proof.size = size;
    char *const two = proof_of(&program, &proof, other);

    fuzz_check(!one == !two && (!one || strcmp(one, two) == 0), "the size of an item changes nothing");
    free(one);
    free(two);
}

/* Adds the cells of a deck that comes some times. */
static void recorded_add(struct fuzz *fuzz, size_t n, size_t deal, uint64_t matrix[PROOF_ITEMS][PROOF_ITEMS])
{
    const uint64_t times = (uint64_t)fuzz_byte(fuzz) << fuzz_byte(fuzz) % 24;
    char deck[PROOF_ITEMS];

    for (size_t i = 0; i < n; i++)
        deck[i] = (char)i;
    for (size_t i = 0; i < n; i++)
        proof_swap(deck, 1, i, fuzz_byte(fuzz) % n);
    for (size_t j = 0; j < deal; j++)
        matrix[(size_t)deck[j]][j] += times;
}

static void check_recorded(struct fuzz *fuzz)
{
    uint64_t matrix[PROOF_ITEMS][PROOF_ITEMS] = { { 0 } };
    const size_t n = 1 + fuzz_byte(fuzz) % PROOF_ITEMS, deal = 1 + fuzz_byte(fuzz) % n;
    const unsigned other = fuzz_byte(fuzz);
    struct sb_error error = { .status = SB_OK };
    struct sb_request options;
    struct sb_reports *reports;
    char text[PROOF_TEXT] = "";

    sb_request_init(&options, SB_REPORT);
    options.alpha = fuzz_byte(fuzz) % 2 ? 0.05 : 1e-9;
    options.deal = deal < n ? deal : 0;
    for (unsigned decks = fuzz_byte(fuzz) % 32; decks > 0; decks--)
        recorded_add(fuzz, n, deal, matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < deal; j++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%llu%s",
                     (unsigned long long)matrix[i][j], j + 1 < deal ? "," : "\n");
    if (sb_reports_recorded(scratch_write("matrix", text, strlen(text)), &options, &error, &reports) ==
        SB_OK) {
        free(report_check(reports, other));
        sb_reports_free(reports);
    } else {
        fuzz_check(error.text[0], "an error has a line");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };

    if (fuzz_byte(&fuzz) % 2)
        check_recorded(&fuzz);
    else
        check_proof(&fuzz);
    return 0;
}
