/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merged cells: neighbours, in order, that keep their probability. Each is likely enough, unless only one is
 * left, and none could have ended earlier.
 */
#include "fuzz/fuzz.h"

#include "core/numbers.h"

#include <math.h>
#include <string.h>

enum { MERGE_CELLS = 64 };

/* A law of 1 to 64 cells with the weights of the bytes; returns the number of cells. */
static size_t merge_law(struct fuzz *fuzz, double p[], double ln_p[])
{
    const size_t cells = 1 + fuzz_byte(fuzz) % MERGE_CELLS;
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        const unsigned byte = fuzz_byte(fuzz);

        p[i] = byte & 128 ? exp2(-(double)(byte & 127) * 8) : 1 + byte; /* down to 2^-1016 */
        sum += p[i];
    }
    for (size_t i = 0; i < cells; i++) {
        p[i] /= sum;
        ln_p[i] = log(p[i]);
    }
    return cells;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const double least = (double)fuzz_number(&fuzz, 2) / 65536;
    double p[MERGE_CELLS], ln_p[MERGE_CELLS], merged[MERGE_CELLS], sum[MERGE_CELLS] = { 0 };
    uint32_t map[MERGE_CELLS], in_place[MERGE_CELLS];
    const size_t cells = merge_law(&fuzz, p, ln_p), count = sb_merge_cells(ln_p, cells, least, map, merged);

    fuzz_check(map[0] == 0 && map[cells - 1] + 1 == count, "the map goes from the first to the last");
    for (size_t i = 0; i < cells; i++) {
        const bool starts = i > 0 && map[i] != map[i - 1];

        fuzz_check(!starts || map[i] == map[i - 1] + 1, "merged cells are neighbours");
        fuzz_check(i == 0 || starts || map[i] + 1 == count || sum[map[i]] < least,
                   "a merged cell ends as soon as it is likely enough");
        sum[map[i]] += p[i];
    }
    for (size_t k = 0; k < count; k++) {
        fuzz_check(fabs(exp(merged[k]) - sum[k]) <= 1e-12 * sum[k], "a merged cell has the sum");
        fuzz_check(count == 1 || sum[k] >= least * (1 - 2e-9), "a merged cell is likely enough");
    }
    fuzz_check(sb_merge_cells(ln_p, cells, least, in_place, ln_p) == count &&
                   memcmp(map, in_place, cells * sizeof map[0]) == 0 &&
                   memcmp(merged, ln_p, count * sizeof merged[0]) == 0,
               "the law may be replaced by that of the merged cells");
    return 0;
}
