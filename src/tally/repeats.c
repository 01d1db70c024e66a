/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of decks: a hash that tells decks apart, and how equal keys are counted.
 *
 * The hash of a deck: each group of three items forms a word of 48 bits, or of 60 bits if there are more than
 * 65,536 items. The words w_1 .. w_m are the coefficients of the polynomial w_1 r^m + ... + w_m r modulo 2^61
 * - 1, which is evaluated at two fixed points r that were drawn at random. The polynomials of two different
 * decks agree at a random point with a probability of at most m / (2^61 - 1), because the difference of their
 * polynomials has at most m roots. For 52 cards, two polynomials agree at both points with a probability
 * below 10^-34, so the probability that any two different decks among 10^8 have equal keys is below 10^-18.
 *
 * Counting relies on the even distribution of keys. A first pass partitions the keys in place by their leading bits.
 * The parts are distributed among the threads, which sort them. Cost for each key: 2m multiplications, and a sort.
 *
 * J. L. Carter and M. N. Wegman, Universal classes of hash functions, doi:10.1016/0022-0000(79)90044-8. The
 * mixing of bits is SplitMix64's, doi:10.1145/2714064.2660195.
 */
#include "tally/order.h"

#include "core/system.h"

#include <stdatomic.h>

static const uint64_t key_prime = (UINT64_C(1) << 61) - 1;

/* A bijection of 64-bit numbers; every bit of the result depends on all bits of x. */
static uint64_t key_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

enum { KEY_WORDS = 6 }; /* words per reduction modulo 2^61 - 1, each of which waits for the one before */

/* A word of three items, or of the `left` last ones. */
static inline uint64_t key_word(const sb_item item[], size_t left, unsigned bits)
{
    uint64_t word = item[0];

    if (left > 1)
        word |= (uint64_t)item[1] << bits;
    if (left > 2)
        word |= (uint64_t)item[2] << 2 * bits;
    return word;
}

/* (at + w_1) r^m + w_2 r^(m-1) + ... + w_m r modulo 2^61 - 1 for m <= KEY_WORDS words, or that plus 2^61 - 1; at most
 * 2^61 + 6, as `at` is. power[] has r, r^2, ... */
static inline uint64_t key_steps(uint64_t at, const uint64_t word[], size_t words, const uint64_t power[])
{
    sb_wide all = sb_wide_product(at + word[0], power[words - 1]); /* below 2^123, and all of them below 2^124 */

    for (size_t i = 1; i < words; i++)
        all = sb_wide_add(all, sb_wide_product(word[i], power[words - 1 - i]));
    const uint64_t sum = (sb_wide_low(all) & key_prime) + sb_wide_low(sb_wide_shift(all, 61));

    return (sum & key_prime) + (sum >> 61);
}

/* Stores the values of the polynomial at both points in at[], which must contain zeroes. The function is
 * inline so that the number of bits is a constant. */
static inline void key_polynomial(size_t k, const sb_item deal[], unsigned bits, uint64_t at[2])
{
    static const uint64_t power[2][KEY_WORDS] = {
        { UINT64_C(0x1dfa0b5833e984c1), UINT64_C(0x0b8390f8f67191a8), UINT64_C(0x19c71539934fa90f),
          UINT64_C(0x133a3c6979c7cf2d), UINT64_C(0x14dbbe71efeb65b0), UINT64_C(0x18103b59013f6ebf) },
        { UINT64_C(0x01140079b8722e9d), UINT64_C(0x0365b2e170004cec), UINT64_C(0x0b18f68d63a0df93),
          UINT64_C(0x1713fee5f3223c15), UINT64_C(0x1ad0f7df6416ce2a), UINT64_C(0x0513daec6135c5ee) },
    };
    uint64_t word[KEY_WORDS] = { 0 };

    for (; k >= 3 * KEY_WORDS; k -= 3 * KEY_WORDS, deal += 3 * KEY_WORDS) {
        for (size_t i = 0; i < KEY_WORDS; i++)
            word[i] = key_word(deal + 3 * i, 3, bits);
        at[0] = key_steps(at[0], word, KEY_WORDS, power[0]);
        at[1] = key_steps(at[1], word, KEY_WORDS, power[1]);
    }
    for (size_t i = 0; 3 * i < k; i++)
        word[i] = key_word(deal + 3 * i, k - 3 * i, bits);
    for (size_t point = 0; k && point < 2; point++)
        at[point] = key_steps(at[point], word, (k + 2) / 3, power[point]);
    at[0] %= key_prime;
    at[1] %= key_prime;
}

