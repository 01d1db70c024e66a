/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the 52 playing cards. */
#ifndef SB_SUBJECT_LINES_PLAYING_CARDS_H
#define SB_SUBJECT_LINES_PLAYING_CARDS_H

#include <stdint.h>

enum {
    SB_PLAYING_CARDS = 52,
    SB_PLAYING_RANKS = 13,
    SB_PLAYING_SUITS = 4,
};

enum sb_card_notation {
    SB_NOTATION_NONE,
    SB_NOTATION_LETTERS, /* As Kd 10h Th */
    SB_NOTATION_SYMBOLS, /* A♠ K♦ */
    SB_NOTATION_GLYPHS,  /* the characters from U+1F0A1 on; several may follow each other */
};

/* Reads a card at the start of the text. Sets *end to the end of the card. Returns 0..51: ace to king of
 * spades, hearts, diamonds, clubs; SB_PLAYING_CARDS if there is no card. */
uint32_t sb_playing_card(const char *text, const char **end, enum sb_card_notation *notation);

/* Returns the names of the 52 playing cards, separated by blanks. Characters are named like symbols. */
const char *sb_playing_cards_names(enum sb_card_notation notation);

#endif
