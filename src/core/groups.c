/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets and hands: how lines divide items into groups, and the names of a deck of groups; and how items are written. */
#include "core/core.h"

enum { GROUPS_MOST = 1000 };

/* Reads the next size of a list such as "13,13,13,13". Returns 0 if there is none, or it is wrong. */
static size_t groups_next(const char **list)
{
    size_t size = 0;

    while (**list == ' ')
        ++*list;
    while (**list >= '0' && **list <= '9' && size <= SB_ITEMS_MOST)
        size = 10 * size + (size_t)(*(*list)++ - '0');
    while (**list == ' ')
        ++*list;
    if (**list == ',' && (*list)[1])
        ++*list;
    else if (**list)
        size = 0;
    return size <= SB_ITEMS_MOST ? size : 0;
}

/* Sets *count to the number of groups, and returns the sum of their sizes; 0 if the list is wrong. */
static size_t groups_sum(const char *hands, size_t *count)
{
    size_t sum = 0;

    for (*count = 0; *hands && sum <= SB_ITEMS_MOST; ++*count) {
        const size_t size = groups_next(&hands);

        if (size == 0 || *count == GROUPS_MOST)
            return 0;
        sum += size;
    }
    return sum <= SB_ITEMS_MOST ? sum : 0;
}

enum sb_status sb_grouping_settle(const struct sb_grouping *grouping, size_t *n, size_t *deal, struct sb_error *error)
{
    size_t count = 1;
    const size_t sum = grouping->hands ? groups_sum(grouping->hands, &count) : *deal;

    if (grouping->sets && grouping->hands)
        return sb_error_set(error, SB_INVALID, "`sets` and `hands`: a line is a set or hands: leave one of them out");
    if (!grouping->hands && grouping->unordered)
        return sb_error_set(error, SB_INVALID,
                            "`unordered`: say of which groups, as `hands=5,5`; for one group use `sets`");
    if (grouping->hands && sum == 0)
        return sb_error_set(error, SB_INVALID,
                            "`hands` '%.60s': give the sizes of the hands with commas between, as 13,13,13,13",
                            grouping->hands);
    if (grouping->sets && *deal == 0)
        return sb_error_set(error, SB_INVALID, "`sets`: say how many items are drawn, `deal=K`");
    if (grouping->hands && *deal && *deal != sum)
        return sb_error_set(error, SB_INVALID, "`hands` '%.60s' has %zu items, and `deal` is %zu: leave `deal` out",
                            grouping->hands, sum, *deal);
    *deal = sum;
    *n = *n ? *n : sum;
    if (*deal > *n)
        return sb_error_set(error, SB_INVALID, "`hands` '%.60s' has %zu items, and there are %zu", grouping->hands, sum,
                            *n);
    if (*deal == *n && count == 1)
        return sb_error_set(error, SB_INVALID,
                            "a set of all %zu items, and nothing to test: say of how many it is drawn, `n=N`", *n);
    return SB_OK;
}

/* Writes the label of each item of the deck, and which is the first of its group. Returns the number of groups that
 * lines list. */
static size_t groups_label(const struct sb_grouping *grouping, size_t n, size_t deal, char (*label)[24],
                           const char *name[], uint32_t same[])
{
    const char *hands = grouping->hands;
    size_t item = 0, count = 0;

    while (item < deal) {
        const size_t first = item, end = hands ? item + groups_next(&hands) : deal;

        if (grouping->seats && 4 * (end - first) == n && first == count * (end - first))
            snprintf(label[count], sizeof label[0], "%s", grouping->seats[count]);
        else
            snprintf(label[count], sizeof label[0], hands ? "hand %zu" : "drawn", count + 1);
        for (; item < end; item++) {
            name[item] = label[count];
            same[item] = (uint32_t)first;
        }
        count++;
    }
    for (; item < n; item++) {
        name[item] = grouping->hands ? "left over" : "not drawn";
        same[item] = (uint32_t)deal;
    }
    return count;
}

