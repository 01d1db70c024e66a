/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognises results that are all the same: at each position of the deal, one item has come up each time. The counts of
 * items by position say so, whatever the source of the permutations.
 */
#include "core/core.h"
#include "study/catalogue/catalogue_look.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALWAYS_ITEMS = 16, /* up to this many items, all are written */
    ALWAYS_FIRST = 8,  /* of more items, this many and the last are written */
};

/* Counts of items, or of kinds of equal items, by position. */
struct always_table {
    const uint64_t *count;
    size_t rows, columns, row_step, column_step;
    uint64_t total;
    const struct sb_multiset *multiset; /* if the rows are kinds; else NULL */
};

/* Returns the row that has all counts of the column; `rows` if there is none. */
static size_t always_row(const struct always_table *table, size_t column)
{
    size_t row = 0;

    while (row < table->rows &&
           table->count[row * table->row_step + column * table->column_step] != table->total)
        row++;
    return row;
}

/* Returns the row of the item that is at this position before the shuffle. */
static size_t always_original(const struct always_table *table, size_t position)
{
    return table->multiset ? table->multiset->kind[position] : position;
}

static enum sb_always always_kind(const struct always_table *table, size_t n)
{
    bool original = true, reversed = true;

    for (size_t j = 0; j < table->columns; j++) {
        const size_t row = always_row(table, j);

        if (row == table->rows)
            return SB_ALWAYS_NOT;
        original = original && row == always_original(table, j);
        reversed = reversed && row == always_original(table, n - 1 - j);
    }
    return original           ? SB_ALWAYS_ORIGINAL
           : reversed         ? SB_ALWAYS_REVERSED
           : table->total > 1 ? SB_ALWAYS_SAME
                              : SB_ALWAYS_NOT;
}

/* Writes the order: "3 1 2", or "AS 2S 3S 4S 5S 6S 7S 8S ... KC". */
static enum sb_status always_write(const struct always_table *table, const struct sb_item_names *names,
                                   struct sb_looks_like *looks_like)
{
    const struct sb_multiset *const multiset = table->multiset;
    struct sb_sentence s = { 0 };
    char text[SB_ITEM_ROOM];

    for (size_t j = 0; j < table->columns; j++) {
        const size_t row = always_row(table, j);
        const size_t item = multiset ? multiset->member[multiset->begin[row]] : row;

        if (table->columns <= ALWAYS_ITEMS || j < ALWAYS_FIRST || j + 1 == table->columns)
            sb_sentence_add(&s, "%s%s", j ? " " : "", sb_item_name(names, item, text));
        else if (j == ALWAYS_FIRST)
            sb_sentence_add(&s, " ...");
    }
    looks_like->order = sb_sentence_take(&s);
    return looks_like->order ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status always_look(const struct always_table *table, size_t n,
                                  const struct sb_item_names *names, struct sb_looks_like *looks_like)
{
    looks_like->always = table->total && table->rows > 1 ? always_kind(table, n) : SB_ALWAYS_NOT;
    return looks_like->always ? always_write(table, names, looks_like) : SB_OK;
}

enum sb_status sb_always_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_looks_like *looks_like)
{
    for (size_t i = 0; i < count; i++) {
        const bool item = strcmp(tally[i].statistic, "position") == 0;
        const bool kind = strcmp(tally[i].statistic, "card-at") == 0;
        const struct always_table table = {
            .count = tally[i].count,
            .rows = item ? tally[i].members : tally[i].cells,
            .columns = deal,
            .row_step = item ? tally[i].cells : 1,
            .column_step = item ? 1 : tally[i].cells,
            .total = tally[i].total,
            .multiset = kind ? sb_item_multiset(names) : NULL,
        };

        /* in decks with equal items, `position` tells them apart at random */
        if (tally[i].lag == 0 && !tally[i].first && (kind || (item && !sb_item_multiset(names))))
            return always_look(&table, n, names, looks_like);
    }
    return SB_OK;
}

enum sb_status sb_always_counted(const struct sb_evidence *evidence, struct sb_looks_like *looks_like)
{
    const struct always_table table = {
        .count = evidence->matrix.u64,
        .rows = sb_evidence_rows(evidence),
        .columns = evidence->deal,
        .row_step = evidence->deal,
        .column_step = 1,
        .total = evidence->total,
        .multiset = sb_item_multiset(evidence->names),
    };

    if (evidence->by != SB_BY_SAMPLE || evidence->matrix.form != SB_NUMBERS_U64)
        return SB_OK;
    return always_look(&table, evidence->n, evidence->names, looks_like);
}
