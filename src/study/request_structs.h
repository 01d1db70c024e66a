/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's structs, from the members of a request that have the same names. */
#ifndef SB_STUDY_REQUEST_STRUCTS_H
#define SB_STUDY_REQUEST_STRUCTS_H

#include "core/request.h"

/* Copies the members of a request to options that hold their defaults. `saved`: the options are those of a saved run, and only
 * what was given replaces them. */
void sb_request_report(const struct sb_request *request, bool saved, struct sb_request *options);
void sb_request_gate(const struct sb_request *request, bool saved, struct sb_request *options);

/* Returns the options of a watch, without callbacks and flags. */
struct sb_request sb_request_watch(const struct sb_request *request);

/* Returns what a request says about a subject, of a saved run or of its own, without naming the subject. */
struct sb_subject sb_request_subject(const struct sb_request *request);

#endif
