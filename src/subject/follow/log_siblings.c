/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rotated files beside a log, such as log.1 or log-20261122. */
#include "subject/follow/log_siblings.h"

#include "core/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool sb_log_numbered(const char *path, int k, char name[PATH_MAX])
{
    return snprintf(name, PATH_MAX, "%s.%d", path, k) < PATH_MAX;
}

int sb_log_folder(const char *path, DIR **list)
{
    const char *const slash = strrchr(path, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", slash && slash != path ? (int)(slash - path) : 1,
             slash ? path : ".");
    *list = opendir(folder);
    return *list || sb_fault_kind(errno) != SB_FAULT_PASSING ? 0 : errno;
}

int sb_log_each(DIR *list, const char *path, const char *bytes, char name[PATH_MAX], bool *more)
{
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    const size_t length = strlen(base);

    *more = false;
    errno = 0;
    for (const struct dirent *entry; list && (entry = readdir(list)); errno = 0) {
        const char *const rest = entry->d_name + length;

        *more = strncmp(entry->d_name, base, length) == 0 && *rest && strchr(bytes, *rest) &&
                snprintf(name, PATH_MAX, "%.*s%s", (int)(base - path), path, entry->d_name) < PATH_MAX;
        if (*more)
            return 0;
    }
    return list ? errno : 0;
}
