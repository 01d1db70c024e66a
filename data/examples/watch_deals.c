/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch of a biased shuffle, which raises an alarm.
 *
 *     cc watch_deals.c $(pkg-config --cflags --libs shufflebias) -o watch_deals && ./watch_deals
 */
#include <shufflebias.h>

#include <string.h>

/* Prints notes and the first alarm, which ends the watch. */
static int listen(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    struct sb_request *const request = state;

    (void)done;
    (void)total;
    if (strcmp(event, "note") == 0 || strcmp(event, "alarm") == 0)
        printf("%s: %s\n", event, text);
    if (strcmp(event, "alarm") == 0)
        sb_stop(request); /* a handler of SIGHUP would call sb_reopen() */
    return 0;
}

int main(void)
{
    struct sb_request *const request = sb_request_new("watch");

    if (!request || sb_set(request, "scheme", "naive") || sb_set(request, "n", "3") ||
        sb_set(request, "limit", "1e6"))
        return 1;
    sb_on(request, listen, request);
    struct sb_result *const result = sb_run(request);

    if (!result) {
        fprintf(stderr, "%s\n", sb_error(request));
        return 1;
    }
    const bool well = sb_write(result, "text", stdout) == SB_OK && sb_number(result, "alarms") == 1;

    sb_result_free(result);
    sb_request_free(request);
    return !well;
}
