/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the gate on a ledger in a folder of its own: what the tests of ledgers share. */
#ifndef LEDGER_HOUSE_H
#define LEDGER_HOUSE_H

#include "core/calls.h"
#include "store/store.h"

/* A folder, and a ledger that is not there yet; the subject is fair, at most 500 permutations are looked
 * at. */
struct ledger_house {
    char folder[64], path[80], saved[80]; /* the ledger, and a file for evidence */
    uint64_t word[2];                     /* of the subject's generator, and what else it counts */
    struct sb_subject subject;
    struct sb_request options;
    struct {
        const char *verdict;
        uint64_t total, run, share;
        double alpha;
        bool interrupted;
    } summary; /* of the last run */
    struct sb_error error;
};

/* cmocka's setup and teardown: *state is a struct ledger_house. */
int ledger_house_open(void **state);
int ledger_house_close(void **state);

/* A number below the bound. */
size_t ledger_house_below(uint64_t *word, size_t bound);

/* Shuffles of uint16_t, by a generator whose word is the state. */
sb_own_shuffle ledger_house_fair, ledger_house_naive;

/* Gives the gate an option. */
void ledger_house_set(struct ledger_house *house, const char *name, const char *text);

/* A run of the gate; its verdict or its error is in the house. */
enum sb_status ledger_house_run(struct ledger_house *house);

/* The ledger as it is now; NULL where it is not sound. The caller frees it. */
struct sb_ledger *ledger_house_read(struct ledger_house *house);

/* The file's text; the caller frees it. */
char *ledger_house_text(const struct ledger_house *house);

#endif
