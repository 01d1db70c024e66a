/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table of arrangements with open addressing and linear probing. The table doubles in size when it is
 * half full. A look-up takes O(n). The hash is FNV-1a of 64 bits by G. Fowler, L. C. Noll and K.-P. Vo, with
 * the high half folded into the low half.
 */
#include "exact/single/single_table.h"

#include "exact/single/single.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_ROOM = 64 };

static size_t table_find(const struct sb_single_table *table, const uint8_t a[])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t p = 0; p < table->n; p++)
        hash = (hash ^ a[p]) * UINT64_C(0x100000001b3);
    size_t slot = (size_t)(hash ^ hash >> 32) & (table->slots - 1);
    while (table->slot[slot] && memcmp(table->item + (table->slot[slot] - 1) * table->n, a, table->n) != 0)
        slot = (slot + 1) & (table->slots - 1);
    return slot;
}

/* Grows the table to `room` arrangements. If memory runs out, the table stays unchanged. */
static enum sb_status table_grow(size_t room, struct sb_single_table *table)
{
    uint8_t *const item = realloc(table->item, room * table->n + 1);
    mpz_t *weight;
    uint32_t *slot;

    if (!item)
        return SB_NO_MEMORY;
    table->item = item;
    weight = realloc(table->weight, room * sizeof *weight);
    if (!weight)
        return SB_NO_MEMORY;
    table->weight = weight;
    for (; table->room < room; table->room++)
        mpz_init(weight[table->room]);
    slot = calloc(2 * room, sizeof *slot);
    if (!slot)
        return SB_NO_MEMORY;
    free(table->slot);
    table->slot = slot;
    table->slots = 2 * room;
    for (size_t s = 0; s < table->count; s++)
        slot[table_find(table, item + s * table->n)] = (uint32_t)s + 1;
    return SB_OK;
}

enum sb_status sb_single_table_open(size_t n, struct sb_single_table *table)
{
    *table = (struct sb_single_table) { .n = n };
    return table_grow(TABLE_ROOM, table);
}

void sb_single_table_close(struct sb_single_table *table)
{
    for (size_t s = 0; s < table->room; s++)
        mpz_clear(table->weight[s]);
    free(table->item);
    free(table->weight);
    free(table->slot);
    *table = (struct sb_single_table) { 0 };
}

void sb_single_table_clear(struct sb_single_table *table)
{
    for (size_t s = 0; s < table->count; s++)
        mpz_set_ui(table->weight[s], 0);
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    table->count = 0;
}

enum sb_status sb_single_table_add(const uint8_t a[], const mpz_t weight, struct sb_single_table *table)
{
    size_t slot = table_find(table, a);

    if (!table->slot[slot]) {
        if (table->count == SB_SINGLE_STATES_MOST)
            return SB_TOO_LARGE;
        if (table->count == table->room) {
            if (table_grow(2 * table->room, table))
                return SB_NO_MEMORY;
            slot = table_find(table, a);
        }
        memcpy(table->item + table->count * table->n, a, table->n);
        table->slot[slot] = (uint32_t)++table->count;
    }
    mpz_add(table->weight[table->slot[slot] - 1], table->weight[table->slot[slot] - 1], weight);
    return SB_OK;
}

void sb_single_table_get(const struct sb_single_table *table, const uint8_t a[], mpz_t weight)
{
    const size_t slot = table_find(table, a);

    if (table->slot[slot])
        mpz_set(weight, table->weight[table->slot[slot] - 1]);
    else
        mpz_set_ui(weight, 0);
}
