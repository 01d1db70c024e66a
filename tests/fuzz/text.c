/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutations as text, in every form: the same deals and the same error wherever chunks end. */
#include "fuzz/deals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cards[] = { NULL, "A B C", "a bb c-d 7x", "\xE2\x99\xA0 \xE2\x99\xA5", "A A B" };
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz), n = fuzz_byte(&fuzz), chunk = fuzz_byte(&fuzz) + 1;
    struct sb_form form = { .base = (int)(how % 3) - 1, .timeout = 60, .n = n % 70 };

    form.cards = cards[(how >> 2) % 5];
    form.free = form.n && how & 64;
    form.deal = form.n && how & 128 ? 1 + n / 70 % form.n : 0;
    struct outcome whole = outcome_read((const char *)fuzz.data, fuzz.size, &form, SIZE_MAX, 1000);
    struct outcome parts = outcome_read((const char *)fuzz.data, fuzz.size, &form, chunk, 1 + chunk % 7);

    deals_check_same(&whole, &parts);
    return 0;
}
