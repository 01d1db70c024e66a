/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fast parsing of records with the layout of an earlier record, the model. The code compares the bytes
 * between the items eight at a time. The items are a permutation if the OR of 1 << item over all n items is
 * 2^n - 1. Cost: two loads and a store per item.
 */
#include "core/vector.h"
#include "subject/parts.h"

#include <string.h>

enum { LAYOUT_NONE = 63 }; /* the bit that marks bytes that are not items */

static void layout_items(size_t n, uint8_t zero, struct sb_layout *layout)
{
    *layout = (struct sb_layout) { .n = n, .zero = zero };
    for (size_t byte = 0; byte < 256; byte++)
        layout->bit[byte] = UINT64_C(1) << LAYOUT_NONE;
    for (size_t item = 0; item < n; item++)
        layout->bit[(zero + item) & 255] = UINT64_C(1) << item;
}

void sb_layout_learn(const uint8_t record[], size_t length, size_t n, uint8_t zero, struct sb_layout *layout)
{
    uint8_t mask[SB_LAYOUT_MOST] = { 0 }, same[SB_LAYOUT_MOST] = { 0 };
    size_t items = 0, last = 0;
    bool even = true;

    layout->length = 0;
    layout->step = 1;
    if (n == 0 || n >= LAYOUT_NONE || length > SB_LAYOUT_MOST)
        return;
    if (layout->n != n || layout->zero != zero)
        layout_items(n, zero, layout);
    for (size_t at = 0; at < length; at++) {
        if (layout->bit[record[at]] >> LAYOUT_NONE) {
            mask[at] = 255;
            same[at] = record[at];
            continue;
        }
        if (items == 0)
            layout->first = at;
        else if (items == 1)
            layout->step = at - last;
        else
            even = even && at - last == layout->step;
        last = at;
        items++;
    }
    memcpy(layout->mask, mask, sizeof mask);
    memcpy(layout->same, same, sizeof same);
    if (items == n && even)
        layout->length = length;
}

static inline bool layout_between(const struct sb_layout *layout, const uint8_t *at, size_t length)
{
    uint64_t other = 0;

    for (size_t word = 0; 8 * word < length; word++) {
        uint64_t bytes;

        memcpy(&bytes, at + 8 * word, sizeof bytes);
        other |= (bytes & layout->mask[word]) ^ layout->same[word];
    }
    return !other;
}

static inline size_t layout_count(const struct sb_layout *layout, const uint8_t *at, size_t most, size_t n, size_t step,
                                  size_t length)
{
    const uint64_t all = (UINT64_C(1) << n) - 1;
    size_t count = 0;

    for (; count < most; count++, at += length) {
        const uint8_t *const first = at + layout->first;
        uint64_t seen = 0;

        for (size_t j = 0; j < n; j++)
            seen |= layout->bit[first[j * step]];
        if (seen != all || (length > n && !layout_between(layout, at, length)))
            break;
    }
    return count;
}

static inline void layout_take(const uint8_t *at, size_t count, size_t step, uint8_t zero, sb_item items[])
{
    for (size_t j = 0; j < count; j++)
        items[j] = (sb_item)(at[j * step] - zero);
}

/* Counts and reads records. The function is inline because the compiled code is several times as fast if n,
 * step and length are constants. */
static inline size_t layout_run(const struct sb_layout *layout, const uint8_t *at, size_t most, size_t n, size_t step,
                                size_t length, sb_item items[])
{
    const size_t count = layout_count(layout, at, most, n, step, length);

    at += layout->first;
    if (length == n * step)
        layout_take(at, count * n, step, layout->zero, items);
    else
        for (size_t d = 0; d < count; d++)
            layout_take(at + d * length, n, step, layout->zero, items + d * n);
    return count;
}

size_t sb_layout_read(const struct sb_layout *layout, const uint8_t *at, const uint8_t *end, size_t most,
                      sb_item items[])
{
    const size_t n = layout->n, step = layout->step, length = layout->length;
    const size_t there = length ? (size_t)(end - at) / length : 0;

    most = most < there ? most : there;
    if (n == 5 && length == 5)
        return layout_run(layout, at, most, 5, 1, 5, items);
    if (n == 5 && step == 2 && length == 10)
        return layout_run(layout, at, most, 5, 2, 10, items);
    if (length == n)
        return layout_run(layout, at, most, n, 1, n, items);
    return layout_run(layout, at, most, n, step, length, items);
}

