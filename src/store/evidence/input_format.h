/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a subject's stream is read, as a value that is put down in a file of evidence and picked up again: the
 * fields `chained`, `input`, `base`, `cards` and `free` of a JSON object, which may have others beside them.
 */
#ifndef SB_STORE_EVIDENCE_INPUT_FORMAT_H
#define SB_STORE_EVIDENCE_INPUT_FORMAT_H

#include "shufflebias.h"

#include <stdbool.h>

struct sb_mismatch;
struct sb_json;
struct json_t;
struct sb_json_field_reader;

struct sb_input_format {
    bool chained;
    char *input, *base, *cards; /* as in struct sb_subject; owned; NULL: nothing was said */
    bool free;
};

/* Fine twice, and on zeroes. */
void sb_input_format_close(struct sb_input_format *reading);

/* Writes the object `subject`: these fields, and what it is, of this kind and name: `kind`, `name`, `words`
 * and `seed`. */
void sb_input_format_write(struct sb_json *json, const char *kind, const char *name,
                           const struct sb_subject *subject);

/* Reads them from such an object; to be closed, also after a fault. */
void sb_input_format_take(struct sb_json_field_reader *in, const struct json_t *object,
                          struct sb_input_format *reading);

/* What is left out of a subject becomes what it was; that is borrowed. */
void sb_input_format_fill(const struct sb_input_format *reading, struct sb_subject *subject);

/* Holds a subject, which is whole, against what was. */
void sb_input_format_differs(const struct sb_input_format *reading, const struct sb_subject *subject,
                             struct sb_mismatch *differs);

#endif
