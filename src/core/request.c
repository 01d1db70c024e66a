/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the texts of options into the members of a request. */
#include "core/request.h"

#include "core/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Appends a decimal digit to the value. Returns false if the result does not fit. */
static bool request_append(uint64_t *value, unsigned digit)
{
    if (*value > (UINT64_MAX - digit) / 10)
        return false;
    *value = *value * 10 + digit;
    return true;
}

/* Reads an integer exactly, which may be written with a decimal point and a power of ten, such as 1.5e6.
 * Returns false if the text is not such a number, or if its value is not an integer. */
static bool request_integer(const char *text, uint64_t *number)
{
    bool point = false, well = isdigit((unsigned char)*text);
    long shift = 0, exponent = 0;
    uint64_t value = 0;

    for (; well && (isdigit((unsigned char)*text) || (*text == '.' && !point)); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        well = request_append(&value, (unsigned)(*text - '0'));
        shift -= point;
    }
    if (well && (*text == 'e' || *text == 'E')) {
        text += text[1] == '+' ? 2 : 1;
        well = isdigit((unsigned char)*text);
        for (; isdigit((unsigned char)*text); text++)
            exponent = exponent < 1000 ? 10 * exponent + *text - '0' : exponent;
    }
    for (shift += exponent; well && value && shift > 0; shift--)
        well = request_append(&value, 0);
    for (; well && value && shift < 0; shift++) {
        well = value % 10 == 0;
        value /= 10;
    }
    *number = value;
    return well && *text == '\0';
}

bool sb_whole_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    uint64_t value;
    const bool is = request_integer(text, &value) && value >= low && value <= high;

    if (is)
        *number = value;
    return is;
}

static bool request_count(const char *text, uint64_t low, uint64_t high, uint64_t *number, struct sb_wrong *wrong)
{
    if (sb_whole_number(text, low, high, number))
        return true;
    snprintf(wrong->why, SB_WHY, "must be a whole number from %" PRIu64 " to %" PRIu64, low, high);
    return false;
}

static bool request_power(const char *text, uint64_t low, uint64_t high, uint64_t *number, struct sb_wrong *wrong)
{
    uint64_t exponent;

    if (strncmp(text, "2^", 2) != 0)
        return request_count(text, low, high, number, wrong);
    if (sb_whole_number(text + 2, 0, 63, &exponent) && UINT64_C(1) << exponent >= low &&
        UINT64_C(1) << exponent <= high) {
        *number = UINT64_C(1) << exponent;
        return true;
    }
    snprintf(wrong->why, SB_WHY,
             "must be a whole number from %" PRIu64 " to %" PRIu64 ", or a power of two in that range", low, high);
    return false;
}

/* Reads a number with a decimal point, of one of the kinds. */
static bool request_real(const char *text, enum sb_option_kind kind, double *number, struct sb_wrong *wrong)
{
    double value;
    const bool is = sb_decimal_whole(text, &value), share = is && value > 0 && value < 1;
    uint64_t zero;

    if (kind == SB_KIND_SECONDS ? is && value > 0 && value <= 1e9
                                : (share && (kind != SB_KIND_LEVEL || value >= 1e-100)) ||
                                      (kind == SB_KIND_SHARE_OR_0 && sb_whole_number(text, 0, 0, &zero))) {
        *number = value;
        return true;
    }
    snprintf(wrong->why, SB_WHY, "%s",
             kind == SB_KIND_SECONDS          ? "must be a number of seconds above 0, up to 1e9"
             : kind == SB_KIND_LEVEL && share ? "must be at least 1e-100 and below 1"
                                              : "must be a number between 0 and 1");
    return false;
}

static bool request_flag(const char *text, bool *flag, struct sb_wrong *wrong)
{
    const bool yes = strcmp(text, "1") == 0 || strcmp(text, "true") == 0;

    if (!yes && strcmp(text, "0") != 0 && strcmp(text, "false") != 0) {
        snprintf(wrong->why, SB_WHY, "must be true or false");
        return false;
    }
    *flag = yes;
    return true;
}

static bool request_by(const char *text, unsigned *by, struct sb_wrong *wrong)
{
    static const struct {
        const char *name;
        unsigned by;
    } kinds[] = {
        { "exact", SB_BY_EXACT },
        { "sample", SB_BY_SAMPLE },
        { "both", SB_BY_EXACT | SB_BY_SAMPLE },
        { "seeds", SB_BY_SEEDS },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(text, kinds[i].name) == 0) {
            *by = kinds[i].by;
            return true;
        }
    snprintf(wrong->why, SB_WHY, "use exact, sample or both, or seeds");
    return false;
}

