/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels of a table of counts as orders: 231, "2 3 1", [2, 3, 1], bca. Cost: linear, and a sort of the items. */
#include "core/text.h"
#include "subject/subject.h"

/* The state of reading. */
struct orders {
    const struct sb_count_file *file;
    size_t n, k;
    char **text;                 /* [rows] the labels with blanks between items; owned, as are its texts */
    char **token;                /* [rows * k]; owned */
    sb_item *items;              /* [rows * k]; owned */
    struct sb_item_names *names; /* NULL: numbers from 1, or not known yet */
};

static const char orders_between[] = " ,.;-|>/()[]\t";

/* Returns a label with blanks between its items, which are its characters or, if it has separators, what stands between
 * them. The caller frees it. */
static char *orders_spaced(const char *label)
{
    const bool apart = strpbrk(label, orders_between) != NULL;
    char *const spaced = calloc(2 * strlen(label) + 1, 1);
    size_t used = 0;

    for (const char *c = label; spaced && *c;) {
        const char *const begin = c;

        sb_utf8_next(&c);
        if (apart && strchr(orders_between, *begin)) {
            spaced[used++] = ' ';
            continue;
        }
        memcpy(spaced + used, begin, (size_t)(c - begin));
        used += (size_t)(c - begin);
        if (!apart && *c)
            spaced[used++] = ' ';
    }
    return spaced;
}

static size_t orders_count(const char *spaced)
{
    size_t count = 0;

    for (const char *c = spaced + strspn(spaced, " "); *c; c += strspn(c, " "), count++)
        c += strcspn(c, " ");
    return count;
}

/* Whether a label is playing cards without blanks: AsKd is two cards, and no order of four letters. */
static bool orders_cards(const char *label)
{
    const char *c = label;

    while (*c && strchr("23456789TJQKA", c[0]) && c[1] && strchr("shdc", c[1]))
        c += 2;
    return c > label && !*c;
}

static void orders_close(struct orders *orders)
{
    for (size_t i = 0; orders->text && i < orders->file->rows; i++)
        free(orders->text[i]);
    free(orders->text);
    free(orders->token);
    free(orders->items);
}

/* Splits the labels. Sets k to their number of items; to 0 if the numbers differ. SB_NO_MEMORY. */
static enum sb_status orders_split(struct orders *orders)
{
    const size_t rows = orders->file->rows;

    orders->text = calloc(rows, sizeof *orders->text);
    if (!orders->text)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        orders->text[i] = orders_spaced(orders->file->label[i]);
        if (!orders->text[i])
            return SB_NO_MEMORY;
        const size_t k = orders_count(orders->text[i]);

        if ((i && k != orders->k) || orders_cards(orders->file->label[i])) {
            orders->k = 0;
            return SB_OK;
        }
        orders->k = k;
    }
    orders->token = calloc(rows * orders->k + 1, sizeof *orders->token);
    orders->items = calloc(rows * orders->k + 1, sizeof *orders->items);
    if (!orders->token || !orders->items)
        return SB_NO_MEMORY;
    for (size_t i = 0, at = 0; i < rows; i++) {
        char *rest = NULL;

        for (char *token = strtok_r(orders->text[i], " ", &rest); token; token = strtok_r(NULL, " ", &rest))
            orders->token[at++] = token;
    }
    return SB_OK;
}

/* Reads items that are numbers from 0 or from 1. Returns false if they are not. */
static bool orders_numbers(struct orders *orders, size_t count, size_t *base)
{
    uint64_t most = 0, least = UINT64_MAX, number;

    for (size_t i = 0; i < count; i++) {
        if (!sb_name_number(orders->token[i], &number) || number > SB_ITEMS_MOST)
            return false;
        most = number > most ? number : most;
        least = number < least ? number : least;
        orders->items[i] = (sb_item)number;
    }
    *base = least == 0 ? 0 : 1;
    for (size_t i = 0; i < count; i++)
        orders->items[i] -= (sb_item)*base;
    orders->n = (size_t)most + 1 - *base;
    return true;
}

static int orders_compare(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Makes names of the different items, in alphabetical order. */
static enum sb_status orders_learn(const struct orders *orders, size_t count, struct sb_item_names **names)
{
    char **const sorted = calloc(count, sizeof *sorted);
    size_t distinct = 0;

    if (!sorted)
        return SB_NO_MEMORY;
    memcpy(sorted, orders->token, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, orders_compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(sorted[distinct - 1], sorted[i]) != 0)
            sorted[distinct++] = sorted[i];
    const enum sb_status status = sb_item_names_take((const char *const *)sorted, distinct, names);

    free(sorted);
    return status;
}

/* Sets the items, and the names of the items unless they are numbers from 1. SB_NO_MEMORY. */
static enum sb_status orders_items(struct orders *orders)
{
    const size_t count = orders->file->rows * orders->k;
    size_t base = 1;

    if (!orders->names && orders_numbers(orders, count, &base))
        return sb_item_names_numbers((uint32_t)base, &orders->names);
    if (!orders->names && (orders_learn(orders, count, &orders->names) || !orders->names))
        return SB_NO_MEMORY;
    orders->n = orders->names->n;
    for (size_t i = 0; i < count; i++)
        orders->items[i] = sb_item_names_find(orders->names, orders->token[i]);
    return SB_OK;
}

/* Whether each label has k different ones of n items. */
static bool orders_valid(const struct orders *orders)
{
    const size_t k = orders->k, n = orders->n;

    if (k < 2 || k > n || n > SB_ITEMS_MOST)
        return false;
    for (size_t i = 0; i < orders->file->rows; i++)
        if (!sb_permutation_valid(n, k, orders->items + i * k))
            return false;
    return true;
}

enum sb_status sb_count_orders_read(const struct sb_count_file *file, size_t n, size_t deal,
                                    struct sb_item_names **names, struct sb_error *error,
                                    struct sb_count_orders *orders)
{
    struct orders own = { .file = file, .names = *names };
    enum sb_status status = orders_split(&own);

    if (status == SB_OK && own.k)
        status = orders_items(&own);
    if (n > own.n && deal && !*names)
        own.n = n; /* some items were in no deal */
    if (status == SB_OK && orders_valid(&own) && own.k == (deal && deal < own.n ? deal : own.n)) {
        *orders = (struct sb_count_orders) { own.n, own.k, own.items };
        *names = own.names;
        own.items = NULL;
    } else if (own.names != *names) {
        sb_item_names_free(own.names);
    }
    orders_close(&own);
    if (status)
        return sb_error_memory(error, "the orders");
    if (orders->k && n && n != orders->n)
        return sb_error_set(error, SB_INVALID, "%s: orders of %zu items, but `n` is %zu: leave it out", file->name,
                            orders->n, n);
    if (orders->k && !sb_cells(orders->n, orders->k))
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s: orders of %zu of %zu items are too many to count one by one: report on the decks "
                            "themselves, a line for each",
                            file->name, orders->k, orders->n);
    return SB_OK;
}
