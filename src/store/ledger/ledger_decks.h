/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole decks of a ledger's keys, which later runs are compared with: the file FILE.decks beside the
 * ledger FILE. A key's share of it is a section. An entry of the ledger names the run that wrote its section,
 * so that a section that is older or newer than the entry is not used. Without the file, or without its
 * section, a key only compares fewer decks: any decks that were there before a permutation came will do.
 *
 * Decks are kept as their keys (tally/deck_key.h), SB_REPEATS_CARRIED at most in all sections together,
 * 4 MB. The oldest make room: those of the key that was used longest ago first.
 *
 * The file: the line "shufflebias.ledger-decks/1", then words of 64 bits, little-endian: how many sections;
 * of each its share, run, n, deal and count, and two words for each key, the oldest first; at last FNV-1a of
 * 64 bits of all bytes before. It is replaced as a whole, under the ledger's lock.
 */
#ifndef SB_STORE_LEDGER_LEDGER_DECKS_H
#define SB_STORE_LEDGER_LEDGER_DECKS_H

#include "store/ledger/ledger.h"
#include "tally/repeats.h"

/* The decks of one key. */
struct sb_ledger_section {
    uint64_t share, run; /* of the entry, and the run that wrote the section */
    size_t n, deal;
    size_t count;
    struct sb_deck_key *key; /* [count] the oldest first; owned */
};

/* All zero: none. */
struct sb_ledger_decks {
    size_t count;
    struct sb_ledger_section section[SB_LEDGER_ENTRIES]; /* [count] that of the key used last is the last */
};

void sb_ledger_decks_close(struct sb_ledger_decks *decks);

/* Reads the file beside the ledger at `path`; none are there without one. SB_IO: it cannot be read, or is
 * damaged; SB_NO_MEMORY. Closed by the caller in any case. */
enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks);

/* Writes it. SB_IO: the file is as it was. */
enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks,
                                     struct sb_error *error);

/* Takes over a section, whose keys it owns then, in place of that with the same share; the oldest decks of
 * the others make room. */
void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section);

/* Drops the sections of entries that the ledger has no more. */
void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger);

#endif
