/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fair games of three cards whose length depends on their permutations, as runs that add to one file of evidence. A
 * game ends before its 64th deck if the order before the shuffle has come up 11 times. After its 64th deck, it ends
 * when this order comes up for the second time, or after 40 more decks.
 *
 * At alpha = 0.1, half of which is the first share, a key raises a false alarm with probability at most
 * 0.05. More than 13 of 100 keys would then alarm for less than 1 of 1000 seeds. If the gate dropped runs of
 * fewer than 64 permutations, and counted the others whole, most of the keys would alarm.
 */
#include "unit/test.h"

#include "unit/ledger_house.h"

#include <string.h>
#include <unistd.h>

enum { KEYS = 100, RUNS = 60, MOST = 13 };

/* Writes a game to a file, a permutation a line; how many there are. */
static unsigned write_game(const char *path, uint64_t *word)
{
    FILE *const file = fopen(path, "w");
    unsigned length = 0, first = 0, behind = 0;

    assert_non_null(file);
    while ((length < 64 && first < 11) || (length >= 64 && length < 104 && behind < 2)) {
        uint16_t deck[] = { 1, 2, 3 };

        ledger_house_fair(deck, 3, sizeof deck[0], word);
        fprintf(file, "%u %u %u\n", deck[0], deck[1], deck[2]);
        first += deck[0] == 1 && deck[1] == 2;
        behind += deck[0] == 1 && deck[1] == 2 && length >= 64;
        length++;
    }
    assert_int_equal(fclose(file), 0);
    return length;
}

/* Whether a key of its own fails in any of its runs. */
static bool key_fails(struct ledger_house *house, const char *game)
{
    uint64_t counted = 0;

    for (unsigned run = 0; run < RUNS; run++) {
        const unsigned length = write_game(game, house->word);

        assert_int_equal(ledger_house_run(house), SB_OK);
        if (strcmp(house->summary.verdict, "fail") == 0)
            return true;
        counted += run == 0 ? length : length > 64 ? length - 64 : 0;
        assert_int_equal(house->summary.total, counted);
    }
    return false;
}

TEST_WITH(few_false_alarms, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    char game[96];
    unsigned alarms = 0;

    snprintf(game, sizeof game, "%s/game", house->folder);
    const char *const command[] = { "cat", game, NULL };

    house->subject = (struct sb_subject) { .command = command };
    house->options.alpha = 0.1;
    house->options.save = house->saved;
    for (unsigned key = 0; key < KEYS; key++) {
        alarms += key_fails(house, game);
        unlink(house->path);
        unlink(house->saved);
    }
    unlink(game);
    print_message("# %u of %d keys alarmed\n", alarms, KEYS);
    assert_in_range(alarms, 0, MOST);
}
