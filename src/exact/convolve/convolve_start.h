/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first steps of `convolve` reach only few permutations. So these steps handle the permutations one by
 * one, in a hash table with linear probing. The key of a permutation has four bits for each item. For two
 * items or more, a key is never 0. Cost: a probe for each permutation and pair.
 *
 * One file for each type of cell includes this header.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_START_H
#define SB_EXACT_CONVOLVE_CONVOLVE_START_H

#include "exact/convolve/convolve_inner.h"

enum { START_MOST = 1 << 21 }; /* the largest number of permutations after a step */

struct start_table {
    unsigned bits; /* log2 of the number of slots */
    size_t used;
    uint64_t *key;    /* [2^bits] key of a permutation; 0: the slot is free; owned */
    tile_cell *value; /* [2^bits] owned */
};

static void start_close(struct start_table *table)
{
    free(table->key);
    free(table->value);
    *table = (struct start_table) { 0 };
}

static enum sb_status start_open(size_t most, struct start_table *table)
{
    struct start_table made = { .bits = 4 };

    while ((size_t)1 << made.bits < 2 * most)
        made.bits++;
    made.key = calloc((size_t)1 << made.bits, sizeof *made.key);
    made.value = calloc((size_t)1 << made.bits, sizeof *made.value);
    *table = made;
    return made.key && made.value ? SB_OK : SB_NO_MEMORY;
}

static void start_add(struct start_table *table, uint64_t key, tile_cell value, uint64_t modulus)
{
    const size_t mask = ((size_t)1 << table->bits) - 1;
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - table->bits));

    while (table->key[place] != 0 && table->key[place] != key)
        place = (place + 1) & mask;
    table->used += table->key[place] == 0;
    table->key[place] = key;
    table->value[place] = tile_reduce((tile_cell)(table->value[place] + value), modulus);
}

/* Computes the permutations after a swap, and their counts. */
static void start_swap(const struct sb_convolve_swap *swap, uint64_t modulus, const struct start_table *old,
                       struct start_table *new)
{
    tile_cell weight[SB_CONVOLVE_PAIRS];
    const tile_cell stay = tile_weight(swap, swap->stay, modulus);

    for (size_t k = 0; k < swap->pairs; k++)
        weight[k] = tile_weight(swap, swap->pair[k].weight, modulus);
    for (size_t place = 0; place < (size_t)1 << old->bits; place++) {
        const uint64_t key = old->key[place];

        if (key == 0)
            continue;
        if (!sb_wide_is_zero(swap->stay))
            start_add(new, key, tile_product(stay, old->value[place]), modulus);
        for (size_t k = 0; k < swap->pairs; k++) {
            const unsigned x = 4U * swap->pair[k].x, y = 4U * swap->pair[k].y;
            const uint64_t differ = (key >> x ^ key >> y) & 15;

            start_add(new, key ^ differ << x ^ differ << y, tile_product(weight[k], old->value[place]),
                      modulus);
        }
    }
}

static void start_list(const struct sb_convolve_plan *plan, const struct start_table *table,
                       sb_convolve_put *put, void *state)
{
    for (size_t place = 0; place < (size_t)1 << table->bits; place++) {
        sb_item a[ITEMS];

        if (table->key[place] == 0)
            continue;
        for (size_t p = 0; p < plan->n; p++)
            a[p] = table->key[place] >> 4 * p & 15;
        put(state, a, &table->value[place]);
    }
}

/* Returns the count of the identity before the first step: the product of the common factors of all swaps. */
static tile_cell start_value(const struct sb_convolve_plan *plan, uint64_t modulus)
{
    tile_cell value = 1;

#ifndef CONVOLVE_SHARE
    for (size_t k = 0; k < plan->count; k++)
        value = tile_reduce(tile_product(value, tile_weight(&plan->swap[k], plan->swap[k].common, modulus)),
                            modulus);
#else
    (void)plan;
    (void)modulus;
#endif
    return value;
}

static enum sb_status start_steps(const struct sb_convolve_plan *plan, uint64_t modulus, size_t steps,
                                  size_t *done, sb_convolve_put *put, void *state)
{
    const size_t most = plan->cells / 4 < START_MOST ? plan->cells / 4 : START_MOST;
    struct start_table table, next = { 0 };
    enum sb_status status = start_open(1, &table);
    uint64_t identity = 0;
    size_t k = 0;

    for (size_t i = 0; i < plan->n; i++)
        identity |= (uint64_t)i << 4 * i;
    if (status == SB_OK)
        start_add(&table, identity, start_value(plan, modulus), modulus);
    while (status == SB_OK && k < steps && table.used * (plan->swap[k].pairs + 1) <= most) {
        status = start_open(table.used * (plan->swap[k].pairs + 1), &next);
        if (status == SB_OK)
            start_swap(&plan->swap[k++], modulus, &table, &next);
        start_close(&table);
        table = next;
    }
    if (status == SB_OK) {
        *done = k;
        start_list(plan, &table, put, state);
    }
    start_close(&table);
    return status;
}

#endif
