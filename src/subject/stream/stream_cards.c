/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of items. Cost of finding a name: log2(n) comparisons. */
#include "core/error.h"
#include "subject/stream/stream_parts.h"

#include <stdlib.h>
#include <string.h>

static int cards_compare(const void *a, const void *b)
{
    const struct sb_card *const one = (const struct sb_card *)a, *const other = (const struct sb_card *)b;

    return strcmp(one->name, other->name);
}

/* Splits the list of names into single names, each with a terminating 0, in the order of the list. False if
 * memory runs out. */
static bool cards_split(const char *names, struct sb_cards *cards)
{
    char *rest;

    cards->text = strdup(names);
    cards->card = calloc(strlen(names) / 2 + 1,
                         sizeof cards->card[0]); /* each name needs at least a letter and a separator */
    if (!cards->text || !cards->card)
        return false;
    for (char *name = strtok_r(cards->text, " ,", &rest); name; name = strtok_r(NULL, " ,", &rest)) {
        cards->card[cards->count] = (struct sb_card) { name, (uint32_t)cards->count };
        cards->count++;
    }
    return true;
}

static enum sb_status cards_check(const struct sb_cards *cards, struct sb_error *error)
{
    if (cards->count == 0 || cards->count > SB_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`cards` has %zu names: give 1 to %d, with blanks between",
                            cards->count, SB_ITEMS_MOST);
    for (size_t i = 0; i < cards->count; i++) {
        const char *const name = cards->card[i].name;

        if (strlen(name) > SB_CARD_MOST)
            return sb_error_set(error, SB_INVALID, "`cards` '%.20s...': a name has %d bytes at most", name,
                                SB_CARD_MOST);
        if (i > 0 && strcmp(cards->card[i - 1].name, name) == 0)
            return sb_error_set(error, SB_INVALID, "`cards` has '%s' twice: name each once", name);
        for (const char *c = name; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127 || *c == '#')
                return sb_error_set(
                    error, SB_INVALID,
                    "`cards` '%s': a name has no control characters, and no #, which begins comments", name);
    }
    return SB_OK;
}

enum sb_status sb_cards_open(const char *names, struct sb_error *error, struct sb_cards *cards)
{
    struct sb_cards made = { 0 };
    enum sb_status status;

    if (!cards_split(names, &made)) {
        status = sb_error_memory(error, "the names of cards");
    } else {
        qsort(made.card, made.count, sizeof made.card[0], cards_compare);
        status = cards_check(&made, error);
    }
    if (status)
        sb_cards_close(&made);
    else
        *cards = made;
    return status;
}

void sb_cards_close(struct sb_cards *cards)
{
    free(cards->text);
    free(cards->card);
    *cards = (struct sb_cards) { 0 };
}

uint32_t sb_cards_find(const struct sb_cards *cards, const char *name)
{
    const struct sb_card wanted = { .name = name };
    const struct sb_card *const found =
        bsearch(&wanted, cards->card, cards->count, sizeof cards->card[0], cards_compare);

    return found ? found->item : SB_ITEMS_MOST;
}

const char *sb_cards_name(const struct sb_cards *cards, uint32_t item)
{
    size_t i = 0;

    while (i + 1 < cards->count && cards->card[i].item != item)
        i++;
    return cards->card[i].name;
}
