/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shuffle() of mille shuffles the game's deck. It draws by roll(), which is as short as here. */
#include "game.h"

typedef int CARD;
static int DECK_SZ;
static CARD Deck[256], *Topcard;

static int roll(int dice, int sides)
{
    int total = 0;

    while (dice--)
        total += random() % sides + 1;
    return total;
}

#define warnx(text, card) fprintf(stderr, text "\n", card)
#define die exit

#include "cut.h"

static void game_shuffle(int deck[], size_t n)
{
    DECK_SZ = (int)n;
    memcpy(Deck, deck, n * sizeof *deck);
    shuffle();
    memcpy(deck, Deck, n * sizeof *deck);
}
