/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias deal: prints permutations on standard output, for other tests and for the gate. */
#include "cli/cli.h"
#include "study/results.h"

#include <errno.h>
#include <string.h>

/* Returns the bytes per binary item; 0 for text, -1 for an unknown format. */
static int deal_width(const char *output)
{
    const char *const names[] = { "text", "u8", "u16", NULL, "u32" };

    for (int width = 0; output && width <= 4; width++)
        if (names[width] && strcmp(names[width], output) == 0)
            return width;
    return output ? -1 : 0;
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

static int deal_decks(const char *scheme, const struct sb_request *options, int width)
{
    const size_t count = options->deal ? options->deal : options->n;
    struct sb_error error = { 0 };
    struct sb_feed *feed = NULL;
    enum sb_status status = sb_scheme_feed(scheme, options, &error, &feed);

    if (status)
        return cli_failed("deal", &error);
    errno = 0;
    for (uint64_t k = 0; k < options->samples && !*options->stop && !ferror(stdout) && !status; k++) {
        status = sb_feed_next(feed, 1, &error);
        if (!status)
            deal_write(feed->names, feed->items, count, width);
    }
    sb_feed_free(feed);
    if (*options->stop)
        return EXIT_INTERRUPTED;
    return status ? cli_say("deal", error.text) : EXIT_DONE;
}

int cli_deal_run(struct cli_line *line)
{
    const struct sb_request *const request = &line->request;
    const int width = deal_width(request->output);

    if (width < 0)
        return cli_usage("deal", "--output %s: use text, u8, u16 or u32", request->output);
    const int status = cli_prepare(line);

    if (status)
        return status;
    if (width == 1 && request->n > 256)
        return cli_usage("deal", "--output u8: items of n = %zu do not fit a byte: use u16", request->n);
    if (width == 2 && request->n > 65536)
        return cli_usage("deal", "--output u16: items of n = %zu do not fit two bytes: use u32", request->n);
    return cli_finish("deal", deal_decks(line->words[0], request, width));
}
