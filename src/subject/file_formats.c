/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files whose decks are not one a line: documents of JSON, bridge deals, poker hands. This stage recognises such a file
 * by its first bytes, and makes a line of text of each deck. The bytes of all other files pass unchanged.
 *
 * Memory: the record being read, of at most SB_JSON_LINE_MOST bytes, and its decks. A line of the text has no position
 * in the file, so messages count decks, and runs that resume treat such a file like gzip data.
 */
#include "core/system.h"
#include "subject/parts.h"

#include <inttypes.h>

/*
 * Deals of bridge: the tag [Deal "N:AKQ.J2.T987.6543 ..."] of PBN (Portable Bridge Notation 2.1, 3.4.11), the same
 * without the tag, and md|3SAKQHJ2D...,...| of LIN (Bridge Base Online). A deal becomes a line of 52 cards: the hands
 * of North, East, South and West, each as the file lists it.
 */

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

static const struct sb_file_format file_bridge = {
    .name = "a file of bridge deals",
    .seats = sb_bridge_hands,
    .begins = bridge_begins,
    .take = bridge_take,
};

/*
 * Poker hands in the format PHH (Kim, "Recording and Describing Poker Hands", doi:10.1109/CoG60054.2024.10645611), one
 * or several in a file. A hand becomes a line of the hole cards in its actions, such as 'd dh p1 AcKd', in their order.
 * Cards that are not known (????) are left out, and so is the board: whether it is dealt depends on the hole cards.
 */

static const char phh_actions[] = "actions", phh_deals[] = "d dh p";

/* Returns the bracket that begins the next array of actions, or NULL. */
static const char *phh_find(const char *text)
{
    for (const char *at = text; (at = strstr(at, phh_actions)); at++) {
        const char *const after = at + strlen(phh_actions), *const sign = after + strspn(after, " \t");
        const char *const bracket = sign + (*sign == '=') + strspn(sign + (*sign == '='), " \t");

        if ((at == text || at[-1] == '\n') && *sign == '=' && *bracket == '[')
            return bracket;
    }
    return NULL;
}

/* Adds the cards of an action that deals hole cards. */
static void phh_deal(struct sb_records *records, const char *action)
{
    const char *at = action + strlen(phh_deals), *after = at;
    enum sb_card_notation notation;

    at += strspn(at, "0123456789");
    at += strspn(at, " ");
    for (; *at == '?' || sb_playing_card(at, &after, &notation) < SB_PLAYING_CARDS; at = *at == '?' ? at + 1 : after) {
        if (*at == '?')
            continue;
        sb_records_put(records, at, (size_t)(after - at));
        sb_records_put(records, " ", 1);
    }
}

/* Reads an array of strings of TOML. Returns its end, or NULL if it is not complete. */
static const char *phh_read(struct sb_records *records, const char *at)
{
    for (at++; *at && *at != ']'; at++) {
        const char *const end = *at == '#' ? strchr(at, '\n') : strchr("'\"", *at) ? strchr(at + 1, *at) : at;

        if (!end)
            return NULL;
        if (end > at && strncmp(at + 1, phh_deals, strlen(phh_deals)) == 0)
            phh_deal(records, at + 1);
        at = end;
    }
    return *at ? at + 1 : NULL;
}

static size_t phh_take(struct sb_records *records)
{
    const char *const begin = phh_find(records->text);
    const char *const end = begin ? phh_read(records, begin) : NULL;

    if (!end)
        records->length = 0; /* an array that is not complete is read again */
    if (begin && !end && records->ended)
        sb_line_reject(&records->wrong, "the actions of a hand have no end: was the file cut off?");
    if (!end)
        return records->ended ? records->there : 0;
    if (records->length)
        sb_records_put(records, "\n", 1);
    return (size_t)(end - records->text);
}

/* Whether the first line that is no comment and no title of a table is the variant of the game. */
static enum sb_file_look phh_begins(const struct sb_subject *form, const char *text, size_t length)
{
    static const char variant[] = "variant";