struct sb_deck_key sb_deck_key(size_t n, size_t k, const sb_item deal[])
{
    uint64_t at[2] = { 0, 0 };

    if (sb_deals(n, k) != UINT64_MAX)
        return (struct sb_deck_key) { .high = key_mix(sb_permutation_rank(n, k, deal)), .low = 0 };
    if (n <= 1 << 16)
        key_polynomial(k, deal, 16, at);
    else
        key_polynomial(k, deal, 20, at); /* n <= SB_TALLIED_MOST < 2^20 */
    return (struct sb_deck_key) { .high = key_mix(at[0]), .low = key_mix(at[1]) };
}

/* ln of the probability that two of exp(ln_deals) deals are equal, or that their keys are. */
static double key_ln_pair(size_t n, size_t k, double ln_deals)
{
    if (sb_deals(n, k) < UINT64_MAX)
        return -ln_deals;
    const double ln_key = 2 * log((double)n * 0x1p-61), other = -ln_deals - ln_key;

    return other < 0 ? ln_key + log1p(exp(other)) : -ln_deals + log1p(exp(-other));
}

double sb_deck_key_ln_pair(size_t n, size_t k)
{
    double ln_deals = 0;

    for (size_t i = 0; i < k; i++)
        ln_deals += log((double)(n - i));
    return key_ln_pair(n, k, ln_deals);
}

double sb_deck_key_ln_pair_equal(const struct sb_multiset *multiset)
{
    return key_ln_pair(multiset->n, multiset->n, sb_multiset_ln_arrangements(multiset));
}

enum {
    /* number of bits in a digit of a key. There are so few digits that the level-1 cache holds the next key of every
     * part */
    KEY_BITS = 6,
    KEY_PARTS = 1 << KEY_BITS,
    KEY_DIGITS = 64 / KEY_BITS, /* digits of the high word; keys have all bits mixed */
    KEY_FEW = 32,               /* the most keys that are sorted by insertion before the last digit */
    KEY_THREAD_LEAST = 4096,    /* the fewest keys for each thread */
};

static size_t key_digit(struct sb_deck_key key, unsigned digit)
{
    return (size_t)(key.high >> (64 - KEY_BITS * (digit + 1))) % KEY_PARTS;
}

/* Partitions the keys in place by a digit, 0 being the leading one: part p becomes key[begin[p] .. begin[p+1]-1]. */
static void key_deal_out(struct sb_deck_key key[], size_t count, unsigned digit, size_t begin[KEY_PARTS + 1])
{
    size_t next[KEY_PARTS];

    for (size_t p = 0; p <= KEY_PARTS; p++)
        begin[p] = 0;
    for (size_t i = 0; i < count; i++)
        begin[key_digit(key[i], digit) + 1]++;
    for (size_t p = 0; p < KEY_PARTS; p++) {
        next[p] = begin[p];
        begin[p + 1] += begin[p];
    }
    for (size_t p = 0; p < KEY_PARTS; p++)
        while (next[p] < begin[p + 1]) {
            const size_t home = key_digit(key[next[p]], digit);

            if (home == p) {
                next[p]++;
            } else {
                const struct sb_deck_key moved = key[next[p]];

                key[next[p]] = key[next[home]];
                key[next[home]++] = moved;
            }
        }
}

static bool key_below(struct sb_deck_key x, struct sb_deck_key y)
{
    return x.high < y.high || (x.high == y.high && x.low < y.low);
}

/* What keys there are: how many different ones, and how often the most frequent one occurs. */
struct key_found {
    uint64_t distinct, most;
};

static void key_found_add(struct key_found *found, struct key_found more)
{
    found->distinct += more.distinct;
    found->most = more.most > found->most ? more.most : found->most;
}

/* Sorts the keys by insertion, and counts them. An equal key takes one comparison. */
static struct key_found key_count_few(struct sb_deck_key key[], size_t count)
{
    struct key_found found = { 0 };
    uint64_t run = 0;

