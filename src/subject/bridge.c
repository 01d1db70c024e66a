/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deals of bridge: the tag [Deal "N:AKQ.J2.T987.6543 ..."] of PBN (Portable Bridge Notation 2.1, 3.4.11), the same
 * without the tag, and md|3SAKQHJ2D...,...| of LIN (Bridge Base Online). A deal becomes a line of 52 cards: the hands
 * of North, East, South and West, each as the file lists it.
 */
#include "core/core.h"
#include "subject/parts.h"

#include <stdio.h>
#include <string.h>

enum { BRIDGE_HANDS = 4, BRIDGE_HAND = 13, BRIDGE_ROOM = 4 * SB_PLAYING_CARDS };

static const char bridge_seats[] = "NESW", bridge_suits[] = "SHDC", bridge_ranks[] = "AKQJT98765432";

/* A hand, in letters: "AS KS ...". */
struct bridge_hand {
    char text[BRIDGE_ROOM];
    size_t cards;
};

struct bridge_deal {
    struct bridge_hand hand[BRIDGE_HANDS]; /* of North, East, South and West */
    bool held[SB_PLAYING_CARDS];           /* whether a hand has this card */
};

/* Adds a card to a hand. Returns false if the letter is no rank, a hand has the card, or this hand is full. */
static bool bridge_add(struct bridge_deal *deal, struct bridge_hand *hand, char letter, size_t suit)
{
    const char rank = (char)(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    const char *const found = rank ? strchr(bridge_ranks, rank) : NULL;
    bool *const held = found ? &deal->held[13 * suit + (size_t)(found - bridge_ranks)] : NULL;

    if (!found || *held || hand->cards == BRIDGE_HAND)
        return false;
    *held = true;
    snprintf(hand->text + 3 * hand->cards, 4, "%c%c ", rank, bridge_suits[suit]);
    hand->cards++;
    return true;
}

static enum sb_line_result bridge_wrong(struct sb_records *records, const char *at)
{
    return sb_line_reject_text(&records->wrong, "the deal ", at, strcspn(at, "\"|\r\n"),
                               " is not one of four hands of 13 different cards: correct it, or leave it out");
}

/* Reads "N:AKQ.J2.T987.6543 ...": hands of spades, hearts, diamonds and clubs, clockwise from a seat. */
static bool bridge_read_pbn(const char *at, struct bridge_deal *deal)
{
    const char *const seat = *at ? strchr(bridge_seats, *at) : NULL;
    size_t suit = 0, read = 0;

    if (!seat || at[1] != ':')
        return false;
    for (at += 2; *at && !strchr("\"\r\n", *at) && read < BRIDGE_HANDS; at++) {
        struct bridge_hand *const hand = &deal->hand[((size_t)(seat - bridge_seats) + read) % BRIDGE_HANDS];
        const bool dot = *at == '.', blank = *at == ' ';

        if (dot ? ++suit > 3 : !blank && !bridge_add(deal, hand, *at, suit))
            return false;
        read += blank && hand->cards;
        suit = blank ? 0 : suit;
    }
    return true;
}

/* Gives the cards that no hand has to the empty hand. */
static void bridge_rest(struct bridge_deal *deal, struct bridge_hand *hand)
{
    for (size_t card = 0; card < SB_PLAYING_CARDS; card++)
        if (!deal->held[card])
            bridge_add(deal, hand, bridge_ranks[card % 13], card / 13);
}

/* Reads "3SAKQHJ2DT987C6543,S...": the dealer, 1 for South, and the hands of South, West, North and, perhaps, East. */
static bool bridge_read_lin(const char *at, struct bridge_deal *deal)
{
    const char *suit = bridge_suits;
    size_t seat = 2;

    for (at += *at >= '0' && *at <= '4'; *at && !strchr("|\r\n", *at); at++) {
        const char *const begins = strchr(bridge_suits, *at);

        if (*at == ',')
            seat = (seat + 1) % BRIDGE_HANDS;
        else if (!begins && !bridge_add(deal, &deal->hand[seat], *at, (size_t)(suit - bridge_suits)))
            return false;
        suit = begins ? begins : suit;
    }
    if (deal->hand[1].cards == 0 && deal->hand[0].cards == BRIDGE_HAND)
        bridge_rest(deal, &deal->hand[1]);
    return true;
}

/* Makes a line of a deal. The same board may follow in another room, with the same deal. */
static enum sb_line_result bridge_put(struct sb_records *records, const struct bridge_deal *deal, const char *at)
{
    uint64_t hash = sb_hash_add(SB_HASH_EMPTY, records->board, strlen(records->board) + 1);

    for (size_t i = 0; i < BRIDGE_HANDS; i++) {
        if (deal->hand[i].cards < BRIDGE_HAND)
            return bridge_wrong(records, at);
        hash = sb_hash_add(hash, deal->hand[i].text, BRIDGE_HAND * 3);
    }
    for (size_t i = 0; i < BRIDGE_HANDS && (hash != records->last || !records->board[0]); i++)
        sb_records_put(records, deal->hand[i].text, BRIDGE_HAND * 3 - (i == BRIDGE_HANDS - 1));
    if (hash != records->last || !records->board[0])
        sb_records_put(records, "\n", 1);
    records->last = hash;
    return SB_LINE_TAKEN;
}

static void bridge_note_board(struct sb_records *records, const char *at)
{
    snprintf(records->board, sizeof records->board, "%.*s", (int)strcspn(at, "\"|\r\n"), at);
}

static bool bridge_is_bare(const char *line)
{
    return *line && strchr(bridge_seats, *line) && line[1] == ':' && line[2] && strchr("AKQJT98765432.-", line[2]) &&
           strchr(line, '.');
}

/* Returns what follows one of the marks at the start of the text, or NULL. */
static const char *bridge_after(const char *text, const char *mark)
{
    return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : NULL;
}

static enum sb_line_result bridge_line(struct sb_records *records, const char *line, size_t length)
{
    enum sb_line_result result = SB_LINE_TAKEN;

    for (const char *c = line; c < line + length && result == SB_LINE_TAKEN; c++) {
        const char *const board = bridge_after(c, "[Board \""), *const room = bridge_after(c, "qx|");
        const char *const tag = bridge_after(c, "[Deal \""), *const lin = bridge_after(c, "md|");
        const char *const pbn = tag ? tag : c == line && bridge_is_bare(line) ? line : NULL;
        struct bridge_deal deal = { 0 };

        if (board || (room && *room))
            bridge_note_board(records, board ? board : room + 1);
        if ((pbn && *pbn != '#' && *pbn != '"') || lin)
            result = (pbn ? bridge_read_pbn(pbn, &deal) : bridge_read_lin(lin, &deal))
                         ? bridge_put(records, &deal, pbn ? pbn : lin)
                         : bridge_wrong(records, pbn ? pbn : lin);
    }
    return result;
}

static size_t bridge_take(struct sb_records *records)
{
    const char *const lf = memchr(records->text, '\n', records->there);
    const size_t length = lf ? (size_t)(lf - records->text) + 1 : records->ended ? records->there : 0;

    bridge_line(records, records->text, length);
    return length;
}

static enum sb_file_look bridge_begins(const struct sb_subject *form, const char *text, size_t length)
{
    static const char *const lin[] = { "md|", "qx|", "pn|", "vg|", "st|" };
    const char *const line = text + strspn(text, " \t\r\n");
    const size_t letters = *line == '[' ? strspn(line + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") : 0;

    for (size_t i = 0; i < sizeof lin / sizeof lin[0]; i++)
        if (bridge_after(line, lin[i]))
            return SB_FILE_YES;
    if (bridge_after(line, "% PBN") || (letters > 1 && bridge_after(line + 1 + letters, " \"")))
        return SB_FILE_YES;
    if (!strchr(line, '\n') && (!*line || strchr("%[NESWmqpvs", *line)) && length < SB_LINE_SEEN)
        return SB_FILE_MORE;
    return bridge_is_bare(line) ? SB_FILE_YES : SB_FILE_NO;
}

const struct sb_file_format sb_file_bridge = {
    .name = "a file of bridge deals",
    .seats = sb_bridge_hands,
    .begins = bridge_begins,
    .take = bridge_take,
};
