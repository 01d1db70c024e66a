/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for targets whose code reads files. They lie in memory where the system has a folder for that, and nothing is
 * forced to a disk. */
#define _XOPEN_SOURCE 700 /* mkdtemp() */

#include "fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static char scratch_folder[64];

/* Replaces the function of the C library, which takes most of the time: these files may be lost. */
int fsync(int descriptor)
{
    return 0;
}

void scratch_clear(void)
{
    DIR *const folder = scratch_folder[0] ? opendir(scratch_folder) : NULL;

    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
}

static void scratch_remove(void)
{
    scratch_clear();
    rmdir(scratch_folder);
}

const char *scratch_path(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *const path = paths[next++ % 4];

    if (!scratch_folder[0]) {
        const bool memory = access("/dev/shm", W_OK) == 0;

        snprintf(scratch_folder, sizeof scratch_folder, "%s/shufflebias-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
        if (!mkdtemp(scratch_folder))
            abort();
        atexit(scratch_remove);
    }
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder, name);
    return path;
}

const char *scratch_write(const char *name, const void *bytes, size_t size)
{
    const char *const path = scratch_path(name);
    FILE *const file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
    return path;
}

char *scratch_read(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    char *bytes = NULL;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END))
        abort();
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = calloc(*size + 1, 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        abort();
    fclose(file);
    return bytes;
}
