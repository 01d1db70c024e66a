/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees lists of numbers in several forms, and reads their integers. */
#include "core/numbers.h"

#include <stdlib.h>

enum sb_status sb_numbers_open(enum sb_number_form form, size_t size, struct sb_numbers *numbers)
{
    struct sb_numbers made = { .form = form, .size = size };
    bool had = true;

    switch (form) {
    case SB_NUMBERS_NONE:
        break;
    case SB_NUMBERS_U32:
        had = (made.u32 = calloc(size + 1, sizeof *made.u32));
        break;
    case SB_NUMBERS_U64:
        had = (made.u64 = calloc(size + 1, sizeof *made.u64));
        break;
    case SB_NUMBERS_WIDE:
        had = (made.wide = sb_mpz_new(size, 64));
        break;
    case SB_NUMBERS_SHARE:
        had = (made.share = calloc(size + 1, sizeof *made.share));
        break;
    }
    if (had)
        *numbers = made;
    return had ? SB_OK : SB_NO_MEMORY;
}

void sb_numbers_close(struct sb_numbers *numbers)
{
    switch (numbers->form) {
    case SB_NUMBERS_NONE:
        break;
    case SB_NUMBERS_U32:
        free(numbers->u32);
        break;
    case SB_NUMBERS_U64:
        free(numbers->u64);
        break;
    case SB_NUMBERS_WIDE:
        sb_mpz_free(numbers->wide, numbers->size);
        break;
    case SB_NUMBERS_SHARE:
        free(numbers->share);
        break;
    }
    *numbers = (struct sb_numbers) { .form = SB_NUMBERS_NONE };
}

void sb_numbers_integer(const struct sb_numbers *numbers, size_t i, mpz_t value)
{
    if (numbers->form == SB_NUMBERS_WIDE)
        mpz_set(value, numbers->wide[i]);
    else
        sb_mpz_set_u64(value, sb_numbers_u64(numbers, i));
}
