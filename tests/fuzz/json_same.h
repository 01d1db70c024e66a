/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two values of JSON, and makes the text of a record. */
#ifndef TESTS_FUZZ_JSON_SAME_H
#define TESTS_FUZZ_JSON_SAME_H

#include "store/fields.h"

#include <jansson.h>

/* Returns whether two values are the same: numbers by their value, objects in any order, texts also if one of them
 * is the other made safe to show. `ignored` is a list
 * of keys that are not compared, and ends in NULL. */
bool json_same(const json_t *one, const json_t *other, const char *const ignored[]);

/* Returns the text of the JSON object of a record, without a checksum. The caller frees the text. */
char *json_record(const char *schema, const struct sb_store_field fields[], const void *record);

#endif
