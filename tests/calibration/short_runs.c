/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fair games of three cards whose length depends on their permutations, as runs of a ledger's key. A game
 * ends before its 64th deck if the order before the shuffle has come up 11 times. After its 64th deck, it
 * ends when this order comes up for the second time, or after 40 more decks.
 *
 * At alpha = 0.1, half of which is the first share, a key raises a false alarm with probability at most
 * 0.05. More than 13 of 100 keys would then alarm for less than 1 of 1000 seeds. If the gate dropped runs of
 * fewer than 64 permutations, and counted the others whole, most of the keys would alarm.
 */
#include "unit/ask.h"

enum { KEYS = 100, RUNS = 60, MOST = 13 };

/* Writes a game to a file, a permutation a line; how many there are. */
static unsigned write_game(const char *path, uint64_t *word)
{
    FILE *const file = fopen(path, "w");
    unsigned length = 0, first = 0, behind = 0;

    assert_non_null(file);
    while ((length < 64 && first < 11) || (length >= 64 && length < 104 && behind < 2)) {
        uint16_t deck[] = { 1, 2, 3 };

        fair_shuffle(deck, 3, sizeof deck[0], word);
        fprintf(file, "%u %u %u\n", deck[0], deck[1], deck[2]);
        first += deck[0] == 1 && deck[1] == 2;
        behind += deck[0] == 1 && deck[1] == 2 && length >= 64;
        length++;
    }
    assert_int_equal(fclose(file), 0);
    return length;
}

/* Whether a key of its own fails in any of its runs. */
static bool key_fails(const char *ledger, const char *game, uint64_t *word)
{
    unsigned counted = 0;
    bool fails = false;

    for (unsigned run = 0; run < RUNS && !fails; run++) {
        const unsigned length = write_game(game, word);
        struct sb_request *const request = ask("gate", "alpha=0.1 key=v1 limit=500");

        put(request, "ledger", ledger);
        put(request, "file", game);
        struct sb_result *const result = answer(request);

        fails = strcmp(sb_get(result, "verdict"), "fail") == 0;
        counted += run == 0 ? length : length > 64 ? length - 64 : 0;
        if (!fails)
            assert_int_equal(sb_number(result, "gates.0.total"), counted);
        sb_result_free(result);
    }
    return fails;
}

TEST(few_false_alarms)
{
    const char *const ledger = scratch_name("ledger"), *const game = scratch_name("game");
    uint64_t word = 1;
    char lock[128];
    unsigned alarms = 0;

    snprintf(lock, sizeof lock, "%s.lock", ledger);
    for (unsigned key = 0; key < KEYS; key++) {
        alarms += key_fails(ledger, game, &word);
        remove(ledger);
    }
    remove(lock);
    remove(game);
    print_message("# %u of %d keys alarmed\n", alarms, KEYS);
    assert_in_range(alarms, 0, MOST);
}
