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
    struct sb_request *const request = sb_request_new("gate");

    snprintf(log_path, sizeof log_path, "%.200s/game.log", argc > 1 ? argv[1] : ".");
    if (!request || !write_log() || sb_set(request, "file", log_path) ||
        sb_set(request, "match", "deck \\[(.*)\\]") || sb_set(request, "max-bias", "0.3"))
        return 1;
    struct sb_result *const result = sb_run(request);

    puts(result ? sb_get(result, "gates.0.sentence") : sb_error(request));
    const bool passes = result && strcmp(sb_get(result, "gates.0.verdict"), "pass") == 0;

    sb_result_free(result);
    sb_request_free(request);
    return !passes;
}
