/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate on the log of a game, in which lines about deals stand among others. The example first writes the
 * log into a folder, which is its argument; without one, into the current folder.
 *
 *     cc gate_log.c $(pkg-config --cflags --libs shufflebias) -o gate_log && ./gate_log FOLDER
 */
#include <shufflebias.h>

#include <stdlib.h>
#include <string.h>

enum { GAMES = 2000, ITEMS = 4 };

static char log_path[256];

/* Writes two lines for each game: a login, and a deck that Fisher-Yates has shuffled. */
static bool write_log(void)
{
    FILE *const file = fopen(log_path, "w");

    srand(1);
    for (int game = 0; file && game < GAMES; game++) {
        int deck[ITEMS] = { 0, 1, 2, 3 };

        for (int i = ITEMS - 1; i > 0; i--) {
            const int j = rand() / (RAND_MAX / (i + 1) + 1), item = deck[i];

            deck[i] = deck[j];
            deck[j] = item;
        }
        fprintf(file, "2026-11-24 game %d: login\n", game);
        fprintf(file, "2026-11-24 game %d: deck [%d %d %d %d]\n", game, deck[0], deck[1], deck[2], deck[3]);
    }
    return file && fclose(file) == 0;
}

int main(int argc, char *argv[])
{
    const struct sb_subject subject = { .file = log_path, .match = "deck \\[(.*)\\]" };
    struct sb_gate_summary summary;
    struct sb_gate_options options;
    struct sb_error error;
    struct sb_gate *gate;

    snprintf(log_path, sizeof log_path, "%.200s/game.log", argc > 1 ? argv[1] : ".");
    if (!write_log())
        return 1;
    sb_gate_options_init(&options);
    options.exclude = 0.3;
    if (sb_gate_new(&subject, &options, &error, &gate)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    sb_gate_summary_get(gate, &summary);
    printf("%s\n", summary.sentence);
    const bool passes = strcmp(summary.verdict, "pass") == 0;

    sb_gate_free(gate);
    return !passes;
}