/* The kinds of the cards of a bridge deal, in their order: players count the suits of a hand. */
enum { GROUPS_CARDS = 52 };
static const char groups_suits[] = "spade: 13, heart: 13, diamond: 13, club: 13";

enum sb_status sb_grouping_names(const struct sb_grouping *grouping, const struct sb_item_names *items, size_t n,
                                 size_t deal, struct sb_error *error, struct sb_item_names **names)
{
    if (sb_item_multiset(items))
        return sb_error_set(error, SB_INVALID,
                            "`cards` has equal names, and items of a set differ: give each item a name of its own");
    const char *const kinds = grouping->kinds                        ? grouping->kinds
                              : grouping->seats && n == GROUPS_CARDS ? groups_suits
                                                                     : NULL;
    const char **const name = calloc(n + 1, sizeof *name);
    uint32_t *const same = calloc(n + 1, sizeof *same);
    char(*const label)[24] = calloc(deal + 1, sizeof *label);
    struct sb_item_names *made = NULL;
    enum sb_status status = SB_NO_MEMORY;

    if (name && same && label) {
        const size_t groups = groups_label(grouping, n, deal, label, name, same);

        status = sb_item_names_take(name, n, &made);
        if (status == SB_OK)
            status = sb_multiset_new(n, same, &made->multiset);
        if (status == SB_OK)
            status = sb_item_names_copy(items, &made->places);
        if (status == SB_OK)
            made->multiset->groups = groups;
        if (status == SB_OK && kinds)
            status = sb_kinds_names(kinds, &n, error, &made->kinds);
        if (status == SB_OK && made->kinds)
            made->multiset->placed = made->kinds->multiset;
    }
    free(name);
    free(same);
    free(label);
    if (status) {
        sb_item_names_free(made);
        return status == SB_INVALID ? status : sb_error_memory(error, "the names of groups");
    }
    *names = made;
    return SB_OK;
}

/* Reads "land: 24" from *list on. Returns the length of the name; 0 if there is none, or the list is wrong. */
static size_t kinds_next(const char **list, const char **name, size_t *count)
{
    size_t length = 0;

    *list += strspn(*list, " ");
    *name = *list;
    while ((*list)[length] && !strchr(":,", (*list)[length]))
        length++;
    if (length == 0 || length > SB_ITEM_NAME_MOST || (*list)[length] != ':')
        return 0;
    *list += length + 1;
    *count = groups_next(list);
    return *count ? length : 0;
}

enum sb_status sb_kinds_names(const char *kinds, size_t *n, struct sb_error *error, struct sb_item_names **names)
{
    char label[GROUPS_MOST / 10][SB_ITEM_NAME_MOST + 1];
    size_t size[GROUPS_MOST / 10], count = 0, sum = 0, item = 0;
    const char *at = kinds, *text;

    while (*at && count < GROUPS_MOST / 10) {
        const size_t length = kinds_next(&at, &text, &size[count]);

        if (length == 0)
            return sb_error_set(error, SB_INVALID,
                                "`kinds` '%.60s': give names and numbers of cards, as \"land: 24, spell: 36\"", kinds);
        snprintf(label[count], sizeof label[0], "%.*s", (int)length, text);
        sum += size[count++];
    }
    if (*at || count < 2)
        return sb_error_set(error, SB_INVALID, "`kinds` '%.60s': give 2 to %d kinds, as \"land: 24, spell: 36\"", kinds,
                            GROUPS_MOST / 10);
    if (*n && *n != sum)
        return sb_error_set(error, SB_INVALID, "`kinds` '%.60s' has %zu cards, and `n` is %zu", kinds, sum, *n);
    const char **const name = calloc(sum, sizeof *name);
    uint32_t *const same = calloc(sum, sizeof *same);
    struct sb_item_names *made = NULL;
    enum sb_status status = SB_NO_MEMORY;

