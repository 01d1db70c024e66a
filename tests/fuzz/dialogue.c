/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle's protocol: a scripted program that answers with the lines of the fuzzer's bytes. Its draws, its
 * decks and its error are the same wherever reads end; each deck has n items, and each answer its form.
 */
#include "fuzz/fuzz.h"

#include "subject/subject.h"

#include <math.h>
#include <string.h>

enum { DIALOGUE_ITEMS = 6, DIALOGUE_SHUFFLES = 4, DIALOGUE_DRAWS = 50 };

/* A program that says a line, its next one, after each line that it reads. */
struct script {
    struct sb_bytes bytes; /* must be the first member */
    struct fuzz text;
    size_t chunk;
    size_t ready; /* how many bytes the program has said that are not read yet */
    bool started; /* whether a shuffle has begun */
};

static enum sb_status script_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline,
                                  size_t *got, struct sb_error *error)
{
    struct script *const script = (struct script *)bytes;
    size_t count = script->chunk < room ? script->chunk : room;

    count = count < script->ready ? count : script->ready;
    memcpy(buffer, script->text.data, count);
    script->text.data += count;
    script->text.size -= count;
    script->ready -= count;
    *got = count;
    return SB_OK;
}

/* Checks what the library says, and lets the program say its next line that is not blank. */
static enum sb_status script_write(struct sb_bytes *bytes, const char text[], size_t length,
                                   struct sb_error *error)
{
    struct script *const script = (struct script *)bytes;
    const uint8_t *const data = script->text.data;
    bool blank = true;
    char *end;

    fuzz_check(length > 1 && text[length - 1] == '\n' && strlen(text) == length, "an answer is a line");
    if (script->started) {
        const double answer = strtod(text, &end);

        fuzz_check((*end == '\n' && answer >= 0) || strcmp(text, "start\n") == 0,
                   "an answer is a number, or the start of a shuffle");
    }
    script->started = true;
    while (script->ready < script->text.size) {
        const uint8_t byte = data[script->ready++];

        if (byte == '\n' && !blank)
            break;
        blank = blank && memchr(" \t\r\n", byte, 4);
    }
    return SB_OK;
}

static void script_free(struct sb_bytes *bytes)
{
}

/* The draws of a run, and what became of it. */
struct run {
    struct sb_draws draws; /* must be the first member */
    uint32_t bound[DIALOGUE_DRAWS];
    size_t asked, decks;
    sb_item deck[DIALOGUE_SHUFFLES][DIALOGUE_ITEMS];
    enum sb_status status;
    struct sb_error error;
};

static uint32_t run_below(struct sb_draws *draws, uint32_t bound)
{
    struct run *const run = (struct run *)draws;

    fuzz_check(bound > 0, "a draw has a bound");
    if (run->asked == DIALOGUE_DRAWS)
        draws->over = true;
    else
        run->bound[run->asked++] = bound;
    return bound - 1;
}

static double run_uniform(struct sb_draws *draws)
{
    return 1 / (1.0 + run_below(draws, UINT32_MAX));
}

static struct run run_script(const struct fuzz *text, size_t n, size_t chunk)
{
    struct script script = {
        .bytes = { .name = "script", .read = script_read, .write = script_write, .free = script_free, },
        .text = *text,
        .chunk = chunk,
    };
    struct run run = { .draws = { .below = run_below, .uniform = run_uniform } };
    struct sb_peer *peer;

    fuzz_check(sb_command_peer_new(&script.bytes, 60, &run.error, &peer) == SB_OK, "there is memory");
    while (run.decks < DIALOGUE_SHUFFLES && run.status == SB_OK && !run.draws.over) {
        run.status = peer->shuffle(peer, &run.draws, n, run.deck[run.decks], &run.error);
        run.decks += run.status == SB_OK && !run.draws.over;
    }
    peer->free(peer);
    return run;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const size_t n = fuzz_byte(&fuzz) % (DIALOGUE_ITEMS + 1), chunk = 1 + fuzz_byte(&fuzz);
    const struct run whole = run_script(&fuzz, n, SIZE_MAX), parts = run_script(&fuzz, n, chunk);

    fuzz_check(whole.status == parts.status && strcmp(whole.error.text, parts.error.text) == 0 &&
                   whole.asked == parts.asked && whole.decks == parts.decks &&
                   memcmp(whole.bound, parts.bound, sizeof whole.bound) == 0,
               "the end of a read changes nothing");
    for (size_t i = 0; i < whole.decks; i++)
        fuzz_check(memcmp(whole.deck[i], parts.deck[i], n * sizeof whole.deck[0][0]) == 0,
                   "the end of a read changes no deck");
    return 0;
}
