/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shuffle() of canfield shuffles an array of pointers to cards. */
#include "game.h"

#define FALSE 0

static int decksize;
struct cardtype {
    int item, visible, paid;
};

#include "cut.h"

static void game_shuffle(int deck[], size_t n)
{
    struct cardtype cards[256], *order[256];

    decksize = (int)n;
    for (size_t i = 0; i < n; i++) {
        cards[i].item = deck[i];
        order[i] = &cards[i];
    }
    shuffle(order);
    for (size_t i = 0; i < n; i++)
        deck[i] = order[i]->item;
}