/* ---- stream numbers ---- */

/*
 * Fast parsing of lines of numbers. The general parser takes a byte at a time. The fast parser finds the
 * digits of eight bytes at once, by arithmetic on a 64-bit word, and converts all digits of a number at once.
 * The fast parser accepts only lines that the general parser accepts without any message. In such a line,
 * numbers of up to eight digits, between blanks and punctuation, are a valid deal. The fast parser leaves all
 * other lines to the general parser, so error messages do not depend on the fast parser.
 *
 * Cost: about 15 operations for eight bytes, and 15 for each number.
 */

enum {
    NUMBERS_BLOCK = 64,   /* number of bytes whose digits are found together, one bit for each byte */
    NUMBERS_FEW = 4,      /* the most digits of a number that takes only two multiplications */
    NUMBERS_DIGITS = 8,   /* the most digits of a number */
    NUMBERS_IN_WORD = 64, /* the most items for which a set of items is one word */
};

static const uint64_t numbers_ones = UINT64_C(0x0101010101010101), numbers_tops = UINT64_C(0x8080808080808080);

/* Returns a word in which the top bit of a byte is 1 if this byte of x is `least` or more. All other bits are
 * 0. All bytes of x must be below 128. */
static inline uint64_t numbers_from(uint64_t x, uint8_t least)
{
    return (x + (128U - least) * numbers_ones) & numbers_tops;
}

/* The digits of a block: bit i is 1 if byte i is a digit. */
struct numbers_block {
    uint64_t digits;
    /* number of bytes before the line's end; NUMBERS_BLOCK if the line does not end in this block */
    size_t length;
};

/* Finds the digits of a block, up to the line's end. Returns false if the block has a byte that may not stand between
 * numbers, or if the bytes end before the line does. */
static bool numbers_scan(const uint8_t class[256], const uint8_t *at, const uint8_t *end, struct numbers_block *block)
{
    *block = (struct numbers_block) { .length = NUMBERS_BLOCK };
    for (size_t i = 0; i < NUMBERS_BLOCK; i += 8) {
        if (at + i >= end)
            return false;
        const uint64_t word = sb_load_little_endian(at + i), digit = word ^ '0' * numbers_ones;
        const uint64_t low = digit & ~numbers_tops, space = (word ^ ' ' * numbers_ones) & ~numbers_tops;
        const uint64_t others = numbers_from(low, 10) | (digit & numbers_tops);
        uint64_t left = others & (numbers_from(space, 1) | (word & numbers_tops));

        /* the top byte of the product collects one bit from each of the eight bytes */
        block->digits |= ((~others & numbers_tops) >> 7) * UINT64_C(0x0102040810204080) >> 56 << i;
        for (; left; left &= left - 1) {
            const size_t here = i + (size_t)__builtin_ctzll(left) / 8;
            const uint8_t kind = class[at[here]];

            if (kind == TEXT_LF || (kind == TEXT_CR && at + here + 1 < end && at[here + 1] == '\n')) {
                block->length = here;
                block->digits &= (UINT64_C(1) << here) - 1;
                return at + here < end;
            }
            if (kind != TEXT_BLANK && kind != TEXT_OTHER)
                return false;
        }
    }
    return at + NUMBERS_BLOCK <= end;
}

/* [k] a mask for the values of the last k of eight digits; the last digit is in the highest byte. */
static const uint64_t numbers_last[NUMBERS_DIGITS + 1] = {
    0,
    UINT64_C(0x0F00000000000000),
    UINT64_C(0x0F0F000000000000),
    UINT64_C(0x0F0F0F0000000000),
    UINT64_C(0x0F0F0F0F00000000),
    UINT64_C(0x0F0F0F0F0F000000),
    UINT64_C(0x0F0F0F0F0F0F0000),
    UINT64_C(0x0F0F0F0F0F0F0F00),
    UINT64_C(0x0F0F0F0F0F0F0F0F),
};

