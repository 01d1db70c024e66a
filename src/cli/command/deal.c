/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias deal: prints permutations on standard output, for other tests and for the gate. */
#include "cli/cli.h"

#include <errno.h>

/* Returns the bytes per binary item; 0 for text, -1 for an unknown format. */
static int deal_width(const char *format)
{
    const char *const names[] = { "text", "u8", "u16", NULL, "u32" };

    for (int width = 0; format && width <= 4; width++)
        if (names[width] && strcmp(names[width], format) == 0)
            return width;
    return format ? -1 : 0;
}

static int deal_compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Sorts each set or hand, whose order does not count. */
static void deal_sort(const struct sb_multiset *groups, uint32_t items[])
{
    for (size_t g = 0; g < groups->groups; g++)
        qsort(items + groups->begin[g], sb_multiset_copies(groups, g), sizeof items[0], deal_compare);
}

/* `names` may be NULL. */
static void deal_write(const struct sb_item_names *names, const uint32_t items[], size_t count, int width)
{
    const char separator = names && names->separator ? names->separator : ' ';
    const char between[] = { separator == '\n' ? '|' : separator, '\0' };

    for (size_t j = 0; j < count; j++) {
        if (width == 0 && names && names->n)
            printf("%s%s", j ? between : "", names->given[items[j]]);
        else if (width == 0)
            printf("%s%u", j ? " " : "", (unsigned)items[j]);
        for (int byte = 0; byte < width; byte++) /* little-endian */
            putc_unlocked((int)(items[j] >> (8 * byte) & 255), stdout);
    }
    if (width == 0)
        putc_unlocked('\n', stdout);
}

/* Writes the decks of the feed; `hand` is room for a line. `groups` is NULL if the order of all items counts. */
static enum sb_status deal_all(struct sb_feed *feed, const struct sb_request *options, const struct sb_multiset *groups,
                               int width, uint32_t hand[], struct sb_error *error)
{
    const size_t count = options->deal ? options->deal : options->n;
    enum sb_status status = SB_OK;

    errno = 0;
    for (uint64_t k = 0; k < options->samples && !*options->stop && !ferror(stdout) && !status; k++) {
        status = sb_feed_next(feed, 1, error);
        if (status)
            break;
        memcpy(hand, feed->items, count * sizeof hand[0]);
        if (groups)
            deal_sort(groups, hand);
        deal_write(feed->names, hand, count, width);
    }
    return status;
}

static int deal_decks(const char *scheme, struct sb_request *options, int width)
{
    struct sb_error error = { 0 };
    struct sb_item_names *groups = NULL;
    struct sb_feed *feed = NULL;
    uint32_t *hand = NULL;
    enum sb_status status = sb_request_group(options, &error, options);

    if (status == SB_OK && sb_grouping_is(&options->grouping))
        status = sb_grouping_open(&options->grouping, NULL, options->n, options->deal, &error, &groups);
    if (status == SB_OK)
        status = sb_scheme_feed(scheme, options, &error, &feed);
    if (status == SB_OK && !(hand = calloc(options->n + 1, sizeof *hand)))
        status = sb_error_memory(&error, "a deal");
    const bool dealing = status == SB_OK && hand;

    if (dealing)
        status = deal_all(feed, options, groups ? groups->multiset : NULL, width, hand, &error);
    free(hand);
    sb_feed_free(feed);
    sb_item_names_free(groups);
    if (*options->stop)
        return EXIT_INTERRUPTED;
    if (status)
        return dealing ? cli_say("deal", error.text) : cli_failed("deal", &error);
    return EXIT_DONE;
}

int cli_deal_run(struct cli_line *line)
{
    struct sb_request *const request = &line->request;
    const int width = deal_width(request->format);

    if (width < 0)
        return cli_usage("deal", "--format %s: use text, u8, u16 or u32", request->format);
    const int status = cli_prepare(line);

    if (status)
        return status;
    if (width == 1 && request->n > 256)
        return cli_usage("deal", "--format u8: items of n = %zu do not fit a byte: use u16", request->n);
    if (width == 2 && request->n > 65536)
        return cli_usage("deal", "--format u16: items of n = %zu do not fit two bytes: use u32", request->n);
    return cli_finish("deal", deal_decks(line->words[0], request, width));
}
