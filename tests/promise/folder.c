/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder for the files of one trial, where files need not wait for a disk if there is such a place. */
#include "promise/promise.h"

#include <stdlib.h>
#include <unistd.h>

void promise_folder(char folder[64])
{
    snprintf(folder, 64, "%s/shufflebias-promise-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder))
        abort();
}