    for (size_t kind = 0; name && same && kind < count; kind++) {
        size_t first = 0;

        while (first < item && strcmp(name[first], label[kind]) != 0) /* a kind may be named more than once */
            first++;
        for (size_t end = item + size[kind]; item < end; item++) {
            name[item] = label[kind];
            same[item] = (uint32_t)first;
        }
    }
    if (name && same)
        status = sb_item_names_take(name, sum, &made);
    if (status == SB_OK)
        status = sb_multiset_new(sum, same, &made->multiset);
    free(name);
    free(same);
    if (status) {
        sb_item_names_free(made);
        return sb_error_memory(error, "the names of kinds");
    }
    *n = sum;
    *names = made;
    return SB_OK;
}

enum sb_status sb_items_named(const char *cards, const char *kinds, size_t *n, struct sb_error *error)
{
    struct sb_item_names *names = NULL;

    if (cards)
        return sb_item_names_count(cards, error, n);
    const enum sb_status status = kinds ? sb_kinds_names(kinds, n, error, &names) : SB_OK;

    sb_item_names_free(names);
    return status;
}

enum sb_status sb_kinds_check(const struct sb_grouping *grouping, const char *cards, size_t *n, struct sb_error *error)
{
    if (!sb_grouping_is(grouping) && cards)
        return sb_error_set(error, SB_INVALID, "`kinds` does not go with `cards`: leave one of them out");
    return sb_items_named(cards, grouping->kinds, n, error);
}

enum sb_status sb_groups_dealt(size_t n, size_t deal, bool ordered, struct sb_multiset **made)
{
    uint32_t *const same = calloc(n + 1, sizeof *same);
    enum sb_status status = SB_NO_MEMORY;

    if (!same)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        same[i] = (uint32_t)(i >= deal ? deal : ordered ? i : 0);
    status = sb_multiset_new(n, same, made);
    free(same);
    if (status == SB_OK)
        (*made)->groups = (*made)->kinds - 1;
    return status;
}

void sb_groups_deck(const struct sb_multiset *groups, const uint32_t group[], uint32_t next[], sb_item deck[])
{
    memcpy(next, groups->begin, groups->kinds * sizeof next[0]);
    for (size_t i = 0; i < groups->n; i++)
        deck[i] = next[group[i]]++;
}

size_t sb_groups_alike(const struct sb_multiset *multiset)
{
    size_t alike = 0;

    while (alike < multiset->groups && sb_multiset_copies(multiset, alike) == sb_multiset_copies(multiset, 0))
        alike++;
    return alike;
}

char *sb_kinds_words(const struct sb_item_names *names, size_t kind, size_t member, const char *label,
                     char text[3 * SB_ITEM_ROOM])
{
    const struct sb_multiset *const groups = sb_item_groups(names);
    const struct sb_item_names *const kinds = groups ? names->kinds : names;
    char room[SB_ITEM_ROOM], where[SB_ITEM_ROOM] = "hands";
    const char *const name = sb_item_name(kinds, kinds->multiset->member[kinds->multiset->begin[kind]], room);
    const char last = name[0] ? name[strlen(name) - 1] : '\0';

    if (groups && groups->groups == 1)
        snprintf(where, sizeof where, "draws");
    else if (groups)
        sb_item_words(names, groups->begin[member], where);
    snprintf(text, 3 * SB_ITEM_ROOM, "%s with %.70s %s%s", where, label, name,
             strcmp(label, "1") != 0 && last >= 'a' && last <= 'z' && !strchr("hsxyz", last) ? "s" : "");
    return text;
}

