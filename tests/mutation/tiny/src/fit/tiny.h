/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SB_TINY_H
#define SB_TINY_H

int tiny_sum(int a, int b);
int tiny_twice(int a);
int tiny_larger(int a, int b);
int tiny_count(volatile int *left);
int tiny_constants(int a);

#endif
