/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects that contain the numbers of their items. Cost per shuffle: each object is copied once and read
 * once. */
#include "subject/peer/items.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_BYTES_MOST = 1 << 30 }; /* the most bytes of all objects together */

/* The number of bytes that hold the item's number, at the start of an object. */
static size_t items_width(size_t size)
{
    return size == 1 || size == 4 || size == 8 ? size : 2;
}

static void items_write(uint64_t number, size_t size, unsigned char object[])
{
    const uint8_t u8 = (uint8_t)number;
    const uint16_t u16 = (uint16_t)number;
    const uint32_t u32 = (uint32_t)number;

    switch (items_width(size)) {
    case 1:
        memcpy(object, &u8, sizeof u8);
        break;
    case 2:
        memcpy(object, &u16, sizeof u16);
        break;
    case 4:
        memcpy(object, &u32, sizeof u32);
        break;
    default:
        memcpy(object, &number, sizeof number);
        break;
    }
    for (size_t i = items_width(size); i < size; i++)
        object[i] = (unsigned char)(number * 167 + (number >> 8) + i * 59);
}

static uint64_t items_number(size_t size, const unsigned char object[])
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    switch (items_width(size)) {
    case 1:
        memcpy(&u8, object, sizeof u8);
        return u8;
    case 2:
        memcpy(&u16, object, sizeof u16);
        return u16;
    case 4:
        memcpy(&u32, object, sizeof u32);
        return u32;
    default:
        memcpy(&u64, object, sizeof u64);
        return u64;
    }
}

enum sb_status sb_items_open(size_t n, size_t size, struct sb_error *error, struct sb_items *items)
{
    struct sb_items made = { .n = n, .size = size ? size : sizeof(uint16_t) };

    if (n > SB_TALLIED_MOST || made.size > ITEMS_BYTES_MOST / (n + !n))
        return sb_error_set(error, SB_TOO_LARGE,
                            "%zu items of %zu bytes are too many: use n <= %d, 1 GiB in all", n, made.size,
                            SB_TALLIED_MOST);
    if (made.size == 1 && n > UINT8_MAX + 1)
        return sb_error_set(error, SB_INVALID, "%zu items do not differ in one byte each: use a larger size",
                            n);
    if (items_width(made.size) == 2 && n > UINT16_MAX + 1)
        return sb_error_set(error, SB_INVALID,
                            "%zu items do not differ in two bytes each: use a size of 4 or 8", n);
    made.order = calloc(n + 1, made.size);
    made.array = calloc(n + 1, made.size);
    if (!made.order || !made.array) {
        sb_items_close(&made);
        return sb_error_memory(error, "items to be shuffled");
    }
    for (size_t i = 0; i < n; i++)
        items_write(i, made.size, made.order + i * made.size);
    sb_items_reset(&made);
    *items = made;
    return SB_OK;
}

void sb_items_close(struct sb_items *items)
{
    free(items->order);
    free(items->array);
    *items = (struct sb_items) { .order = NULL };
}

void sb_items_reset(struct sb_items *items)
{
    memcpy(items->array, items->order, items->n * items->size);
}

void sb_items_read(const struct sb_items *items, sb_item item[])
{
    const size_t size = items->size, width = items_width(size);
    const unsigned char *object = items->array;

    for (size_t i = 0; i < items->n; i++, object += size) {
        const uint64_t number = items_number(size, object);
        const bool torn = number < items->n &&
                          memcmp(object + width, items->order + number * size + width, size - width) != 0;

        item[i] = torn || number > SB_ITEMS_NONE ? SB_ITEMS_NONE : (sb_item)number;
    }
}
