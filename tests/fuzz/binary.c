/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutations of 8, 16 and 32 bits an item: the same deals and the same error wherever chunks end. */
#include "fuzz/deals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum sb_input inputs[] = { SB_INPUT_U8, SB_INPUT_U16, SB_INPUT_U32 };
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz), n = fuzz_byte(&fuzz), chunk = fuzz_byte(&fuzz) + 1;
    struct sb_form form = { .input = inputs[how % 3], .base = (int)(how / 3 % 3) - 1, .timeout = 60, .n = n };

    form.deal = n && how & 128 ? 1 + (how >> 4) % n : 0;
    struct outcome whole = outcome_read((const char *)fuzz.data, fuzz.size, &form, SIZE_MAX, 1000);
    struct outcome parts = outcome_read((const char *)fuzz.data, fuzz.size, &form, chunk, 1 + chunk % 7);

    deals_check_same(&whole, &parts);
    return 0;
}
