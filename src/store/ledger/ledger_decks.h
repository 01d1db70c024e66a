/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole decks of a ledger's keys, with which later runs are compared: the file FILE.decks beside the
 * ledger FILE. The decks of one key form a section. The key's entry in the ledger names the run that wrote
 * the section, so a section that is older or newer than the entry is not used. Without the file, or without
 * its section, a key compares with fewer decks, which is still valid: a permutation may be compared with any
 * set of earlier decks.
 *
 * Decks are stored as their keys (tally/deck_key.h), 4 MB: at most SB_REPEATS_CARRIED in all sections
 * together. New decks replace the oldest, first those of the key that was used longest ago.
 *
 * The file: the line "shufflebias.ledger-decks/1", then words of 64 bits, little-endian: the number of
 * sections; of each section its share, run, n, deal and count, and two words for each deck key, oldest first;
 * last, FNV-1a of 64 bits of all bytes before. It is replaced as a whole, under the ledger's lock.
 */
#ifndef SB_STORE_LEDGER_LEDGER_DECKS_H
#define SB_STORE_LEDGER_LEDGER_DECKS_H

#include "store/ledger/ledger.h"
#include "tally/repeats.h"

/* The decks of one key. */
struct sb_ledger_section {
    uint64_t share, run; /* share of the entry, and number of the run that wrote the section */
    size_t n, deal;
    size_t count;
    struct sb_deck_key *key; /* [count] keys of the decks, oldest first; owned */
};

/* All sections. If all bytes are zero, there are no sections. */
struct sb_ledger_decks {
    size_t count;
    /* [count] the sections; the key that was used last comes last */
    struct sb_ledger_section section[SB_LEDGER_ENTRIES];
};

void sb_ledger_decks_close(struct sb_ledger_decks *decks);

/* Reads the file beside the ledger at `path`; without a file there are no sections. The caller closes the
 * decks, even after an error. SB_IO: the file cannot be read, or is damaged; SB_NO_MEMORY. */
enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks);

/* Writes the file. SB_IO: the old file is unchanged. */
enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks,
                                     struct sb_error *error);

/* Adds a section in place of the one with the same share, and takes ownership of its deck keys. Drops the
 * oldest decks of the other sections if there are too many. */
void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section);

/* Drops the sections whose entries are no longer in the ledger. */
void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger);

#endif