char *sb_groups_member(const struct sb_item_names *names, const char *each, size_t member, char text[2 * SB_ITEM_ROOM])
{
    char item[SB_ITEM_ROOM], other[SB_ITEM_ROOM];
    size_t second = 1;

    if (strcmp(each, "position") == 0) {
        snprintf(text, 2 * SB_ITEM_ROOM, "%s", sb_item_words(names->places, member, item));
    } else if (strcmp(each, "pair") == 0) { /* statistic/together.c numbers the pair i < j by j (j-1)/2 + i */
        while (second * (second + 1) / 2 <= member)
            second++;
        snprintf(text, 2 * SB_ITEM_ROOM, "%s and %s",
                 sb_item_words(names->places, member - second * (second - 1) / 2, item),
                 sb_item_words(names->places, second, other));
    } else if (strcmp(each, "hand") == 0) {
        snprintf(text, 2 * SB_ITEM_ROOM, "%s", sb_item_name(names, names->multiset->begin[member], item));
    } else {
        snprintf(text, 2 * SB_ITEM_ROOM, "%s %zu", each, member + 1);
    }
    return text;
}

enum sb_status sb_grouping_open(const struct sb_grouping *grouping, const char *cards, size_t n, size_t deal,
                                struct sb_error *error, struct sb_item_names **names)
{
    struct sb_item_names *items = NULL;

    if (grouping->kinds && !sb_grouping_is(grouping))
        return sb_kinds_names(grouping->kinds, &n, error, names);
    enum sb_status status = cards ? sb_item_names_new(cards, error, &items) : SB_OK;

    if (status || !sb_grouping_is(grouping)) {
        *names = items;
        return status;
    }
    status = sb_grouping_names(grouping, items, n, deal, error, names);
    sb_item_names_free(items);
    return status;
}

/* The notation of a deal for people: 231, "A K Q" or, of sets and hands, the items of each group, "1 4 | 2 3". */

/* A notation that grows until there is no room. */
struct notation {
    char *text;
    size_t room, used;
    size_t cut; /* the last length after which "..." still fits */
};

/* Adds an item after what stands between. Returns false if it does not fit: the notation then ends in "...". */
static bool notation_add(struct notation *notation, const char *between, const struct sb_item_names *names, size_t item)
{
    char number[SB_ITEM_ROOM], word[SB_ITEM_ROOM];
    const int length = snprintf(word, sizeof word, "%s%s", between, sb_item_name(names, item, number));

    if (notation->used + (size_t)length >= notation->room) {
        memcpy(notation->text + notation->cut, "...", 4);
        return false;
    }
    memcpy(notation->text + notation->used, word, (size_t)length + 1);
    notation->used += (size_t)length;
    if (notation->used + 3 < notation->room)
        notation->cut = notation->used;
    return true;
}

/* Writes the items of each group, as in "1 4 | 2 3". */
static void notation_groups(struct notation *notation, const struct sb_item_names *names, const sb_item a[])
{
    const struct sb_multiset *const deck = names->multiset;
    bool fits = true;

    for (size_t g = 0; g < deck->groups; g++) {
        const char *between = g > 0 ? " | " : "";

        for (size_t j = 0; j < deck->n && fits; j++) {
            if (deck->kind[a[j]] != g)
                continue;
            fits = notation_add(notation, between, names->places, j);
            between = names->places && names->places->separator ? ", " : " ";
        }
    }
}

char *sb_item_notation(const struct sb_item_names *names, size_t n, size_t k, const sb_item a[], char text[],
                       size_t room)
{
    const bool given = sb_item_names_given(names);
    const char *const between = given ? names->short_all ? "" : names->separator ? " | " : " " : n > 9 ? "." : "";
    struct notation notation = { text, room, 0, 0 };

    text[0] = '\0';
    if (sb_item_groups(names)) {
        notation_groups(&notation, names, a);
        return text;
    }
    for (size_t j = 0; j < k && notation_add(&notation, j > 0 ? between : "", names, a[j]); j++)
        continue;
    return text;
}

bool sb_grouping_is(const struct sb_grouping *grouping)
{
    return grouping->sets || grouping->hands || grouping->unordered;
}
