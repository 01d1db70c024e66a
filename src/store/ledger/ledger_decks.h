/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file FILE.decks beside the ledger FILE. For each key, the file stores decks from the runs that used
 * this key, so that later runs can find decks that occur again. The decks of one key form a section. The
 * key's entry in the ledger names the run that wrote the section. So runs do not use a section that is older
 * or newer than the entry. If the file or the section is missing, the run compares its decks with fewer
 * earlier decks. The test remains valid, because a permutation may be compared with any set of earlier decks.
 *
 * The file stores a deck as its deck key (tally/deck_key.h). All sections together have at most
 * SB_REPEATS_CARRIED decks, which take 4 MB. New decks replace the oldest decks of the ledger key that was
 * used longest ago.
 *
 * The file begins with the line "shufflebias.ledger-decks/1". Then there are little-endian words of 64 bits:
 * the number of sections; for each section its share, run, n, deal and count, and two words for each deck
 * key, oldest first; and the 64-bit FNV-1a hash of all earlier bytes. A run that holds the ledger's lock
 * replaces the whole file.
 */
#ifndef SB_STORE_LEDGER_LEDGER_DECKS_H
#define SB_STORE_LEDGER_LEDGER_DECKS_H

#include "store/ledger/ledger.h"
#include "tally/order.h"

/* The decks of one ledger key. */
struct sb_ledger_section {
    uint64_t share, run; /* index of the entry's share, and index of the run that wrote the section */
    size_t n, deal;
    size_t count;
    struct sb_deck_key *key; /* [count]; the deck keys, oldest first; owned */
};

/* All sections. If all bytes are zero, there are no sections. */
struct sb_ledger_decks {
    size_t count;
    /* [count]; the section of the most recently used ledger key comes last */
    struct sb_ledger_section section[SB_LEDGER_ENTRIES];
};

void sb_ledger_decks_close(struct sb_ledger_decks *decks);

/* Reads the file beside the ledger at `path`. If there is no file, there are no sections. The caller closes
 * the decks, even after an error. Errors: SB_IO if the file cannot be read or is damaged; SB_NO_MEMORY. */
enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks);

/* Writes the file. After the error SB_IO the old file is unchanged. */
enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks,
                                     struct sb_error *error);

/* Adds a section, and takes ownership of its deck keys. The new section replaces an old section with the same
 * share. If there are too many decks, drops the oldest decks of the other sections. */
void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section);

/* Drops the sections whose entries are no longer in the ledger. */
void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger);

#endif
