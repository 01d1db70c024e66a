/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Java's Random.nextInt(bound), from words u of 31 bits: exactly uniform. If the bound is a power of two, the
 * answer is the high bits of u, floor(u * bound / 2^31). For any other bound, the answer is u % bound; the draw
 * rejects the last 2^31 mod bound words, and takes a new word instead.
 *
 * With the generator `java`, a shuffle draws as in Java: `fisher-yates/java-nextint/java` is
 * Collections.shuffle(list, new Random(seed)).
 *
 * Cost: one division; fewer than 2 words on average.
 *
 * Java SE API, java.util.Random.nextInt(int).
 */
#include "draw/draw.h"

enum { NEXTINT_BITS = 31 };

static uint32_t java_nextint_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    const uint64_t span = UINT64_C(1) << NEXTINT_BITS;
    uint32_t rejected = 0;

    if ((bound & (bound - 1)) == 0)
        return (uint32_t)(sb_words_bits(words, NEXTINT_BITS) * bound >> NEXTINT_BITS);
    do {
        const uint64_t word = sb_words_bits(words, NEXTINT_BITS);

        if (word < span - span % bound)
            return (uint32_t)(word % bound);
    } while (sb_words_reject(words, &rejected));
    return 0;
}

const struct sb_draw_type sb_draw_java_nextint = {
    .name = "java-nextint",
    .title = "Java's Random.nextInt(n), 31 bits with rejection, exactly uniform",
    .cite = "Java SE API, java.util.Random",
    .parameter = { .standard = NEXTINT_BITS },
    .pick = java_nextint_pick,
};
