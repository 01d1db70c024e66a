/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test that leaves some of tiny.c untested. Exit status 1: a wrong result. */
#include "fit/tiny.h"

int main(void)
{
    volatile int left = 3;

    if (tiny_sum(2, 3) != 5 || tiny_larger(2, 3) != 3 || tiny_larger(3, 2) != 3 || tiny_larger(2, 2) != 2)
        return 1;
    return tiny_count(&left) != 3 || tiny_constants(5) != 25;
}
