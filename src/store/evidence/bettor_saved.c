/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor's wealths in saved evidence. Each wealth is a power of two times a fraction. The fraction is
 * written with 17 digits, so it is read back exactly. The reader checks every value.
 */
#include "store/evidence/bettor_saved.h"

#include "report/result.h"
#include "store/json_field.h"

#include <math.h>

/* No deck multiplies or divides a wealth by more than 2^(2^12). */
enum { BETTOR_POWER_MOST = 1 << 12 };

void sb_bettor_saved_write(struct sb_json *json, const struct sb_bettor_wealth *wealth)
{
    sb_json_object(json, "bettor");
    sb_json_integer(json, "decks", wealth->decks);
    sb_json_array(json, "parts", true);
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        sb_json_real(json, NULL, wealth->part[i]);
    sb_json_close(json);
    sb_json_array(json, "powers", true);
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        sb_json_real(json, NULL, (double)wealth->power[i]);
    sb_json_close(json);
    if (wealth->round) {
        sb_json_integer(json, "round", wealth->round);
        sb_json_real(json, "won", wealth->round > 1 ? wealth->ln_won : NAN);
    }
    sb_json_close(json);
}

/* Reads the index of the current round, which is 1 or more, and what the earlier rounds have won. */
static void bettor_read_round(struct sb_json_field_reader *in, const json_t *bettor,
                              struct sb_bettor_wealth *wealth)
{
    const uint64_t round = wealth->decks ? (wealth->decks - 1) / SB_BETTOR_ROUND + 1 : 1;
    const json_t *const won = json_object_get(bettor, "won");

    wealth->round = 0;
    wealth->ln_won = 0;
    if (!json_object_get(bettor, "round"))
        return;
    wealth->round = sb_json_field_integer(in, bettor, "round", round, round);
    if (wealth->round > 1 ? json_is_number(won) : json_is_null(won))
        wealth->ln_won = json_number_value(won);
    else
        sb_json_field_fail(in, "won", "must be a number after the first round, and null in it");
}

void sb_bets_saved_write(struct sb_json *json, const double bet[], size_t count)
{
    if (count == 0)
        return;
    sb_json_array(json, "bets", true);
    for (size_t i = 0; i < count; i++)
        sb_json_real(json, NULL, bet[i]);
    sb_json_close(json);
}

size_t sb_bets_saved_read(struct sb_json_field_reader *in, const json_t *object, double bet[])
{
    const json_t *bets;
    size_t count;

    if (!json_object_get(object, "bets"))
        return 0;
    bets = sb_json_field_array(in, object, "bets", SB_BETTOR_WEALTHS);
    count = json_array_size(bets);
    for (size_t i = 0; i < count; i++) {
        bet[i] = json_number_value(json_array_get(bets, i));
        if (!json_is_number(json_array_get(bets, i)))
            sb_json_field_fail(in, "bets", "must be numbers");
    }
    return count;
}

bool sb_bettor_saved_read(struct sb_json_field_reader *in, const json_t *object, uint64_t total,
                          struct sb_bettor_wealth *wealth)
{
    static const char *const fields[] = { "decks", "parts", "powers", "round", "won", NULL };
    const json_t *const bettor = json_object_get(object, "bettor");
    const json_t *parts, *powers;
    bool well;

    if (!bettor || !sb_json_field_enter(in, "bettor", bettor, fields))
        return false;
    wealth->decks = sb_json_field_integer(in, bettor, "decks", total, total);
    parts = sb_json_field_array(in, bettor, "parts", SB_BETTOR_WEALTHS);
    powers = sb_json_field_array(in, bettor, "powers", SB_BETTOR_WEALTHS);
    well = json_array_size(parts) == SB_BETTOR_WEALTHS && json_array_size(powers) == SB_BETTOR_WEALTHS;
    for (size_t i = 0; well && i < SB_BETTOR_WEALTHS; i++) {
        const json_t *const part = json_array_get(parts, i), *const power = json_array_get(powers, i);
        const double most = fmin(BETTOR_POWER_MOST * ((double)total + 1), 0x1p62); /* fits into int64_t */

        wealth->part[i] = json_number_value(part);
        wealth->power[i] = (int64_t)fmin(fmax(json_number_value(power), -most), most);
        well = json_is_number(part) && wealth->part[i] >= 0.5 && wealth->part[i] < 1 &&
               json_is_number(power) && json_number_value(power) == (double)wealth->power[i];
    }
    if (!well)
        sb_json_field_fail(in, "parts",
                           "must hold a fraction from 0.5 for each wealth, and powers an integer");
    bettor_read_round(in, bettor, wealth);
    sb_json_field_leave(in);
    return true;
}