    for (size_t i = 1; i < count; i++) {
        const struct sb_deck_key moved = key[i];
        size_t j = i;

        for (; j > 0 && key_below(moved, key[j - 1]); j--)
            key[j] = key[j - 1];
        key[j] = moved;
    }
    for (size_t i = 0; i < count; i++) {
        run = i > 0 && !key_below(key[i - 1], key[i]) ? run + 1 : 1;
        key_found_add(&found, (struct key_found) { run == 1, run });
    }
    return found;
}

/* Counts keys that are equal before this digit. */
static struct key_found key_count(struct sb_deck_key key[], size_t count, unsigned digit)
{
    size_t begin[KEY_PARTS + 1];
    struct key_found found = { 0 };

    if (count <= KEY_FEW || digit == KEY_DIGITS)
        return key_count_few(key, count);
    key_deal_out(key, count, digit, begin);
    for (size_t p = 0; p < KEY_PARTS; p++)
        key_found_add(&found, key_count(key + begin[p], begin[p + 1] - begin[p], digit + 1));
    return found;
}

/* State that the threads share. */
struct key_counting {
    struct sb_deck_key *key;
    size_t begin[KEY_PARTS + 1];
    atomic_size_t next; /* next part to take */
    struct key_found found[KEY_PARTS];
};

static void key_count_parts(void *state, size_t thread)
{
    struct key_counting *const counting = state;
    const size_t *const begin = counting->begin;
    size_t s;

    while ((s = atomic_fetch_add(&counting->next, 1)) < KEY_PARTS)
        counting->found[s] = key_count(counting->key + begin[s], begin[s + 1] - begin[s], 1);
}

void sb_deck_key_count(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct, uint64_t *most)
{
    struct key_counting counting = { .key = key };
    struct key_found found = { 0 };

    key_deal_out(key, count, 0, counting.begin);
    sb_threads_run(sb_threads_count(threads, count / KEY_THREAD_LEAST), key_count_parts, &counting);
    for (size_t s = 0; s < KEY_PARTS; s++)
        key_found_add(&found, counting.found[s]);
    *distinct = found.distinct;
    *most = found.most;
}

/* The key of a deck, which is never zero: zero marks a free slot in both algorithms. */
static inline struct sb_deck_key repeats_key(size_t n, size_t k, const sb_item deck[])
{
    struct sb_deck_key key = sb_deck_key(n, k, deck);

    key.low += !(key.high | key.low);
    return key;
}

/*
 * Repeated decks of a stream: the keys in the order of their decks, and a table with open addressing that finds
 * them. A slot of the table has the index of a key and a tag, which is seven bits of this key. So only a deck whose
 * tag equals the slot's tag needs a look at the key, in another part of memory: one in 128 of the new decks that meet
 * another deck. The table is at most half full. Cost for each deck: computing the key, and one access to the table.
 * Memory: 16 bytes for each deck in the set, and 8 to 16 bytes for the table, up to 400 MB.
 */

enum {
    STREAM_ROOM_LEAST = 1 << 10,
    STREAM_TAG_BITS = 8,  /* a tag is odd, so that a slot in use is not 0; the other seven bits are the key's */
    STREAM_TAG_FROM = 40, /* the table's index uses the lowest bits of a key, and a part of decks the highest */
    STREAM_AHEAD = 16,    /* how many keys ahead a growing table fetches slots */
};

struct sb_repeats_stream {
    size_t n, k;
    struct sb_deck_key *key; /* [room / 2] the keys; owned */
    /* [room] (index of a key) * 2^STREAM_TAG_BITS + tag; 0 marks a free slot; owned. An index is below
     * SB_REPEATS_MOST, so it has 24 bits. */
    uint32_t *slot;
    size_t room; /* number of slots, a power of two */
    uint64_t kept;
    bool full; /* memory ran out, or there are SB_REPEATS_MOST decks; no more decks are added */
    bool part; /* only a part of the decks is compared, and a full set is emptied */
    /* [SB_REPEATS_CARRIED] a ring: added deck t = 0, 1, ... is at index t modulo SB_REPEATS_CARRIED; owned;
     * NULL: the order is not recorded */
    struct sb_deck_key *newest;
    uint64_t noted; /* number of decks that were written to `newest` so far */
};

