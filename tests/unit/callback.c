/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C functions as subjects: their arguments, their results, and what they may not do. */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"
#include "subject/parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A small generator of its own for each subject: xorshift64*, Vigna, doi:10.1145/2845077. */
static size_t below(uint64_t *word, size_t bound)
{
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    return (size_t)((*word * UINT64_C(2685821657736338717) >> 32) * bound >> 32);
}

static void exchange(void *items, size_t size, size_t i, size_t j)
{
    unsigned char *const a = (unsigned char *)items + i * size, *const b = (unsigned char *)items + j * size;

    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = a[k];

        a[k] = b[k];
        b[k] = byte;
    }
}

static int fisher_yates(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = n; i > 1; i--)
        exchange(items, size, i - 1, below(word, i));
    return 0;
}

static int naive(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, size, i, below(word, n));
    return 0;
}

/* The last item comes first. */
static int rotate(void *items, size_t n, size_t size, void *state)
{
    for (size_t i = n - 1; i > 0; i--)
        exchange(items, size, i, i - 1);
    return 0;
}

/* The first one overwrites the second at the third call. */
static int loses(void *items, size_t n, size_t size, void *calls)
{
    if (++*(unsigned *)calls == 3)
        memcpy((unsigned char *)items + size, items, size);
    return 0;
}

/* Moves all but the last byte of each item. */
static int tears(void *items, size_t n, size_t size, void *state)
{
    const unsigned char last = ((unsigned char *)items)[size - 1];

    exchange(items, size, 0, 1);
    ((unsigned char *)items)[2 * size - 1] = ((unsigned char *)items)[size - 1];
    ((unsigned char *)items)[size - 1] = last;
    return 0;
}

static int counts_on(void *items, size_t n, size_t size, void *state)
{
    ((uint32_t *)items)[0] = 3000000000;
    return 0;
}

/* Sorted as unsigned integers of that size, each is itself. */
static int are_integers(void *items, size_t n, size_t size, void *state)
{
    *(bool *)state = true;
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = size == 1   ? ((uint8_t *)items)[i]
                                : size == 2 ? ((uint16_t *)items)[i]
                                : size == 4 ? ((uint32_t *)items)[i]
                                            : ((uint64_t *)items)[i];

        *(bool *)state = *(bool *)state && number == i;
    }
    return 0;
}

/* The first `wanted` deals of a function, a batch of at most `most` at a time. */
static void deals_of(const struct sb_subject *callback, size_t wanted, size_t most, sb_item deals[])
{
    struct sb_feed *feed;
    const sb_item *items;
    size_t count = 0;

    assert_int_equal(sb_callback_new(callback, NULL, &feed), SB_OK);
    for (size_t done = 0; done < wanted; done += count) {
        const size_t left = wanted - done;

        assert_int_equal(feed->next(feed, left < most ? left : most, &items, &count, NULL), SB_OK);
        assert_in_range(count, 1, left);
        memcpy(deals + done * feed->deal, items, count * feed->deal * sizeof items[0]);
    }
    sb_feed_free(feed);
}

TEST(small_items_are_integers)
{
    for (size_t size = 1; size <= 8; size *= 2) {
        bool are = false;
        sb_item deal[200];
        const struct sb_subject callback = {
            .name = "are", .shuffle = are_integers, .state = &are, .n = 200, .deal = 200, .size = size
        };

        deals_of(&callback, 1, 1, deal);
        assert_true(are);
    }
}

/* Whatever the size of an item, the same draws make the same permutations; and whatever the batches. */
TEST(sizes_and_batches_do_not_matter)
{
    enum { DECKS = 2000, ITEMS = 7 };
    static sb_item first[DECKS * ITEMS], other[DECKS * ITEMS];

    for (size_t size = 1; size < 20; size++) {
        uint64_t word = 1;
        const struct sb_subject callback = {
            .name = "sizes", .shuffle = fisher_yates, .state = &word, .n = ITEMS, .deal = ITEMS, .size = size
        };

        deals_of(&callback, DECKS, size, size == 1 ? first : other);
        if (size > 1)
            assert_memory_equal(first, other, sizeof first);
    }
}

TEST(each_begins_anew_or_goes_on)
{
    const sb_item anew[] = { 3, 0, 3, 0 }, on[] = { 3, 0, 1, 2, 2, 3, 0, 1 };
    struct sb_subject callback = { .name = "rotate", .shuffle = rotate, .n = 4, .deal = 2 };
    sb_item deals[8];

    deals_of(&callback, 2, 9, deals); /* its first two cards */
    assert_memory_equal(deals, anew, sizeof anew);
    callback.deal = 4;
    callback.chained = true;
    deals_of(&callback, 2, 9, deals);
    assert_memory_equal(deals, on, sizeof on);
}

TEST(broken_words_are_named)
{
    unsigned calls = 0;
    const struct {
        sb_own_shuffle *shuffle;
        size_t n, size;
        enum sb_status status;
        const char *says;
    } cases[] = {
        { loses, 4, 2, SB_SUBJECT, "mine, shuffle 3: item 0 stands twice, again at position 1" },
        { tears, 4, 5, SB_SUBJECT, "mine, shuffle 1: no item stands at position 0 any more: move all 5 bytes" },
        { counts_on, 4, 4, SB_SUBJECT, "no item stands at position 0" },
        { naive, 300, 1, SB_INVALID, "300 items do not differ in one byte each" },
        { naive, 65537, 2, SB_INVALID, "use a size of 4 or 8" },
        { naive, 1000001, 4, SB_TOO_LARGE, "use n <= 1000000" },
        { naive, 3, SIZE_MAX, SB_TOO_LARGE, "too many" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sb_subject subject = {
            .shuffle = cases[i].shuffle, .name = "mine", .state = &calls, .n = cases[i].n, .size = cases[i].size
        };
        struct sb_request options;
        struct sb_gate *gate;
        struct sb_error error;

        sb_request_init(&options, SB_GATE);
        assert_int_equal(sb_gate_new(&subject, &options, &error, &gate), cases[i].status);
        assert_non_null(strstr(error.text, cases[i].says));
    }
}

/* A trial of its own; the functions' draws are of fixed seeds. */
struct trial {
    sb_own_shuffle *shuffle;
    bool chained;
    uint64_t word;
    const char *verdict;
    struct sb_gate_summary summary;
    char sentence[400];
};

TEST(subjects_are_one_thing)
{
    const struct sb_subject subjects[] = {
        { .shuffle = naive, .scheme = "naive" },
        { .shuffle = naive, .input = "u8" },
        { .shuffle = naive, .n = 3, .deal = 4 },
        { .shuffle = naive, .n = 1 },
        { .shuffle = naive, .n = 3, .deal = 2, .chained = true },
    };

    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        struct sb_request options;
        struct sb_gate *gate;

        sb_request_init(&options, SB_GATE);
        assert_int_equal(sb_gate_new(&subjects[i], &options, NULL, &gate), SB_INVALID);
    }
}