/* Reads one end of a range of seeds, which is the part that is wrong if it is no number. */
static bool request_end(const char *text, size_t length, uint64_t low, uint64_t *end, struct sb_wrong *wrong)
{
    char part[sizeof wrong->text];

    snprintf(part, sizeof part, "%.*s", (int)length, text);
    if (request_count(part, low, INT64_MAX - 1, end, wrong))
        return true;
    wrong->part = true;
    memcpy(wrong->text, part, sizeof part);
    return false;
}

/* Reads a range of seeds, A..B, which includes A and B. */
static bool request_range(const char *text, struct sb_option_range *range, struct sb_wrong *wrong)
{
    const char *const dots = strstr(text, "..");
    uint64_t first, last;

    if (!dots) {
        snprintf(wrong->why, SB_WHY, "write the first and the last, as in 0..65535");
        return false;
    }
    if (!request_end(text, (size_t)(dots - text), 0, &first, wrong) ||
        !request_end(dots + 2, strlen(dots + 2), first, &last, wrong))
        return false;
    *range = (struct sb_option_range) { .first = first, .count = last - first + 1 };
    return true;
}

/* Reads K/M: the K-th of M shards. */
static bool request_shard(const char *text, uint64_t most, struct sb_option_shard *shard, struct sb_wrong *wrong)
{
    const char *const slash = strchr(text, '/');
    uint64_t part, parts;
    char number[16];

    snprintf(number, sizeof number, "%.*s", slash ? (int)(slash - text) : 0, text);
    if (slash && sb_whole_number(slash + 1, 1, most, &parts) && sb_whole_number(number, 1, parts, &part)) {
        *shard = (struct sb_option_shard) { .number = (unsigned)part, .of = (unsigned)parts };
        return true;
    }
    snprintf(wrong->why, SB_WHY, "must be K/M, the part K from 1 to M of M parts, as in 3/7; %" PRIu64 " at most",
             most);
    return false;
}

static bool request_add(struct sb_option_list *list, const char *text, const char *name, struct sb_wrong *wrong)
{
    if (list->count == SB_LIST_MOST) {
        snprintf(wrong->why, SB_WHY, "more than %d options --%s: use fewer", SB_LIST_MOST, name);
        return false;
    }
    list->text[list->count++] = text;
    return true;
}

/* Reads a text into the member at `place`. */
static bool request_store(const struct sb_option *option, const char *text, uint64_t low, uint64_t high, void *place,
                          struct sb_wrong *wrong)
{
    uint64_t number;

    switch (option->kind) {
    case SB_KIND_SIZE:
        if (!request_count(text, low, high, &number, wrong))
            return false;
        *(size_t *)place = (size_t)number;
        return true;
    case SB_KIND_COUNT:
        return request_count(text, low, high, place, wrong);
    case SB_KIND_SMALL:
        if (!request_count(text, low, high, &number, wrong))
            return false;
        *(unsigned *)place = (unsigned)number;
        return true;
    case SB_KIND_POWER:
        return request_power(text, low, high, place, wrong);
    case SB_KIND_SHARE:
    case SB_KIND_SHARE_OR_0:
    case SB_KIND_LEVEL:
    case SB_KIND_SECONDS:
        return request_real(text, option->kind, place, wrong);
    case SB_KIND_FLAG:
        return request_flag(text, place, wrong);
    case SB_KIND_BY:
        return request_by(text, place, wrong);
    case SB_KIND_RANGE:
        return request_range(text, place, wrong);
    case SB_KIND_SHARD:
        return request_shard(text, high, place, wrong);
    case SB_KIND_LIST:
        return request_add(place, text, option->name, wrong);
    case SB_KIND_STATISTICS:
        *(const char **)place = strcmp(text, "all") == 0 ? NULL : strcmp(text, "none") == 0 ? "" : text;
        return true;
    case SB_KIND_TEXT:
    case SB_KIND_FILE:
        if (low && !*text) {
            snprintf(wrong->why, SB_WHY, "its argument is empty: name %s, or leave the option out",
                     strstr(option->value, "COMMAND") ? "a command" : "a file");
            return false;
        }
        *(const char **)place = text;
        return true;
    case SB_KIND_HELP:
        break;
    }
    return false;
}

bool sb_request_set_within(struct sb_request *request, const struct sb_option *option, const char *text, uint64_t low,
                           uint64_t high, struct sb_wrong *wrong)
{
    wrong->part = false;
    if (!request_store(option, text, low, high, (char *)request + option->at, wrong))
        return false;
    request->given[option - sb_options_table] = text;
    return true;
}

bool sb_request_set(struct sb_request *request, const struct sb_option *option, const char *text,
                    struct sb_wrong *wrong)
{
    return sb_request_set_within(request, option, text, option->low, option->high, wrong);
}