/* Returns the value of a number of `digits` digits, 1 to NUMBERS_DIGITS. The last digit is at end[-1]. Loads
 * eight bytes. */
static inline uint32_t numbers_value(const uint8_t *end, size_t digits)
{
    uint64_t x = sb_load_little_endian(end - NUMBERS_DIGITS) & numbers_last[digits];

    if (digits <= NUMBERS_FEW) {
        uint32_t y = (uint32_t)(x >> 32);

        y = (10 * y + (y >> 8)) & UINT32_C(0x00FF00FF);
        return (100 * y + (y >> 16)) & 0xFFFF;
    }
    x = (10 * x + (x >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    x = (100 * x + (x >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(10000 * x + (x >> 32));
}

/* A line that is being parsed. */
struct numbers_line {
    size_t open;    /* number of digits at the end of the previous block, if a number has not ended yet */
    size_t count;   /* numbers so far */
    uint64_t seen;  /* one bit for each item so far, at the item's number modulo 64 */
    uint32_t above; /* the largest item so far; above all items if a number was below the base */
};

/* Adds the numbers that end in the block at `at` to items[deal]. Returns false if there are too many numbers
 * or digits. */
static inline bool numbers_take(const uint8_t *at, uint64_t digits, size_t deal, uint32_t base, sb_item items[],
                                struct numbers_line *line)
{
    const uint64_t before = digits << 1 | (line->open > 0); /* bit i: byte i - 1 is a digit */
    uint64_t starts = digits & ~before, ends = before & ~digits, seen = line->seen;
    size_t count = line->count, open = line->open;
    uint32_t above = line->above;

    for (; ends; ends &= ends - 1) {
        const size_t end = (size_t)__builtin_ctzll(ends);
        size_t length = end + open;

        if (!open) {
            length = end - (size_t)__builtin_ctzll(starts);
            starts &= starts - 1;
        }
        open = 0;
        if (count == deal || length > NUMBERS_DIGITS)
            return false;
        const uint32_t item = numbers_value(at + end, length) - base;

        above = item > above ? item : above;
        seen |= UINT64_C(1) << (item & 63);
        items[count++] = (sb_item)item;
    }
    if (starts)
        open = NUMBERS_BLOCK - (size_t)__builtin_ctzll(starts);
    else if (open) /* no number ended */
        open += digits ? NUMBERS_BLOCK : 0;
    *line = (struct numbers_line) { .open = open, .count = count, .seen = seen, .above = above };
    return open <= NUMBERS_DIGITS;
}

/* Parses the line at `at` into a deal. Returns a pointer to the byte after the line, or NULL if the general
 * parser must read the line. */
static const uint8_t *numbers_line(const struct sb_stream *stream, const uint8_t *at, sb_item items[])
{
    const size_t n = stream->feed.n, deal = stream->feed.deal;
    struct numbers_line line = { .count = 0 };
    struct numbers_block block = { .length = NUMBERS_BLOCK };

    if (at - stream->buffer < NUMBERS_DIGITS)
        return NULL;
    for (; block.length == NUMBERS_BLOCK; at += block.length)
        if (!numbers_scan(stream->text.class, at, stream->end, &block) ||
            !numbers_take(at, block.digits, deal, (uint32_t)stream->base, items, &line))
            return NULL;
    if (line.count != deal || line.above >= n)
        return NULL;
    if (n <= NUMBERS_IN_WORD ? (size_t)__builtin_popcountll(line.seen) != deal : !sb_permutation_valid(n, deal, items))
        return NULL;
    return at + (*at == '\n' ? 1 : 2);
}

size_t sb_numbers_read(struct sb_stream *stream)
{
    const struct sb_text *const text = &stream->text;
    const size_t before = stream->count;

    if (stream->named || text->free || stream->feed.deal == 0 || stream->base < 0 || text->labels.expected ||
        text->labels.length || text->labels.open)
        return 0;
    while (stream->count < stream->most && stream->at < stream->end) {
        const uint8_t *const next = numbers_line(stream, stream->at, stream->items + stream->count * stream->feed.deal);

        if (!next)
            break;
        stream->at = next;
        stream->count++;
        stream->deals++;
    }
    return stream->count - before;
}
