/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rotated files beside a log. Functions that return an int return 0 or an errno. */
#ifndef SB_SUBJECT_FOLLOW_LOG_SIBLINGS_H
#define SB_SUBJECT_FOLLOW_LOG_SIBLINGS_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

enum { SB_LOG_GAP = 8 }; /* number of consecutive unused numbers after which the search ends */

/* Writes the name FILE.k; false if it is too long. */
bool sb_log_numbered(const char *path, int k, char name[PATH_MAX]);

/* Opens the folder of FILE; the caller closes it. NULL without permission to list the folder. */
int sb_log_folder(const char *path, DIR **list);

/* The next file in that folder whose name continues FILE's with one of these bytes. `*more` is false at the
 * end. A NULL list has no files. */
int sb_log_each(DIR *list, const char *path, const char *bytes, char name[PATH_MAX], bool *more);

#endif
