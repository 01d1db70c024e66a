/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a target once for each file of a folder, where there is no fuzzer: corpus FOLDER. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>

static void corpus_run(const char *folder, const char *name)
{
    static uint8_t data[1 << 20];
    char path[4096];
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file)
        abort();
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    uint8_t *const copy = malloc(size + 1); /* of this size, so that sanitizers see a read behind the end */

    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char *argv[])
{
    DIR *const folder = argc > 1 ? opendir(argv[1]) : NULL;
    size_t count = 0;

    if (!folder)
        return 1;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            corpus_run(argv[1], entry->d_name);
            count++;
        }
    closedir(folder);
    printf("%zu inputs\n", count);
    return count == 0;
}
