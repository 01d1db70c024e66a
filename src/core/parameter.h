/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number that a name may carry after a colon, such as 53 in `sort-by-key:53`. */
#ifndef SB_CORE_PARAMETER_H
#define SB_CORE_PARAMETER_H

#include <stdint.h>

struct sb_parameter {
    /* a letter for the number in lists, as in `modulo:W`; NULL if the name carries no number */
    const char *name;
    const char *meaning; /* what the number means, such as "bits of a word", for error messages */
    uint64_t low, high;  /* range of the number */
    /* default of the number; may lie outside the range, meaning "none"; the only value if `name` is NULL */
    uint64_t standard;
};

#endif
