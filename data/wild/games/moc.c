/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plist_shuffle() of moc shuffles a playlist, and then puts it into a tree for searches. */
#include "game.h"

#include <stdint.h>

struct plist {
    int num, *items;
    void *search_tree;
};

static void plist_swap(struct plist *list, int a, int b)
{
    const int item = list->items[a];

    list->items[a] = list->items[b];
    list->items[b] = item;
}

#define rb_tree_clear(tree) (void)(tree)
#define rb_insert(tree, item) (void)(item)

#include "cut.h"

static void game_shuffle(int deck[], size_t n)
{
    struct plist list = { .num = (int)n, .items = deck };

    plist_shuffle(&list);
}
