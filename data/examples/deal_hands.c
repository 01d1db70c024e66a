/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten hands of five cards from a deck of 52.
 *
 *     cc deal_hands.c $(pkg-config --cflags --libs shufflebias) -o deal_hands && ./deal_hands
 */
#include <shufflebias.h>

int main(void)
{
    struct sb_request *const request = sb_request_new("deal");
    const uint32_t *items = NULL;

    if (!request || sb_set(request, "scheme", "fisher-yates") || sb_set(request, "n", "52") ||
        sb_set(request, "deal", "5") || sb_set(request, "seed", "7"))
        return 1;
    printf("hands of %s cards\n", sb_option(request, "deal"));
    for (int hand = 0; hand < 10 && (items = sb_next(request)); hand++)
        for (size_t i = 0; i < 5; i++)
            printf("%c%c%s", "23456789TJQKA"[items[i] % 13], "shdc"[items[i] / 13], i < 4 ? " " : "\n");
    if (!items)
        fprintf(stderr, "%s\n", sb_error(request));
    const bool well = items;

    sb_request_free(request);
    return !well;
}
