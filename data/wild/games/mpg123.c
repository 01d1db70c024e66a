/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shuffle_playlist() of mpg123 shuffles its playlist. It draws by rando(), which is cut, too. */
#include "game.h"

struct listitem {
    int item;
};
static struct {
    size_t fill;
    struct listitem *list;
} pl;
static struct {
    int verbose;
} param;

#define RAND random
#define print_playlist(file, position) (void)(file)

#include "cut.h"

static void game_shuffle(int deck[], size_t n)
{
    struct listitem list[256];

    for (size_t i = 0; i < n; i++)
        list[i].item = deck[i];
    pl.fill = n;
    pl.list = list;
    shuffle_playlist();
    for (size_t i = 0; i < n; i++)
        deck[i] = list[i].item;
}
