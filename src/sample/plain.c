/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a shuffle as its author wrote it, on the words of a generator.
 *
 * Lemire's draw: m = word * bound; the answer is m >> 32. If the low half of m is below 2^32 mod bound, the
 * word is rejected, since accepting the word would favour some answers. D. Lemire, doi:10.1145/3230636.
 */
#include "sample/sample.h"

enum { PLAIN_WORDS_FEW = 64 }; /* number of words generated at a time after a reseed */

size_t sb_block_decks(size_t n)
{
    size_t decks = 65536;

    while (decks > 16 && decks * n > (1U << 20))
        decks /= 2;
    return decks;
}

/* Returns whether the shuffle may make another draw. If the stop flag is raised or the generator is stuck,
 * the shuffle ends even in the middle of a deck. */
static bool plain_goes_on(struct sb_plain *plain)
{
    plain->drawn++;
    if (sb_recipe_stopped(plain->recipe)) {
        plain->src.status = SB_STOPPED;
        plain->src.word = plain->src.end = NULL;
    }
    if (plain->words->stuck)
        plain->src.status = SB_BROKEN;
    return plain->src.status == SB_OK;
}

static uint32_t plain_word(struct sb_plain *plain)
{
    if (plain->src.word == plain->src.end) {
        if (!plain_goes_on(plain))
            return 0;
        plain->recipe->rng->type->fill(plain->words, plain->refill, plain->buffer);
        plain->src.word = plain->buffer;
        plain->src.end = plain->buffer + plain->refill;
    }
    return *plain->src.word++;
}

static uint32_t plain_choose_ideal(struct sb_source *src, uint32_t bound)
{
    struct sb_plain *const plain = (struct sb_plain *)src;
    uint64_t product;

    do
        product = (uint64_t)plain_word(plain) * bound;
    while ((uint32_t)product < bound && (uint32_t)product < -bound % bound && src->status == SB_OK);
    return (uint32_t)(product >> 32);
}

static uint64_t plain_bits_buffered(struct sb_source *src, unsigned bits)
{
    struct sb_plain *const plain = (struct sb_plain *)src;
    const uint64_t word = plain_word(plain);

    if (bits <= 32)
        return word >> (32 - bits);
    return (word << 32 | plain_word(plain)) >> (64 - bits);
}

static uint32_t plain_choose(struct sb_source *src, uint32_t bound)
{
    struct sb_plain *const plain = (struct sb_plain *)src;
    const struct sb_draw *const draw = plain->recipe->draw;

    return plain_goes_on(plain) ? draw->type->pick(draw, plain->words, bound) : 0;
}

static uint64_t plain_bits(struct sb_source *src, unsigned bits)
{
    struct sb_plain *const plain = (struct sb_plain *)src;

    return plain_goes_on(plain) ? sb_words_bits(plain->words, bits) : 0;
}

/* sb_hand_reject() calls this function when all spare rejections of a deck are used up. */
static void plain_again(struct sb_source *src)
{
    src->status = SB_BROKEN;
    src->word = src->end = NULL;
}

void sb_plain_unbuffer(struct sb_plain *plain)
{
    plain->src.choose = plain_choose;
    plain->src.bits = plain_bits;
}

enum sb_status sb_plain_open(const struct sb_recipe *recipe, struct sb_plain *plain)
{
    const bool buffered = recipe->rng->type->fill && recipe->draw->type->any_words;
    const struct sb_shuffler *const shuffler = recipe->shuffler;
    enum sb_status status;

    memset(plain, 0, sizeof *plain);
    plain->recipe = recipe;
    plain->refill = SB_PLAIN_WORDS;
    plain->src.again = plain_again;
    sb_plain_unbuffer(plain);
    if (buffered) {
        plain->src.choose = plain_choose_ideal;
        plain->src.bits = plain_bits_buffered;
    }
    status = sb_deck_open(shuffler->n, shuffler->deal, &plain->deck);
    if (status)
        return status;
    status = sb_rng_open(recipe->rng, recipe->seed, &plain->words);
    if (status)
        sb_deck_close(&plain->deck);
    return status;
}

void sb_plain_close(struct sb_plain *plain)
{
    if (!plain->words)
        return;
    sb_rng_close(plain->words);
    plain->words = NULL;
    sb_deck_close(&plain->deck);
}

void sb_plain_seek(struct sb_plain *plain, uint64_t block)
{
    if (!plain->recipe->rng->type->seek)
        return;
    plain->recipe->rng->type->seek(plain->words, block);
    plain->src.word = plain->src.end = NULL;
}

enum sb_status sb_plain_reseed(struct sb_plain *plain, uint64_t seed)
{
    plain->refill = PLAIN_WORDS_FEW;
    plain->src.word = plain->src.end = NULL;
    plain->words->stuck = false;
    plain->src.status = plain->recipe->rng->type->reseed(plain->words, seed);
    return plain->src.status;
}

enum sb_status sb_plain_next(struct sb_plain *plain)
{
    plain->src.spare_rejections = SB_PLAIN_REDRAWS_MOST - 1;
    sb_shuffler_run(plain->recipe->shuffler, &plain->deck, &plain->src);
    if (plain->words->stuck) /* true if the last draw failed */
        plain->src.status = SB_BROKEN;
    return plain->src.status;
}

bool sb_recipe_stopped(const struct sb_recipe *recipe)
{
    return recipe->stop && *recipe->stop;
}

bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program)
{
    return recipe->draw->type->any_words && recipe->rng->type->in_vectors &&
           sb_lanes_prepare(recipe->shuffler, program) == SB_OK;
}