    for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        line += strspn(line, " \t\r\n");
        if (strncmp(line, variant, strlen(variant)) == 0 &&
            line[strlen(variant) + strspn(line + strlen(variant), " ")] == '=')
            return SB_FILE_YES;
        if (*line != '#' && *line != '[' && *line)
            return strchr(line, '\n') || *line != 'v' ? SB_FILE_NO : SB_FILE_MORE;
        if (*line == '[' && line[1 + strspn(line + 1, "0123456789")] != ']')
            return SB_FILE_NO;
    }
    return SB_FILE_MORE;
}

static const struct sb_file_format file_phh = {
    .name = "a file of poker hands",
    .begins = phh_begins,
    .take = phh_take,
};

enum { FORMATS_CHUNK = 1 << 16 };

static const struct sb_file_format *const formats[] = { &sb_file_json, &file_bridge, &file_phh };

struct formats {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_bytes *inner;
    const struct sb_file_format *format; /* NULL: the bytes pass unchanged */
    bool known;                          /* whether the first bytes have been looked at */
    bool ended;                          /* whether the source has ended */
    char *text;                          /* [room + 1] the bytes that are not taken yet; owned */
    size_t at, end, room;
    struct sb_records records;
    size_t given; /* bytes of records.made that have been read */
};

/* ---- what formats call ---- */

void sb_records_put(struct sb_records *records, const char *text, size_t length)
{
    if (records->length + length > records->room) {
        const size_t room = 2 * (records->length + length);
        char *const made = realloc(records->made, room);

        records->lacking = records->lacking || !made;
        if (!made)
            return;
        records->made = made;
        records->room = room;
    }
    memcpy(records->made + records->length, text, length);
    records->length += length;
}

/* ---- the stage ---- */

/* Returns the format of a text that begins with these bytes; NULL: none. Sets *more to whether more bytes could show a
 * format. */
static const struct sb_file_format *formats_find(const struct sb_subject *form, const char *text, size_t length,
                                                 bool *more)
{
    const size_t mark = sb_text_mark(text, length);

    *more = length < 3 && memcmp(text, "\xEF\xBB\xBF", length) == 0; /* a byte order mark, or its beginning */
    if (*more)
        return NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const enum sb_file_look look = formats[i]->begins(form, text + mark, length - mark);

        if (look == SB_FILE_YES)
            return formats[i];
        *more = *more || look == SB_FILE_MORE;
    }
    *more = *more && length < SB_FILE_LOOK;
    return NULL;
}

static enum sb_status formats_fill(struct formats *self, double deadline, struct sb_error *error)
{
    size_t got = 0;

    memmove(self->text, self->text + self->at, self->end - self->at);
    self->end -= self->at;
    self->at = 0;
    if (self->room - self->end < FORMATS_CHUNK) {
        char *const text = realloc(self->text, 2 * self->room + 1);

        if (!text)
            return sb_error_memory(error, "a record");
        self->text = text;
        self->room *= 2;
    }
    const enum sb_status status =
        self->inner->read(self->inner, self->text + self->end, self->room - self->end, deadline, &got, error);

    if (status)
        return status;
    self->end += got;
    self->text[self->end] = '\0';
    self->ended = got == 0;
    return SB_OK;
}

static enum sb_status formats_look(struct formats *self, double deadline, struct sb_error *error)
{
    bool more = true;

    while (more && !self->ended) {
        const enum sb_status status = formats_fill(self, deadline, error);

        if (status)
            return status;
        self->format = formats_find(&self->records.form, self->text, self->end, &more);
    }
    self->known = true;
    if (self->format) {
        self->at = sb_text_mark(self->text, self->end);
        self->bytes.unit = "deck";
        self->bytes.seats = self->format->seats;
        self->bytes.blame_line = NULL; /* its remedies are edits of the lines of the file */
    }
    return SB_OK;
}

static enum sb_status formats_wrong(struct formats *self, const char *what, struct sb_error *error)
{
    char where[40];

    snprintf(where, sizeof where, "line %" PRIu64, self->records.line);
    sb_bytes_wrong(&self->bytes, where, what, false, error);
    return error ? error->status : SB_SUBJECT;
}

/* Takes the next record, if it is complete. */
static enum sb_status formats_take(struct formats *self, struct sb_error *error)
{
    struct sb_records *const records = &self->records;

