/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deck in which two cards are equal: the exact law of its three arrangements under the naive swap, and a gate. The
 * results have a title and name the cards.
 *
 *     cc name_cards.c $(pkg-config --cflags --libs shufflebias) -o name_cards && ./name_cards
 */
#include <shufflebias.h>

#include <string.h>

/* Whether a command on the naive swap of two aces and a card names the order ABA in its sentence. */
static bool names(const char *command, const char *by, const char *sentence)
{
    struct sb_request *const request = sb_request_new(command);
    const bool set = request && !sb_set(request, "scheme", "naive") && !sb_set(request, "cards", "A A B") &&
                     !sb_set(request, "title", "Two aces") && (!by || !sb_set(request, "by", by));
    struct sb_result *const result = set ? sb_run(request) : NULL;
    const char *const found = result ? sb_get(result, sentence) : NULL;
    const bool named = found && strstr(found, "ABA");

    puts(found ? found : request ? sb_error(request) : "not enough memory");
    sb_result_free(result);
    sb_request_free(request);
    return named;
}

int main(void)
{
    return !(names("report", "exact", "reports.0.sentence") && names("gate", NULL, "gates.0.sentence"));
}
