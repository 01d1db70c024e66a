/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence begins where no file is yet. */
#include "store/checksummed_file.h"

#include "core/error.h"
#include "core/system/file_calls.h"
#include "core/system/retry.h"

#include <string.h>
#include <sys/stat.h>

enum sb_status sb_checksummed_fresh(const char *path, const char *remedy, struct sb_error *error)
{
    struct stat about;
    bool there, leads = true;
    int number = sb_file_status(path, true, &there, &about);

    if (number == 0 && !there)
        return SB_OK;
    if (number == 0 && S_ISLNK(about.st_mode))
        number = sb_file_status(path, false, &leads, &about);
    if (number == 0 && !leads)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is a link to a file that is not there: name that file", path);
    if (number && sb_fault_kind(number) == SB_FAULT_PASSING)
        return sb_error_set(error, SB_IO, "cannot look at '%.200s': %s", path, strerror(number));
    return there ? sb_error_set(error, SB_INVALID, "'%.200s' is there already: %s", path, remedy) : SB_OK;
}
