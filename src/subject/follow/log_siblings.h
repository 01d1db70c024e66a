/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rotated files beside a log. Functions that return an int return 0 or an errno. */
#ifndef SB_SUBJECT_FOLLOW_LOG_SIBLINGS_H
#define SB_SUBJECT_FOLLOW_LOG_SIBLINGS_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

enum { SB_LOG_GAP = 8 }; /* the search for FILE.k ends after this many consecutive unused values of k */

/* Writes the name FILE.k; false if the name is too long. */
bool sb_log_numbered(const char *path, int k, char name[PATH_MAX]);

/* Opens the folder of FILE; the caller closes *list. Sets *list to NULL if there is no permission to list the
 * folder. */
int sb_log_folder(const char *path, DIR **list);

/* Finds the folder's next file whose name begins with FILE's name, followed by one of the characters in
 * `bytes`. Sets `*more` to false if there are no more files. A NULL list has no files. */
int sb_log_each(DIR *list, const char *path, const char *bytes, char name[PATH_MAX], bool *more);

#endif
