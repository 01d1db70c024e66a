/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items: lists of cards as games keep them, names, and equal items.
 *
 * Ranks of arrangements: of N arrangements of the items that are left, N m/l begin with a kind of which m of
 * the l items are left. Knuth, The Art of Computer Programming, vol. 4A, 7.2.1.2.
 */
#include "core/core.h"
#include "core/numbers.h"
#include "core/text.h"

#include <strings.h>

/* Lists of cards with counts, as games of cards keep them: "4 Lightning Bolt" in a line, as in Arena, Forge and
 * Cockatrice, and the XML of Cockatrice. */

enum { LIST_MOST = 1 << 26 }; /* bytes of a list with each card as often as it is in the deck */

/* Whether a line of such a list is the title of a part of it; *main tells whether the part is in the deck. */
static bool list_is_title(const char *line, bool *main)
{
    static const char *const out[] = { "sideboard", "[sideboard]", "maybeboard", "[metadata]", "about" };
    static const char *const in[] = { "deck", "[main]", "main", "commander", "[commander]", "companion" };
    bool found = strncmp(line, "//", 2) == 0 || *line == '#';

    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++)
        if (strcasecmp(line, out[i]) == 0) {
            found = true;
            *main = false;
        }
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++)
        if (strcasecmp(line, in[i]) == 0)
            found = *main = true;
    return found;
}

/* Reads a line such as "4 Lightning Bolt", "4x Lightning Bolt (M10) 146" or "4 Lightning Bolt|M10|1". Returns the
 * count, or 0 if the line has none, and cuts the name out of the line. */
