/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HyperLogLog: estimates the number of different keys, in a megabyte of memory.
 *
 * The first 20 bits of a key select one of m = 2^20 registers, and the position of the first 1 among the
 * other q = 44 bits is noted, or q + 1 if there is no 1. Each register keeps the largest position so far. If
 * C_k registers have the value k, and alpha = 1/(2 ln 2), the estimate is
 *
 *   alpha m^2 / (m sigma(C_0/m) + sum over k = 1..q of C_k 2^-k + m tau(1 - C_(q+1)/m) 2^-q)
 *
 * for any number of keys; sigma and tau are defined below. The relative standard error is 1.04/sqrt(m), about
 * 0.1%. Cost: a few instructions for each key, and one pass over the registers at the end. To combine the
 * sketches of several threads, each register becomes the largest of its values in all threads, so the
 * estimate does not depend on how the threads share the keys.
 *
 * P. Flajolet, E. Fusy, O. Gandouet, F. Meunier, HyperLogLog, AofA 2007. The estimate is by O. Ertl, New
 * cardinality estimation algorithms for HyperLogLog sketches, arXiv:1702.01284.
 */
#include "sample/seeds/seeds_store.h"

#include <math.h>

enum { SKETCH_PLACES = 64 - SB_SKETCH_BITS };

void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_deck_key key)
{
    const uint64_t rest = key.high << SB_SKETCH_BITS;
    const uint8_t place = (uint8_t)(rest ? 1 + __builtin_clzll(rest) : SKETCH_PLACES + 1);
    uint8_t *const held = &sketch[key.high >> SKETCH_PLACES];

    if (*held < place)
        *held = place;
}

void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE])
{
    for (size_t i = 0; i < SB_SKETCH_SIZE; i++)
        sketch[i] = sketch[i] > other[i] ? sketch[i] : other[i];
}

/* sigma(x) = x + sum over k >= 1 of 2^(k-1) x^(2^k), for x < 1. This term corrects for the registers whose
 * value is 0. */
static double sketch_sigma(double x)
{
    double sum = x, before, weight = 1;

    do {
        x *= x;
        before = sum;
        sum += x * weight;
        weight *= 2;
    } while (sum != before);
    return sum;
}

/* tau(x) = (1 - x - sum over k >= 1 of (1 - x^(2^-k))^2 2^-k) / 3. This term corrects for the registers whose
 * value is q + 1, the largest possible value. */
static double sketch_tau(double x)
{
    double sum = 1 - x, before, weight = 1;

    if (x == 0 || x == 1)
        return 0;
    do {
        x = sqrt(x);
        before = sum;
        weight /= 2;
        sum -= (1 - x) * (1 - x) * weight;
    } while (sum != before);
    return sum / 3;
}

double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE])
{
    const double m = SB_SKETCH_SIZE;
    uint64_t registers[SKETCH_PLACES + 2] = { 0 };
    double z;

    for (size_t i = 0; i < SB_SKETCH_SIZE; i++)
        registers[sketch[i]]++;
    if (registers[0] == SB_SKETCH_SIZE)
        return 0;
    z = m * sketch_tau(1 - (double)registers[SKETCH_PLACES + 1] / m);
    for (size_t k = SKETCH_PLACES; k > 0; k--)
        z = (z + (double)registers[k]) / 2;
    z += m * sketch_sigma((double)registers[0] / m);
    return m * m / (2 * 0.69314718055994530942 * z);
}

double sb_sketch_error(void)
{
    return 1.04 / sqrt(SB_SKETCH_SIZE);
}
