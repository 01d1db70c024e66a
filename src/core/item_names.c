/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/item_names.h"

#include "core/error.h"
#include "core/text/sanitize_text.h"
#include "core/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char names_separators[] = " ,";

/* Allocates room for n names with `bytes` bytes in all. */
static struct sb_item_names *names_room(size_t n, size_t bytes)
{
    struct sb_item_names *const names = calloc(1, sizeof *names);

    if (!names)
        return NULL;
    names->text = malloc(bytes + 1);
    names->given = calloc(n + 1, sizeof names->given[0]);
    names->name = calloc(n + 1, sizeof names->name[0]);
    names->sorted = calloc(n + 1, sizeof names->sorted[0]);
    if (names->text && names->given && names->name && names->sorted)
        return names;
    sb_item_names_free(names);
    return NULL;
}

/* Whether a name is a single character, and deals of such names need no blanks. Two colons or hashes without a blank
 * could begin a command of a CI system. */
static bool names_short(const char *name)
{
    return *name != ':' && *name != '#' && sb_utf8_next(&name) && *name == '\0';
}

/* Compares two sorted names: by name, then by item. */
static int names_compare(const void *x, const void *y)
{
    const struct sb_sorted_name *const a = x, *const b = y;
    const int order = strcmp(a->name, b->name);

    return order ? order : (a->item > b->item) - (a->item < b->item);
}

/* Compares a text with a sorted name. */
static int names_match(const void *text, const void *sorted)
{
    return strcmp(text, ((const struct sb_sorted_name *)sorted)->name);
}

static void names_sort(struct sb_item_names *names)
{
    names->short_all = true;
    for (size_t i = 0; i < names->n; i++) {
        names->sorted[i] = (struct sb_sorted_name) { names->given[i], (uint32_t)i };
        names->short_all = names->short_all && names_short(names->given[i]);
    }
    qsort(names->sorted, names->n, sizeof names->sorted[0], names_compare);
    for (size_t i = 0; i < names->n; i++) /* keeps the first item of each name */
        if (i == 0 || strcmp(names->sorted[i].name, names->sorted[names->distinct - 1].name) != 0)
            names->sorted[names->distinct++] = names->sorted[i];
}

static enum sb_status names_check(const struct sb_item_names *names, struct sb_error *error)
{
    if (names->n == 0 || names->n > SB_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`cards` has %zu names: give 1 to %d, with blanks between",
                            names->n, SB_ITEMS_MOST);
    for (size_t i = 0; i < names->n; i++) {
        const char *const name = names->given[i];

        if (strlen(name) > SB_ITEM_NAME_MOST)
            return sb_error_set(error, SB_INVALID, "`cards` '%.20s...': a name has %d bytes at most", name,
                                SB_ITEM_NAME_MOST);
        for (const char *c = name; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127 || *c == '#')
                return sb_error_set(
                    error, SB_INVALID,
                    "`cards` '%s': a name has no control characters, and no #, which begins comments", name);
    }
    return SB_OK;
}

/* Makes the names to show. A name that is safe is not copied. SB_NO_MEMORY. */
static enum sb_status names_show(struct sb_item_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        char *const safe = sb_sanitize_text(names->given[i], SB_ITEM_NAME_MOST);
        const bool same = safe && strcmp(safe, names->given[i]) == 0;

        if (same)
            free(safe);
        names->name[i] = same ? names->given[i] : safe;
        if (!safe)
            return SB_NO_MEMORY;
    }
    return SB_OK;
}

/* Finds equal names. */
static enum sb_status names_equal(struct sb_item_names *names)
{
    if (names->distinct == names->n)
        return SB_OK;
    uint32_t *const same = calloc(names->n + 1, sizeof *same);

    if (!same)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < names->n; i++)
        same[i] = sb_item_names_find(names, names->given[i]);
    const enum sb_status status = sb_multiset_new(names->n, same, &names->multiset);

    free(same);
    return status;
}

/* Rejects a list with commas in which only blanks are between two words: they are probably one name of two words. */
static enum sb_status names_check_commas(const char *list, struct sb_error *error)
{
    if (!strchr(list, ','))
        return SB_OK;
    for (const char *part = list; *part; part += strspn(part, names_separators)) {
        const size_t length = strcspn(part, ","), word = strcspn(part, names_separators);
        const size_t next = word + strspn(part + word, " ");

        if (word && next < length)
            return sb_error_set(
                error, SB_INVALID,
                "`cards` '%.*s': a name is one word, so give other names, or commas between all",
                (int)(length < SB_ITEM_NAME_MOST ? length : SB_ITEM_NAME_MOST), part);
        part += length;
    }
    return SB_OK;
}

enum sb_status sb_item_names_new(const char *list, struct sb_error *error, struct sb_item_names **names)
{
    const size_t length = strlen(list);
    struct sb_item_names *const made =
        names_room(length / 2 + 1, length); /* each name is followed by a separator */
    enum sb_status status;
    char *rest;

    if (!made)
        return sb_error_memory(error, "the names of cards");
    memcpy(made->text, list, length + 1);
    for (char *name = strtok_r(made->text, names_separators, &rest); name;
         name = strtok_r(NULL, names_separators, &rest))
        made->given[made->n++] = name;
    names_sort(made);
    status = names_check(made, error);
    if (status == SB_OK)
        status = names_check_commas(list, error);
    if (status == SB_OK && (names_show(made) || names_equal(made)))
        status = sb_error_memory(error, "the names of cards");
    if (status)
        sb_item_names_free(made);
    else
        *names = made;
    return status;
}

