/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poker hands in the format PHH (Kim, "Recording and Describing Poker Hands", doi:10.1109/CoG60054.2024.10645611), one
 * or several in a file. A hand becomes a line of the hole cards in its actions, such as 'd dh p1 AcKd', in their order.
 * Cards that are not known (????) are left out, and so is the board: whether it is dealt depends on the hole cards.
 */
#include "core/core.h"
#include "subject/parts.h"

#include <string.h>

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

const struct sb_file_format sb_file_phh = {
    .name = "a file of poker hands",
    .begins = phh_begins,
    .take = phh_take,
};
