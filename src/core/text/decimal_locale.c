/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The locale in which numbers have a decimal point. A thread uses it for the length of one call of the C library, so that
 * callbacks of the calling program never see it. glibc and musl have it as a constant, so it takes no memory there.
 */
#include "core/text/decimal.h"

locale_t sb_decimal_begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void sb_decimal_end(locale_t before)
{
    const locale_t own = uselocale(before);

    if (own != before)
        freelocale(own);
}
