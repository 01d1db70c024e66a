/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What self_test.py mutates. Each function stands for one outcome. */
#include "fit/tiny.h"

#define TINY_SQUARE(a) ((a) * (a))

/* Tested: the mutant a - b is killed. */
int tiny_sum(int a, int b)
{
    return a + b;
}

/* No test calls this function: the mutant a / 2 is not reached. */
int tiny_twice(int a)
{
    return a * 2;
}

/* The mutant a <= b is equivalent. */
int tiny_larger(int a, int b)
{
    return a < b ? b : a;
}

/* Without the assignment, the loop never ends. */
int tiny_count(volatile int *left)
{
    int count = 0;

    while (*left) {
        count++;
        *left -= 1;
    }
    return count;
}

/* There is nothing here to mutate. */
int tiny_constants(int a)
{
    static const int table[] = { 1 + 1, 2 + 2 };

    switch (a) {
    case 1 + 2:
        return (int)(sizeof table[1 + 1]);
    default:
        return TINY_SQUARE(a);
    }
}