enum sb_status sb_item_names_count(const char *list, struct sb_error *error, size_t *n)
{
    struct sb_item_names *names;
    enum sb_status status = sb_item_names_new(list, error, &names);

    if (status)
        return status;
    if (*n && *n != names->n)
        status = sb_error_set(error, SB_INVALID, "`cards` has %zu names, and `n` is %zu: leave `n` out",
                              names->n, *n);
    *n = names->n;
    sb_item_names_free(names);
    return status;
}

enum sb_status sb_item_names_take(const char *const name[], size_t n, struct sb_item_names **names)
{
    struct sb_item_names *made;
    size_t bytes = 0;
    char *end;

    for (size_t i = 0; i < n; i++)
        bytes += strnlen(name[i], SB_ITEM_NAME_MOST) + 1;
    made = names_room(n, bytes);
    if (!made)
        return SB_NO_MEMORY;
    end = made->text;
    for (size_t i = 0; i < n; i++) {
        const size_t length = strnlen(name[i], SB_ITEM_NAME_MOST);

        made->given[made->n++] = memcpy(end, name[i], length);
        end[length] = '\0';
        end += length + 1;
    }
    names_sort(made);
    if (names_show(made)) {
        sb_item_names_free(made);
        return SB_NO_MEMORY;
    }
    *names = made;
    return SB_OK;
}

enum sb_status sb_item_names_numbers(uint32_t base, struct sb_item_names **names)
{
    *names = NULL;
    if (base == 1)
        return SB_OK;
    *names = names_room(0, 0);
    if (!*names)
        return SB_NO_MEMORY;
    (*names)->base = base;
    return SB_OK;
}

enum sb_status sb_item_names_copy(const struct sb_item_names *names, struct sb_item_names **copy)
{
    struct sb_item_names *made;

    if (!sb_item_names_given(names))
        return sb_item_names_numbers(names ? names->base : 1, copy);
    if (sb_item_names_take((const char *const *)names->given, names->n, &made))
        return SB_NO_MEMORY;
    if (names->multiset && names_equal(made)) {
        sb_item_names_free(made);
        return SB_NO_MEMORY;
    }
    *copy = made;
    return SB_OK;
}

char *sb_item_names_list(const struct sb_item_names *names)
{
    size_t room = 2, used = 0;

    for (size_t i = 0; i < names->n; i++)
        room += strlen(names->given[i]) + 1;
    char *const list = malloc(room);

    if (list && names->n == 0)
        snprintf(list, room, "%u", names->base);
    for (size_t i = 0; list && i < names->n; i++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", i ? " " : "", names->given[i]);
    return list;
}

enum sb_status sb_item_names_read(const char *list, struct sb_error *error, struct sb_item_names **names)
{
    if (strcmp(list, "0") != 0)
        return sb_item_names_new(list, error, names);
    return sb_item_names_numbers(0, names) ? sb_error_memory(error, "the names of items") : SB_OK;
}

void sb_item_names_free(struct sb_item_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->n; i++)
        if (names->name[i] != names->given[i])
            free(names->name[i]);
    free(names->text);
    free(names->given);
    free(names->name);
    free(names->sorted);
    sb_multiset_free(names->multiset);
    free(names);
}

uint32_t sb_item_names_find(const struct sb_item_names *names, const char *name)
{
    const struct sb_sorted_name *const found =
        bsearch(name, names->sorted, names->distinct, sizeof names->sorted[0], names_match);

    return found ? found->item : SB_ITEMS_MOST;
}

const char *sb_item_name(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM])
{
    if (sb_item_names_given(names))
        return names->name[item];
    snprintf(text, SB_ITEM_ROOM, "%zu", item + (names ? names->base : 1));
    return text;
}

char *sb_item_words(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM])
{
    char number[SB_ITEM_ROOM];

    snprintf(text, SB_ITEM_ROOM, "%s%.63s", sb_item_names_given(names) ? "" : "item ",
             sb_item_name(names, item, number));
    return text;
}

char *sb_item_notation(const struct sb_item_names *names, size_t n, size_t k, const sb_item a[], char text[],
                       size_t room)
{
    const bool given = sb_item_names_given(names);
    const char *const between = given ? names->short_all ? "" : " " : n > 9 ? "." : "";
    size_t used = 0, cut = 0; /* `cut` is the last length after which "..." still fits */

    text[0] = '\0';
    for (size_t j = 0; j < k; j++) {
        char number[SB_ITEM_ROOM], item[SB_ITEM_ROOM];
        const int length =
            snprintf(item, sizeof item, "%s%s", j > 0 ? between : "", sb_item_name(names, a[j], number));

        if (used + (size_t)length >= room) {
            memcpy(text + cut, "...", 4);
            break;
        }
        memcpy(text + used, item, (size_t)length + 1);
        used += (size_t)length;
        if (used + 3 < room)
            cut = used;
    }
    return text;
}

const char *sb_item_separator(const struct sb_item_names *names)
{
    return sb_item_names_given(names) && !names->short_all ? ", " : " ";
}
