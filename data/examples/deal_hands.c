/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten hands of five cards from a deck of 52.
 *
 *     cc deal_hands.c $(pkg-config --cflags --libs shufflebias) -o deal_hands && ./deal_hands
 */
#include <shufflebias.h>

int main(void)
{
    struct sb_options options;
    struct sb_error error;
    struct sb_dealer *dealer;
    enum sb_status status = SB_OK;

    sb_options_init(&options);
    options.n = 52;
    options.deal = 5;
    options.seed = 7;
    if (sb_dealer_new("fisher-yates", &options, &error, &dealer)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int hand = 0; hand < 10 && status == SB_OK; hand++) {
        const uint32_t *items;

        status = sb_dealer_next(dealer, &items);
        for (size_t i = 0; i < options.deal && status == SB_OK; i++)
            printf("%c%c%s", "23456789TJQKA"[items[i] % 13], "shdc"[items[i] / 13],
                   i + 1 < options.deal ? " " : "\n");
    }
    sb_dealer_free(dealer);
    return status != SB_OK;
}
