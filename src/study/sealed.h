/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of evidence have in common: they begin where nothing was, are put down now and then, and end in
 * a checksum of all before. */
#ifndef SB_STUDY_SEALED_H
#define SB_STUDY_SEALED_H

#include "shufflebias.h"

struct sb_field_reader;

/* Whether a new one may begin at `path`; SB_INVALID: there is something already. */
enum sb_status sb_sealed_fresh(const char *path, struct sb_error *error);

/* The clock by which they are put down, in seconds. */
double sb_sealed_now(void);

/*
 * Ends what a writer of sb_replace() has written: after the last field of a JSON object that is still open
 * the hash of all until here, FNV-1a of 64 bits, which tells slips and damage and not malice, and the closing
 * brace.
 */
void sb_sealed_end(FILE *stream);

/* Whether the file ends like that, to the byte; else a fault of its field `checksum`. */
void sb_sealed_check(struct sb_field_reader *in);

#endif