static size_t list_count(char *line, char **name)
{
    char *end;
    const unsigned long count = *line >= '0' && *line <= '9' ? strtoul(line, &end, 10) : 0;

    if (count == 0 || count > SB_ITEMS_MOST)
        return 0;
    end += *end == 'x';
    if (*end != ' ')
        return 0;
    *name = end + strspn(end, " ");
    (*name)[strcspn(*name, "|")] = '\0';
    for (char *set = strstr(*name, " ("); set; set = strstr(set + 1, " ("))
        if (set[2 + strspn(set + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == ')' && set[2] != ')')
            *set = '\0', set = *name;
    return **name ? count : 0;
}

static bool list_expand(const char *list, char **made)
{
    char *const copy = strdup(list), *rest = NULL, *name = copy;
    size_t used = 0, room = 0;
    bool main = true, counts = true;

    *made = NULL;
    for (char *line = copy ? strtok_r(copy, "\r\n", &rest) : NULL; line && counts;
         line = strtok_r(NULL, "\r\n", &rest)) {
        line += strspn(line, " ");
        if (!*line || list_is_title(line, &main) || !main || strncmp(line, "SB:", 3) == 0)
            continue;
        const size_t count = list_count(line, &name), length = count ? strlen(name) + 1 : 0;
        char *const more = realloc(*made, room + count * length + 1);

        counts = count > 0 && more && room + count * length < LIST_MOST;
        *made = more ? more : *made;
        room += count * length;
        for (size_t i = 0; counts && i < count; i++)
            used += (size_t)sprintf(*made + used, "%s\n", name);
    }
    free(copy);
    if (counts)
        return *made;
    free(*made);
    *made = NULL;
    return false;
}

/* Copies the value of an attribute of an XML tag to `to`, up to the end of the tag. Characters that XML must write in
 * another way are written plainly. Returns its length; 0 if the tag has no such attribute. */
static size_t list_attribute(const char *tag, const char *end, const char *name, char *to)
{
    static const struct {
        const char *code;
        char plain;
    } codes[] = { { "&amp;", '&' }, { "&lt;", '<' },   { "&gt;", '>' },   { "&quot;", '"' },
                  { "&#34;", '"' }, { "&#39;", '\'' }, { "&apos;", '\'' } };
    const size_t length = strlen(name);
    size_t used = 0;

    while (tag < end && !(*tag == ' ' && strncmp(tag + 1, name, length) == 0 && tag[length + 1] == '=' &&
                          (tag[length + 2] == '"' || tag[length + 2] == '\'')))
        tag++;
    for (const char *c = tag + length + 3; tag < end && c < end && *c != tag[length + 2]; c++) {
        to[used] = *c;
        for (size_t i = 0; *c == '&' && i < sizeof codes / sizeof codes[0]; i++)
            if (strncmp(c, codes[i].code, strlen(codes[i].code)) == 0) {
                to[used] = codes[i].plain;
                c += strlen(codes[i].code) - 1;
            }
        used++;
    }
    to[used] = '\0';
    return used;
}

/* Returns the plain list of a deck in XML, as Cockatrice keeps it, which the caller frees: <zone name="main"> has
 * <card number="4" name="Lightning Bolt"/>. NULL if memory runs out. */
static char *list_from_xml(const char *xml)
{
    char *const list = malloc(strlen(xml) + 1), *const text = malloc(strlen(xml) + 1);
    size_t used = 0;

    for (const char *tag = xml, *end; list && text && (tag = strchr(tag, '<')); tag = end) {
        const bool zone = strncmp(tag, "<zone ", 6) == 0, card = strncmp(tag, "<card ", 6) == 0;

        end = tag + 1 + strcspn(tag + 1, ">");
        if (zone && list_attribute(tag, end, "name", text))
            used += (size_t)sprintf(list + used, "%s\n", strcmp(text, "main") == 0 ? "main" : "sideboard");
        if (card)
            used += (size_t)sprintf(list + used, "%s ", list_attribute(tag, end, "number", text) ? text : "1");
        if (card)
            used += (size_t)sprintf(list + used, "%s\n", list_attribute(tag, end, "name", text) ? text : "");
    }
    free(text);
    if (list)
        list[used] = '\0';
    return list;
}

/* Sets *made to the names of a list of cards with counts, each as often as its count says, one a line; to NULL if some
 * line has no count. The caller frees *made. Errors: SB_INVALID if the list is XML without cards; SB_NO_MEMORY. */
static enum sb_status deck_list_expand(const char *list, struct sb_error *error, char **made)
{
    const char *const begin = list + strspn(list, "\xEF\xBB\xBF \t\r\n");
    const bool xml = *begin == '<' && (strncmp(begin, "<?xml", 5) == 0 || strstr(begin, "<card "));
    char *const plain = xml ? list_from_xml(list) : NULL;

    *made = NULL;
    if (xml && !plain)
        return sb_error_memory(error, "the names of items");
    const bool counts = (xml || strchr(list, '\n')) && list_expand(xml ? plain : list, made);

    free(plain);
    return counts || !xml
               ? SB_OK
               : sb_error_set(
                     error, SB_INVALID,
                     "`cards` is XML, but no deck of Cockatrice: it has <card number=\"4\" name=\"Island\"/> in "
                     "<zone name=\"main\">");
}

/* Returns the number of arrangements; 0 if they are not counted one by one. */
static size_t multiset_count(const struct sb_multiset *multiset)
{
    uint64_t count = 1, items = 0;

    for (size_t kind = 0; multiset->n <= SB_ARRANGED_MOST && kind < multiset->kinds; kind++)
        for (size_t copy = 1; copy <= sb_multiset_copies(multiset, kind); copy++) {
            count = count * ++items / copy; /* whole at each step, as a product of binomial coefficients */
            if (count > SB_CELLS_MOST)
                return 0;
        }
    return multiset->n <= SB_ARRANGED_MOST ? (size_t)count : 0;
}

enum sb_status sb_multiset_new(size_t n, const uint32_t same[], struct sb_multiset **made)
{
    struct sb_multiset *const m = calloc(1, sizeof *m);

    if (!m)
        return SB_NO_MEMORY;
    m->n = n;
    m->kind = calloc(n + 1, sizeof m->kind[0]);
    m->begin = calloc(n + 2, sizeof m->begin[0]);
    m->member = calloc(n + 1, sizeof m->member[0]);
    if (!m->kind || !m->begin || !m->member) {
        sb_multiset_free(m);
        return SB_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        m->kind[i] = same[i] == i ? (uint32_t)m->kinds++ : m->kind[same[i]];
    /* counting sort: begin[kind + 1] first counts the items, and then is where the next item goes */
    for (size_t i = 0; i < n; i++)
        m->begin[m->kind[i] + 1]++;
    for (size_t kind = 0; kind < m->kinds; kind++)
        m->begin[kind + 1] += m->begin[kind];
    for (size_t i = n; i-- > 0;)
        m->member[--m->begin[m->kind[i] + 1]] = (uint32_t)i;
    for (size_t kind = 0; kind < m->kinds; kind++) /* each begin is now one kind too far to the right */
        m->begin[kind] = m->begin[kind + 1];
    m->begin[m->kinds] = (uint32_t)n;
    m->arrangements = multiset_count(m);
    *made = m;
    return SB_OK;
}

void sb_multiset_free(struct sb_multiset *multiset)
{
    if (!multiset)
        return;
    free(multiset->kind);
    free(multiset->begin);
    free(multiset->member);
    free(multiset);
}

double sb_multiset_ln_arrangements(const struct sb_multiset *multiset)
{
    double ln = sb_ln_gamma((double)multiset->n + 1);

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        ln -= sb_ln_gamma((double)sb_multiset_copies(multiset, kind) + 1);
    return ln;
}

bool sb_multiset_order(const struct sb_multiset *multiset, size_t k, sb_item a[], uint32_t used[], sb_item *surplus)
{
    memset(used, 0, multiset->kinds * sizeof used[0]);
    for (size_t j = 0; j < k; j++) {
        const uint32_t kind = multiset->kind[a[j]];

        if (used[kind] == sb_multiset_copies(multiset, kind)) {
            *surplus = a[j];
            return false;
        }
        a[j] = multiset->member[multiset->begin[kind] + used[kind]++];
    }
    return true;
}

char sb_item_names_between(const char *list)
{
    for (const char *separator = "\n\t|;,"; *separator; separator++)
        for (const char *c = list; *c; c++) {
            if (*c == *separator)
                return *separator;
            if (*c == '"' && (c == list || strchr(" \n\t|;,", c[-1])) && strchr(c + 1, '"'))
                c = strchr(c + 1, '"');
        }
    return ' ';
}

/* Copies the next name of a list to `to`, without blanks around it and without quotation marks (RFC 4180). Returns the
 * rest of the list, after a separator. */
static const char *names_next(const char *list, char separator, char *to)
{
    const char *at = list + strspn(list, " ");
    bool quoted = *at == '"' && strchr(at + 1, '"');
    char *const begin = to;

    for (at += quoted; *at && (quoted || *at != separator); at++) {
        if (quoted && *at == '"' && at[1] != '"') {
            quoted = false;
            continue;
        }
        at += quoted && *at == '"';
        *to++ = *at;
    }
    while (to > begin && (to[-1] == ' ' || to[-1] == '\r'))
        to--;
    *to = '\0';
    return *at ? at + 1 : at;
}

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

/* Whether names need their separator in a line: a blank does not separate them. */
static bool names_are_titles(const struct sb_item_names *names, char separator)
{
    for (size_t i = 0; i < names->n; i++)
        if (strchr(names->given[i], ' ') || strchr(names->given[i], separator))
            return true;
    return false;
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
        return sb_error_set(error, SB_INVALID, "`cards` has %zu names: give 1 to %d, with blanks between", names->n,
                            SB_ITEMS_MOST);
    for (size_t i = 0; i < names->n; i++) {
        const char *const name = names->given[i];

        if (strlen(name) > SB_ITEM_NAME_MOST)
            return sb_error_set(error, SB_INVALID, "`cards` '%.20s...': a name has %d bytes at most", name,
                                SB_ITEM_NAME_MOST);
        for (const char *c = name; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127 || (*c == '#' && (c == name || !names->separator)))
                return sb_error_set(error, SB_INVALID,
                                    "`cards` '%s': a name has no control characters, and no #, which begins comments",
                                    name);
    }
    return SB_OK;
}

/* Makes the names to show. A name that is safe is not copied. SB_NO_MEMORY. */
static enum sb_status names_show(struct sb_item_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        char *const safe = sb_sanitize_text(names->given[i], SB_ITEM_SHOWN);
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

static enum sb_status names_split(const char *list, struct sb_error *error, struct sb_item_names **names)
{
    const size_t length = strlen(list);
    struct sb_item_names *const made = names_room(length / 2 + 1, length); /* a separator follows each name */
    const char separator = sb_item_names_between(list);
    enum sb_status status;
    char *to;

    if (!made)
        return sb_error_memory(error, "the names of cards");
    to = made->text;
    while (*list) {
        list = names_next(list, separator, to);
        if (!*to)
            continue;
        made->given[made->n++] = to;
        to += strlen(to) + 1;
    }
    made->separator = names_are_titles(made, separator) ? separator : '\0';
    names_sort(made);
    status = names_check(made, error);
    if (status == SB_OK && (names_show(made) || names_equal(made)))
        status = sb_error_memory(error, "the names of cards");
    if (status)
        sb_item_names_free(made);
    else
        *names = made;
    return status;
}

enum sb_status sb_item_names_new(const char *list, struct sb_error *error, struct sb_item_names **names)
{
    char *counted;
    enum sb_status status = deck_list_expand(list, error, &counted);

    if (status == SB_OK)
        status = names_split(counted ? counted : list, error, names);

    free(counted);
    return status;
}

enum sb_status sb_item_names_count(const char *list, struct sb_error *error, size_t *n)
{
    struct sb_item_names *names;
    enum sb_status status = sb_item_names_new(list, error, &names);

    if (status)
        return status;
    if (*n && *n != names->n)
        status = sb_error_set(error, SB_INVALID, "`cards` has %zu names, and `n` is %zu: leave `n` out", names->n, *n);
    *n = names->n;
    sb_item_names_free(names);
    return status;
}

char sb_item_names_separator(const char *list)
{
    struct sb_item_names *names;

    if (!list || sb_item_names_new(list, NULL, &names))
        return '\0';
    const char separator = names->separator;

    sb_item_names_free(names);
    return separator;
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
    made->separator = names->separator;
    if ((names->multiset && names_equal(made)) || (names->places && sb_item_names_copy(names->places, &made->places)) ||
        (names->kinds && sb_item_names_copy(names->kinds, &made->kinds))) {
        sb_item_names_free(made);
        return SB_NO_MEMORY;
    }
    if (names->multiset && made->multiset)
        made->multiset->groups = names->multiset->groups;
    if (made->kinds && made->multiset)
        made->multiset->placed = made->kinds->multiset;
    *copy = made;
    return SB_OK;
}

char *sb_item_names_list(const struct sb_item_names *names)
{
    const char *const between = names->separator ? "\t" : " ";
    size_t room = 2, used = 0;

    for (size_t i = 0; i < names->n; i++)
        room += strlen(names->given[i]) + 1;
    char *const list = malloc(room);

    if (list && names->n == 0)
        snprintf(list, room, "%u", names->base);
    for (size_t i = 0; list && i < names->n; i++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", i ? between : "", names->given[i]);
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
    sb_item_names_free(names->places);
    sb_item_names_free(names->kinds);
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
