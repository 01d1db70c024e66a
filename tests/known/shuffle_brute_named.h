/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brute-force computations for the shuffles that are used by their names: those of data loaders, of packages,
 * and samples read as orders. */
#ifndef SB_TESTS_SHUFFLE_BRUTE_NAMED_H
#define SB_TESTS_SHUFFLE_BRUTE_NAMED_H

#include "shuffle_brute.h"

/* A stream of the items 0..n-1 that passes through a buffer. */
struct stream {
    size_t n, next, held, dealt; /* the next item of the stream; the items in the buffer; those that came out */
    uint8_t buffer[MOST], out[MOST];
};

/* Takes each item of the buffer in turn, with the same weight; 60 is a multiple of every number of items. */
static inline void flow(struct law *law, struct stream stream, size_t size, uint64_t weight)
{
    while (stream.next < stream.n && stream.held < size)
        stream.buffer[stream.held++] = (uint8_t)stream.next++;
    if (stream.held == 0 || stream.dealt >= MOST) {
        law->weight[encode(stream.n, stream.out)] += weight;
        return;
    }
    for (size_t k = 0; k < stream.held; k++) {
        struct stream after = stream;

        after.out[after.dealt++] = after.buffer[k];
        after.buffer[k] = after.buffer[--after.held];
        flow(law, after, size, weight / stream.held);
    }
}

static inline void buffer_of(struct law *law, size_t size)
{
    flow(law, (struct stream) { .n = law->n }, size, (uint64_t)60 * 60 * 60 * 60 * 60);
}

static inline void shuffle_buffer_1(struct law *law)
{
    buffer_of(law, 1);
}

static inline void shuffle_buffer_2(struct law *law)
{
    buffer_of(law, 2);
}

static inline void shuffle_buffer_4(struct law *law)
{
    buffer_of(law, 4);
}

/* Every arrangement in which the items of each chunk are neighbours. */
static inline void chunks_of_size(struct law *law, size_t size)
{
    for (size_t code = 0; code < power(law->n, law->n); code++) {
        uint8_t a[MOST] = { 0 };
        unsigned items = 0;
        size_t changes = 0; /* from one chunk to another */

        decode(law->n, code, a);
        for (size_t j = 0; j < law->n; j++)
            items |= 1U << a[j];
        for (size_t j = 1; j < law->n; j++)
            changes += a[j - 1] / size != a[j] / size;
        law->weight[code] = items + 1 == 1U << law->n && changes == (law->n - 1) / size;
    }
}

static inline void chunks_2(struct law *law)
{
    chunks_of_size(law, 2);
}

static inline void chunks_3(struct law *law)
{
    chunks_of_size(law, 3);
}

/* Every series of draws. The item is taken out of the list and put in again where the other one is then. */
static inline void insertion(struct law *law)
{
    const size_t n = law->n;

    for (size_t series = 0; series < power(n, n); series++) {
        uint8_t list[MOST] = { 0, 1, 2, 3, 4 };

        for (size_t item = 0, rest = series; item < n; item++, rest /= n) {
            const size_t sibling = rest % n;
            size_t length = 0, place = 0;

            if (sibling == item)
                continue;
            for (size_t j = 0; j < n; j++)
                if (list[j] != item)
                    list[length++] = list[j];
            while (list[place] != sibling)
                place++;
            for (size_t j = n - 1; j > place; j--)
                list[j] = list[j - 1];
            list[place] = (uint8_t)item;
        }
        law->weight[encode(n, list)]++;
    }
}

/* Only one arrangement. */
static inline void identity(struct law *law)
{
    start(law);
}

/* Every order of all items but the last, which stays. */
static inline void fisher_yates_starts_late(struct law *law)
{
    const size_t n = law->n;

    for (size_t code = 0; code < power(n, n); code++) {
        uint8_t a[MOST] = { 0 };
        unsigned items = 0;

        decode(n, code, a);
        for (size_t j = 0; j < n; j++)
            items |= 1U << a[j];
        law->weight[code] = items + 1 == 1U << n && a[n - 1] == n - 1;
    }
}

static inline void forward_stops_early(struct law *law)
{
    start(law);
    for (size_t i = 0; i + 2 < law->n; i++)
        mix(law, swap, i, i + 1, i, law->n, false);
}

/* One round as consensus-specs has it: for each index, and with a bit for the larger one of index and flip. */
static inline void swap_or_not_round(struct law *law)
{
    const size_t n = law->n;
    const struct law before = *law;

    memset(law->weight, 0, sizeof law->weight);
    for (size_t code = 0; code < power(n, n); code++)
        for (size_t pivot = 0; before.weight[code] && pivot < n; pivot++)
            for (size_t bits = 0; bits < power(2, n); bits++) {
                uint8_t from[MOST] = { 0 }, to[MOST] = { 0 };

                decode(n, code, from);
                for (size_t index = 0; index < n; index++) {
                    const size_t flip = (pivot + n - index) % n, position = flip > index ? flip : index;

                    to[index] = from[bits >> position & 1 ? flip : index];
                }
                law->weight[encode(n, to)] += before.weight[code];
            }
}

static inline void swap_or_not_1(struct law *law)
{
    start(law);
    swap_or_not_round(law);
}

static inline void swap_or_not_3(struct law *law)
{
    start(law);
    for (int round = 0; round < 3; round++)
        swap_or_not_round(law);
}

/* Every series of draws; the items of the deal that the sample lacks are 0, and are not looked at. */
static inline void floyd(struct law *law)
{
    const size_t n = law->n, k = law->deal;
    size_t count = 1;

    for (size_t j = n - k; j < n; j++)
        count *= j + 1;
    for (size_t series = 0; series < count; series++) {
        uint8_t sample[MOST] = { 0 };
        size_t length = 0;

        for (size_t j = n - k, rest = series; j < n; rest /= j + 1, j++) {
            size_t item = rest % (j + 1);

            for (size_t i = 0; i < length; i++)
                if (sample[i] == rest % (j + 1))
                    item = j;
            sample[length++] = (uint8_t)item;
        }
        law->weight[encode(n, sample)]++;
    }
}

/* Every set of k items, in ascending order. */
static inline void array_rand(struct law *law)
{
    for (unsigned set = 0; set < 1U << law->n; set++) {
        uint8_t sample[MOST] = { 0 };
        size_t length = 0;

        for (size_t item = 0; item < law->n; item++)
            if (set >> item & 1)
                sample[length++] = (uint8_t)item;
        if (length == law->deal)
            law->weight[encode(law->n, sample)]++;
    }
}

#endif
