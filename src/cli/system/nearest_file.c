/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file that a user may have meant by a path to a missing file: the nearest name in the same folder. */
#include "cli/cli.h"

#include "core/text.h"

#include <dirent.h>
#include <string.h>

bool cli_file_nearest(const char *path, char nearest[], size_t room)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const int length = (int)(name - path);
    char folder[4096] = ".", found[256] = "";
    size_t least = SIZE_MAX;
    DIR *directory;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", length, path);
    directory = *name ? opendir(folder) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        struct sb_name_nearest near = { .name = name };

        if (entry->d_name[0] != '.')
            sb_name_offer(&near, entry->d_name);
        if (!near.nearest[0] || near.distance[0] > least ||
            (near.distance[0] == least && strcmp(entry->d_name, found) > 0))
            continue;
        least = near.distance[0];
        snprintf(found, sizeof found, "%s", entry->d_name);
    }
    if (directory)
        closedir(directory);
    snprintf(nearest, room, "%.*s%s", length, path, found);
    return found[0];
}