    records->text = self->text + self->at;
    records->there = self->end - self->at;
    records->ended = self->ended;
    const size_t used = self->format->take(records);

    if (records->lacking)
        return sb_error_memory(error, "a record");
    if (records->wrong.wrong[0])
        return formats_wrong(self, records->wrong.wrong, error);
    for (size_t i = 0; i < used; i++)
        records->line += records->text[i] == '\n';
    self->at += used;
    return SB_OK;
}

static enum sb_status formats_convert(struct formats *self, double deadline, struct sb_error *error)
{
    enum sb_status status = SB_OK;

    self->given = self->records.length = 0;
    while (status == SB_OK && self->records.length == 0) {
        const size_t before = self->at;

        status = formats_take(self, error);
        if (status || self->at > before || self->records.length)
            continue;
        if (self->ended)
            break;
        if (self->end - self->at > SB_JSON_LINE_MOST)
            return formats_wrong(self, "longer than 16,777,216 bytes, the most that one value may have: split it",
                                 error);
        status = formats_fill(self, deadline, error);
    }
    return status;
}

static enum sb_status formats_plain(struct formats *self, char buffer[], size_t room, double deadline, size_t *got,
                                    struct sb_error *error)
{
    const size_t there = self->end - self->at;

    if (there == 0 && !self->ended)
        return self->inner->read(self->inner, buffer, room, deadline, got, error);
    *got = there < room ? there : room;
    if (*got > 0)
        memcpy(buffer, self->text + self->at, *got);
    self->at += *got;
    return SB_OK;
}

static enum sb_status formats_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                   struct sb_error *error)
{
    struct formats *const self = (struct formats *)bytes;
    struct sb_records *const records = &self->records;
    enum sb_status status = self->known ? SB_OK : formats_look(self, deadline, error);

    if (status)
        return status;
    if (!self->format)
        return formats_plain(self, buffer, room, deadline, got, error);
    if (self->given == records->length)
        status = formats_convert(self, deadline, error);
    if (status)
        return status;
    const size_t there = records->length - self->given;

    *got = there < room ? there : room;
    if (*got > 0) /* no record at all made no text to copy from */
        memcpy(buffer, records->made + self->given, *got);
    self->given += *got;
    return SB_OK;
}

static void formats_free(struct sb_bytes *bytes)
{
    struct formats *const self = (struct formats *)bytes;

    self->inner->free(self->inner);
    free(self->text);
    free(self->records.made);
    json_decref(self->records.items);
    free(self);
}

static bool formats_wanted(const struct sb_subject *form)
{
    return !form->match && !form->field && !form->free && !sb_input_width(form->input);
}

enum sb_status sb_formats_new(struct sb_bytes *bytes, const struct sb_subject *form, struct sb_error *error,
                              struct sb_bytes **plain)
{
    *plain = bytes;
    if (!formats_wanted(form))
        return SB_OK;
    struct formats *const self = calloc(1, sizeof *self);
    char *const text = self ? malloc(2 * FORMATS_CHUNK + 1) : NULL;

    if (!text) {
        free(self);
        bytes->free(bytes);
        return sb_error_memory(error, "a source of bytes");
    }
    self->bytes = (struct sb_bytes) { .name = bytes->name, .read = formats_read, .free = formats_free };
    self->inner = bytes;
    self->text = text;
    self->room = 2 * FORMATS_CHUNK;
    self->records.form = *form;
    self->records.line = 1;
    *plain = &self->bytes;
    return SB_OK;
}

const char *sb_file_converted(const char *path, const struct sb_subject *form)
{
    struct stat about;
    char *const text = malloc(SB_FILE_LOOK + 1);
    FILE *const file = text && stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "re") : NULL;
    const size_t got = file ? fread(text, 1, SB_FILE_LOOK, file) : 0;
    const struct sb_file_format *format = NULL;
    bool more;

    if (got && formats_wanted(form)) {
        text[got] = '\0';
        format = formats_find(form, text, got, &more);
    }
    const bool gzip = text && sb_gzip_begins((const unsigned char *)text, got);

    if (file)
        fclose(file);
    free(text);
    return gzip ? "gzip data" : format ? format->name : NULL;
}
