/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of one statistic as JSON. */
#ifndef SB_STORE_EVIDENCE_COUNTS_JSON_H
#define SB_STORE_EVIDENCE_COUNTS_JSON_H

#include "tally/tally.h"

struct json_t;
struct sb_json_field_reader;
struct sb_json;

/* Writes the counts as an object. */
void sb_counts_write(struct sb_json *json, const struct sb_tally *tally);

/* Reads a field that is a list of at most `most` objects that sb_counts_write() wrote, for evidence of
 * `total` permutations. The caller frees *counts, even after a fault. */
void sb_counts_read_list(struct sb_json_field_reader *in, const struct json_t *object, const char *field,
                         size_t most, uint64_t total, struct sb_counts **counts, size_t *count);
void sb_counts_write_list(struct sb_json *json, const char *field, const struct sb_tally tally[],
                          size_t count);

/* Reads count[cells] from an array of counts, starting at index `from`. These counts must add up to `total`;
 * if `less` is true, their sum may also be smaller than `total`. */
void sb_counts_row(struct sb_json_field_reader *in, const char *field, const struct json_t *array,
                   size_t from, size_t cells, uint64_t total, bool less, uint64_t count[]);

#endif
