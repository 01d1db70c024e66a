/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of cards with counts, as games of cards keep them: "4 Lightning Bolt" in a line, as in Arena, Forge and
 * Cockatrice, and the XML of Cockatrice. */
#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

enum sb_status sb_deck_list_expand(const char *list, struct sb_error *error, char **made)
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
