/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generators: a stream that starts again gives the same words; a buffer that is filled in pieces is that of
 * one piece, and has the words of next(), on each instruction set; and no word or draw is out of range.
 */
#include "fuzz/fuzz.h"

#include "draw/draw.h"
#include "rng/rng.h"

#include <string.h>

extern const struct sb_rng_type sb_rng_philox;

enum { GENERATOR_WORDS = 40, GENERATOR_GROUP = 64, GENERATOR_GROUPS = 9 };

/* Takes words from the stream, and checks that they are those of first[]; with `make`, writes first[]. */
static void generator_words(struct sb_words *words, uint64_t first[], bool make)
{
    for (size_t i = 0; i < GENERATOR_WORDS; i++) {
        const uint64_t word = sb_words_next(words);

        fuzz_check(word <= words->largest, "no word is above the largest");
        fuzz_check(make || word == first[i], "a stream that starts again gives the same words");
        first[i] = word;
    }
}

/* Word w of output i of Philox, as next() gives it: two words of 64 bits an output. */
static uint32_t generator_philox(struct sb_words *words, uint64_t block, size_t i, size_t w)
{
    uint64_t word = 0;

    sb_rng_philox.seek(words, block);
    for (size_t k = 0; k <= 2 * i + w / 2; k++)
        word = sb_words_next(words);
    return (uint32_t)(word >> (32 * (w % 2)));
}

/* Fills a buffer in pieces, and looks up some of its words one at a time. */
static void generator_fill(struct fuzz *fuzz, struct sb_words *words)
{
    const uint64_t block = fuzz_number(fuzz, 5);
    const size_t groups = 1 + fuzz_byte(fuzz) % GENERATOR_GROUPS, count = groups * GENERATOR_GROUP;
    uint32_t whole[GENERATOR_GROUP * GENERATOR_GROUPS], pieces[GENERATOR_GROUP * GENERATOR_GROUPS];

    sb_rng_philox.seek(words, block);
    sb_rng_philox.fill(words, count, whole);
    sb_rng_philox.seek(words, block);
    for (size_t done = 0, piece; done < groups; done += piece) {
        piece = 1 + fuzz_byte(fuzz) % (groups - done);
        sb_rng_philox.fill(words, piece * GENERATOR_GROUP, pieces + done * GENERATOR_GROUP);
    }
    fuzz_check(memcmp(whole, pieces, count * sizeof whole[0]) == 0, "pieces add up to the whole");
    for (size_t k = 0; k < 4; k++) {
        const size_t at = fuzz_number(fuzz, 2) % count, group = at / GENERATOR_GROUP;
        const size_t i = 16 * group + at % 16, w = at % GENERATOR_GROUP / 16;

        fuzz_check(whole[at] == generator_philox(words, block, i, w), "fill() has the words of next()");
    }
}

/* Makes some draws. */
static void generator_draws(struct fuzz *fuzz, struct sb_words *words)
{
    const unsigned whole = sb_words_width(words->largest), width = 1 + fuzz_byte(fuzz) % 64;
    const uint32_t bound = 2 + (uint32_t)fuzz_number(fuzz, 3);
    const struct sb_draw_type *const type = sb_draw_types[fuzz_byte(fuzz) % sb_draw_types_count];
    const struct sb_draw draw = { type, type->parameter.name ? width : type->parameter.standard };

    fuzz_check(sb_words_bits(words, width) <= sb_words_mask(width), "a key has no more bits than asked");
    fuzz_check(bound - 1 > words->largest || sb_words_below(words, bound) < bound,
               "a number is below its bound");
    if (draw.width <= whole && (type->law || bound - 1 <= sb_draw_largest(&draw, words->largest)))
        fuzz_check(type->pick(&draw, words, bound) < bound, "a draw is below its bound");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static size_t count;
    struct fuzz fuzz = { data, size };
    const size_t index = fuzz_byte(&fuzz);
    const uint64_t seed = fuzz_number(&fuzz, 8);
    uint64_t word[GENERATOR_WORDS];
    struct sb_words *words, *other;
    struct sb_rng rng;
    const char *title;

    for (; !count || sb_rng_get(count, &rng, &title); count++)
        continue;
    sb_rng_get(index < 128 ? 0 : index % count, &rng, &title); /* half of the inputs are for Philox */
    const enum sb_status status = sb_rng_open(&rng, seed, &words);

    fuzz_check(sb_rng_open(&rng, seed, &other) == status, "a seed is refused each time or never");
    if (status)
        return 0;
    sb_rng_close(other);
    generator_words(words, word, true);
    fuzz_check(rng.type->reseed(words, ~seed) != SB_NO_MEMORY, "there is memory");
    fuzz_check(rng.type->reseed(words, seed) == SB_OK, "a seed that opens a stream restarts it");
    generator_words(words, word, false);
    generator_draws(&fuzz, words);
    if (rng.type == &sb_rng_philox)
        generator_fill(&fuzz, words);
    sb_rng_close(words);
    return 0;
}
