/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shuffle() of cribbage shuffles an array of cards. */
#include "game.h"

typedef int CARD;
static int CARDS;

#include "cut.h"

static void game_shuffle(int deck[], size_t n)
{
    CARDS = (int)n;
    shuffle(deck);
}