static struct sb_repeats_stream *stream_new(size_t n, size_t k, size_t room, bool part)
{
    struct sb_repeats_stream *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = (struct sb_repeats_stream) {
        .n = n,
        .k = k,
        .key = malloc(room / 2 * sizeof made->key[0]),
        .slot = sb_huge_pages_new(room, sizeof made->slot[0]),
        .room = room,
        .part = part,
    };
    if (made->key && made->slot)
        return made;
    sb_repeats_stream_free(made);
    return NULL;
}

struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k)
{
    return stream_new(n, k, STREAM_ROOM_LEAST, false);
}

struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k)
{
    return stream_new(n, k, 2 * (size_t)SB_REPEATS_ERA, true);
}

void sb_repeats_stream_free(struct sb_repeats_stream *repeats)
{
    if (!repeats)
        return;
    free(repeats->newest);
    free(repeats->slot);
    free(repeats->key);
    free(repeats);
}

uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats)
{
    return repeats->kept;
}

static uint32_t stream_tag(struct sb_deck_key key)
{
    return (uint32_t)(key.high >> STREAM_TAG_FROM) % (1 << STREAM_TAG_BITS) | 1;
}

static bool stream_is(const struct sb_repeats_stream *repeats, uint32_t slot, struct sb_deck_key key)
{
    const struct sb_deck_key *const kept = &repeats->key[slot >> STREAM_TAG_BITS];

    return slot % (1 << STREAM_TAG_BITS) == stream_tag(key) && kept->high == key.high && kept->low == key.low;
}

/* Returns the slot with this key or, if the set lacks the key, the free slot for it. */
static uint32_t *stream_find(const struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    size_t at = (size_t)key.high & (repeats->room - 1);

    while (repeats->slot[at] && !stream_is(repeats, repeats->slot[at], key))
        at = (at + 1) & (repeats->room - 1);
    return &repeats->slot[at];
}

/* Enters all keys in a table whose slots are free. The keys are different, so none needs a look. */
static void stream_enter(const struct sb_deck_key key[], size_t kept, uint32_t slot[], size_t room)
{
    for (size_t i = 0; i < kept; i++) {
        size_t at = (size_t)key[i].high & (room - 1);

        if (i + STREAM_AHEAD < kept)
            __builtin_prefetch(&slot[key[i + STREAM_AHEAD].high & (room - 1)], 1);
        while (slot[at])
            at = (at + 1) & (room - 1);
        slot[at] = (uint32_t)i << STREAM_TAG_BITS | stream_tag(key[i]);
    }
}

static bool stream_grow(struct sb_repeats_stream *repeats)
{
    uint32_t *const slot = sb_huge_pages_new(2 * repeats->room, sizeof *slot);
    struct sb_deck_key *const key = slot ? realloc(repeats->key, repeats->room * sizeof *key) : NULL;

    if (!key) {
        free(slot);
        return false;
    }
    stream_enter(key, (size_t)repeats->kept, slot, 2 * repeats->room);
    free(repeats->slot);
    repeats->slot = slot;
    repeats->key = key;
    repeats->room *= 2;
    return true;
}

struct sb_deck_key sb_repeats_stream_key(const struct sb_repeats_stream *repeats, const sb_item deck[])
{
    const struct sb_deck_key key = repeats_key(repeats->n, repeats->k, deck);

    __builtin_prefetch(&repeats->slot[key.high & (repeats->room - 1)], 1);
    return key;
}

bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    return !repeats->part || key.high >> (64 - SB_REPEATS_PART) == 0;
}

bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key)
{
    const size_t room = repeats->room;
    uint32_t *slot = stream_find(repeats, key);

    if (*slot)
        return true;
    if (repeats->part && repeats->kept == SB_REPEATS_ERA) { /* the set is full, and starts again */
        memset(repeats->slot, 0, room * sizeof repeats->slot[0]);
        repeats->kept = 0;
        slot = stream_find(repeats, key);
    }
    repeats->full =
        repeats->full || repeats->kept == SB_REPEATS_MOST || (2 * repeats->kept >= room && !stream_grow(repeats));
    if (repeats->full)
        return false;
    if (repeats->room > room)
        slot = stream_find(repeats, key);
    repeats->key[repeats->kept] = key;
    *slot = (uint32_t)repeats->kept++ << STREAM_TAG_BITS | stream_tag(key);
    if (repeats->newest)
        repeats->newest[repeats->noted++ % SB_REPEATS_CARRIED] = key;
    return false;
}

bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count)
{
    repeats->newest = calloc(SB_REPEATS_CARRIED, sizeof repeats->newest[0]);
    for (size_t i = 0; repeats->newest && i < count; i++)
        sb_repeats_stream_add(repeats, key[i]);
    return repeats->newest;
}

size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[])
{
    const size_t count = repeats->noted < SB_REPEATS_CARRIED ? (size_t)repeats->noted : SB_REPEATS_CARRIED;

    for (size_t i = 0; i < count; i++)
        key[i] = repeats->newest[(repeats->noted - count + i) % SB_REPEATS_CARRIED];
    return count;
}

double sb_repeats_stream_ln_pair_part(size_t n, size_t k)
{
    const double ln_pair = sb_deck_key_ln_pair(n, k) + SB_REPEATS_PART * log(2);

    return ln_pair - log1p(-fmin(0.5, 6 * exp(0.5 * ln_pair)));
}

/* Repeated decks of a sample: stores the key of each deck at the deck's index in the sample, and counts equal keys at
 * the end. The number of repeats does not depend on the order of the decks, so threads need no common order. Cost for
 * each compared deck: computing and counting its key, and 16 bytes of memory (256 MiB in all at most). */

struct sb_repeats_sample {
    const struct sb_multiset *multiset; /* borrowed; NULL: all items differ */
    size_t n, k, most;
    struct sb_deck_key *key; /* [most] by index in the sample; zero: not noted */
};

static size_t sample_most(const struct sb_multiset *multiset, size_t n, size_t k, uint64_t total)
{
    const double deals = multiset ? exp(sb_multiset_ln_arrangements(multiset)) : (double)sb_deals(n, k);
    const double few = pow(deals, 0.75) / 2; /* 2^47 if the number of deals does not fit in 64 bits */
    const uint64_t most = few < SB_REPEATS_MOST ? (uint64_t)few : SB_REPEATS_MOST;

    return (size_t)(total < most ? total : most);
}

struct sb_repeats_sample *sb_repeats_sample_new(const struct sb_multiset *multiset, size_t n, size_t k, uint64_t total)
{
    struct sb_repeats_sample *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made =
        (struct sb_repeats_sample) { .multiset = multiset, .n = n, .k = k, .most = sample_most(multiset, n, k, total) };
    made->key = calloc(made->most + 1, sizeof made->key[0]);
    if (made->key)
        return made;
    free(made);
    return NULL;
}

void sb_repeats_sample_free(struct sb_repeats_sample *repeats)
{
    if (!repeats)
        return;
    free(repeats->key);
    free(repeats);
}

bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first)
{
    return first < repeats->most;
}

/* The key of what a deck of groups looks like. */
static struct sb_deck_key sample_key(const struct sb_repeats_sample *repeats, const sb_item deck[])
{
    sb_item ordered[SB_REPEATS_GROUPED] = { 0 }, surplus;
    uint32_t used[SB_REPEATS_GROUPED + 1];

    if (!repeats->multiset)
        return repeats_key(repeats->n, repeats->k, deck);
    memcpy(ordered, deck, repeats->k * sizeof deck[0]);
    sb_multiset_order(repeats->multiset, repeats->k, ordered, used, &surplus);
    return repeats_key(repeats->n, repeats->k, ordered);
}

void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[], size_t count)
{
    for (size_t i = 0; i < count && first + i < repeats->most; i++)
        repeats->key[first + i] = sample_key(repeats, items + i * repeats->k);
}

void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks)
{
    sb_ranks_sum(ranks, (uint64_t *)repeats->key, 2 * repeats->most); /* only one MPI rank has a key at each index */
}

void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks, uint64_t *count)
{
    uint64_t distinct, most;
    size_t noted = 0;

    for (size_t i = 0; i < repeats->most; i++)
        if (repeats->key[i].high | repeats->key[i].low)
            repeats->key[noted++] = repeats->key[i];
    sb_deck_key_count(repeats->key, noted, threads, &distinct, &most);
    *decks = noted;
    *count = noted - distinct;
    repeats->most = 0;
}
