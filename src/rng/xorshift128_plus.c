/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Math.random of V8, the JavaScript engine of Chrome and node: a xorshift generator with two states a and b of
 * 64 bits. A step sets
 *
 *   t = a xor (a << 23), a = b, b = t xor (t >> 17) xor b xor (b >> 26).
 *
 * V8 has used these steps in two ways, which are two generators here:
 *
 *   xorshift128+   the word is a + b; Chromium 156 (V8 15.6)
 *   xorshift128    the word is a; V8 computes 64 words ahead, and gives the last of them first; node 20 (V8 11.3)
 *
 * Math.random() is the high bits of a word, divided by a power of two. In node 20 these are 52 bits, and in Chromium
 * 156 and V8 13.6 (node 24) 53 bits. So the draw is `multiply:52` or `multiply:53`.
 *
 * Seeds have 64 bits: a = hash(seed) and b = hash(not seed), where the hash is the end of MurmurHash3. V8 takes
 * the seed from the operating system, or from the option --random-seed.
 *
 * Check: node --random-seed=42 gives 0.7939112874678715, 0.5254990606499601, 0.3518347850388237 (node 20), and
 * Chromium 156 with --js-flags=--random-seed=42 gives 2060576563925560 / 2^53.
 *
 * Cost: some shifts.
 *
 * V8, src/numbers/math-random.cc and src/base/utils/random-number-generator.h; v8.dev/blog/math-random. S.
 * Vigna, Further scramblings of Marsaglia's xorshift generators, doi:10.1016/j.cam.2016.11.006.
 */
#include "rng/rng.h"

enum { XORSHIFT_CACHE = 64 };

struct xorshift128_plus_stream {
    struct sb_words words;
    uint64_t a, b;
    uint64_t cache[XORSHIFT_CACHE]; /* for `xorshift128` */
    unsigned left;                  /* how many words of the cache next() still has to return: cache[0..left-1] */
};

/* Steps, and returns the new a. */
static uint64_t xorshift128_plus_step(struct xorshift128_plus_stream *stream)
{
    const uint64_t t = stream->a ^ stream->a << 23;

    stream->a = stream->b;
    stream->b ^= t ^ t >> 17 ^ stream->b >> 26;
    return stream->a;
}

static uint64_t xorshift128_plus_sum(struct sb_words *words)
{
    struct xorshift128_plus_stream *stream = (struct xorshift128_plus_stream *)words;

    return xorshift128_plus_step(stream) + stream->b;
}

static uint64_t xorshift128_plus_cached(struct sb_words *words)
{
    struct xorshift128_plus_stream *stream = (struct xorshift128_plus_stream *)words;

    if (stream->left == 0)
        while (stream->left < XORSHIFT_CACHE)
            stream->cache[stream->left++] = xorshift128_plus_step(stream);
    return stream->cache[--stream->left];
}

struct xorshift128_plus_member {
    const char *name, *title;
    uint64_t (*next)(struct sb_words *words);
};

static const struct xorshift128_plus_member xorshift128_plus_members[] = {
    { "xorshift128+", "Math.random of V8 15.6 (Chromium 156)", xorshift128_plus_sum },
    { "xorshift128", "Math.random of V8 11.3 (node 20), and of node 24", xorshift128_plus_cached },
};

static bool xorshift128_plus_member(size_t index, struct sb_rng *rng, const char **title)
{
    if (index >= sizeof xorshift128_plus_members / sizeof xorshift128_plus_members[0])
        return false;
    rng->name = xorshift128_plus_members[index].name;
    rng->member = &xorshift128_plus_members[index];
    *title = xorshift128_plus_members[index].title;
    return true;
}

static uint64_t xorshift128_plus_hash(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

static enum sb_status xorshift128_plus_reseed(struct sb_words *words, uint64_t seed)
{
    struct xorshift128_plus_stream *stream = (struct xorshift128_plus_stream *)words;

    stream->a = xorshift128_plus_hash(seed);
    stream->b = xorshift128_plus_hash(~seed);
    stream->left = 0;
    return SB_OK;
}

static void xorshift128_plus_prepare(const struct sb_rng *self, struct sb_words *words)
{
    words->next = ((const struct xorshift128_plus_member *)self->member)->next;
}

const struct sb_rng_type sb_rng_xorshift128_plus = {
    .name = "xorshift128+",
    .title = "Math.random of V8",
    .cite = "https://v8.dev/blog/math-random",
    .largest = UINT64_MAX,
    .member = xorshift128_plus_member,
    .size = sizeof(struct xorshift128_plus_stream),
    .prepare = xorshift128_plus_prepare,
    .reseed = xorshift128_plus_reseed,
};