void sb_request_init(struct sb_request *request, unsigned of)
{
    struct sb_wrong wrong;

    *request = (struct sb_request) { .of = of, .n = 3, .seed = 1, .alpha = 0.001, .checkpoint = 60 };
    for (size_t i = 0; i < sb_options_count; i++)
        if (sb_options_table[i].of & of && sb_options_table[i].usual) {
            sb_request_set(request, &sb_options_table[i], sb_options_table[i].usual, &wrong);
            request->given[i] = NULL;
        }
}

/* ---- requests of saved runs ---- */

static const char *request_text_real(double value, char room[SB_OPTION_TEXT])
{
    double read;

    sb_decimal_format(room, SB_OPTION_TEXT, "%.15g", value);
    if (!sb_decimal_whole(room, &read) || read != value)
        sb_decimal_format(room, SB_OPTION_TEXT, "%.17g", value);
    return room;
}

static const char *request_text_count(uint64_t value, uint64_t low, char room[SB_OPTION_TEXT])
{
    if (value < low)
        return NULL;
    snprintf(room, SB_OPTION_TEXT, "%" PRIu64, value);
    return room;
}

const char *sb_request_text(const struct sb_request *request, const struct sb_option *option, char room[SB_OPTION_TEXT])
{
    const void *const at = (const char *)request + option->at;
    const char *text;

    switch (option->kind) {
    case SB_KIND_SIZE:
        return request_text_count(*(const size_t *)at, option->low, room);
    case SB_KIND_COUNT:
    case SB_KIND_POWER:
        return request_text_count(*(const uint64_t *)at, option->low, room);
    case SB_KIND_SHARE:
    case SB_KIND_SHARE_OR_0:
    case SB_KIND_LEVEL:
        return request_text_real(*(const double *)at, room);
    case SB_KIND_FLAG:
        return *(const bool *)at ? "true" : NULL;
    case SB_KIND_STATISTICS:
        text = *(const char *const *)at;
        return !text ? "all" : *text ? text : "none";
    default:
        return *(const char *const *)at;
    }
}

const struct sb_option *sb_option_saved(const struct sb_request *saved, const struct sb_option *option)
{
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];

        if (row->saved && row->of & saved->of && row->at == option->at)
            return row;
    }
    return NULL;
}

static size_t request_size(enum sb_option_kind kind)
{
    switch (kind) {
    case SB_KIND_FLAG:
        return sizeof(bool);
    case SB_KIND_SIZE:
        return sizeof(size_t);
    case SB_KIND_COUNT:
    case SB_KIND_POWER:
        return sizeof(uint64_t);
    case SB_KIND_SHARE:
    case SB_KIND_SHARE_OR_0:
    case SB_KIND_LEVEL:
        return sizeof(double);
    default:
        return sizeof(const char *);
    }
}

void sb_request_fill(struct sb_request *request, const struct sb_request *saved)
{
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];

        if (row->saved && row->of & request->of && !request->given[i] && sb_option_saved(saved, row))
            memcpy((char *)request + row->at, (const char *)saved + row->at, request_size(row->kind));
    }
}

static const struct {
    const char *name;
    unsigned of;
} request_commands[] = {
    { "report", SB_REPORT },   { "gate", SB_GATE },   { "watch", SB_WATCH }, { "prove", SB_PROVE },
    { "explain", SB_EXPLAIN }, { "odds", SB_ODDS },   { "plan", SB_PLAN },   { "law", SB_LAW },
    { "zoo", SB_ZOO },         { "bench", SB_BENCH }, { "deal", SB_DEAL },   { "merge", SB_MERGE },
};

enum { REQUEST_COMMANDS = sizeof request_commands / sizeof request_commands[0] };

unsigned sb_request_of(const char *name)
{
    for (size_t i = 0; name && i < REQUEST_COMMANDS; i++)
        if (strcmp(request_commands[i].name, name) == 0)
            return request_commands[i].of;
    return 0;
}

const char *sb_request_command(unsigned of)
{
    size_t i = 0;

    while (i + 1 < REQUEST_COMMANDS && request_commands[i].of != of)
        i++;
    return request_commands[i].name;
}

/* Whether a name is that of an option; `_` stands for `-`, which names of Python's arguments cannot have. */
static bool option_is(const char *option, const char *name)
{
    while (*option && (*option == *name || (*option == '-' && *name == '_'))) {
        option++;
        name++;
    }
    return *option == *name;
}

const struct sb_option *sb_option_find(unsigned of, const char *name)
{
    const struct sb_option *old = NULL;

    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];

        if (row->of & of && (option_is(row->name, name) || (row->field && strcmp(row->field, name) == 0)))
            return row;
        if (row->of & of && !old && row->old && option_is(row->old, name))
            old = row;
    }
    return old;
}

const char *sb_request_given(const struct sb_request *request, const char *name)
{
    const struct sb_option *const option = sb_option_find(request->of, name);

    return option ? request->given[option - sb_options_table] : NULL;
}
