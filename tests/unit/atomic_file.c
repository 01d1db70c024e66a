/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file is replaced as a whole, also where its name is a link; a link without an end is an error. */
#include "unit/test.h"

#include <stdio.h>

#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[32], file[40], name[40];

static int open_folder(void **state)
{
    strcpy(folder, "/tmp/atomic-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(name, sizeof name, "%s/name", folder);
    return 0;
}

static int close_folder(void **state)
{
    unlink(file);
    unlink(name);
    return rmdir(folder);
}

static enum sb_status say(const void *what, FILE *stream)
{
    fputs(what, stream);
    return SB_OK;
}

static void assert_file(const char *path, const char *expected)
{
    char text[32] = "";
    FILE *const stream = fopen(path, "r");

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

TEST_WITH(a_link_stays_a_link, open_folder, close_folder)
{
    struct stat about;

    assert_int_equal(sb_atomic_file_replace(file, false, say, "old", NULL, NULL, NULL), SB_OK);
    assert_int_equal(symlink("file", name), 0);
    assert_int_equal(sb_atomic_file_replace(name, false, say, "new", NULL, NULL, NULL), SB_OK);
    assert_file(file, "new");
    assert_file(name, "new");
    assert_true(lstat(name, &about) == 0 && S_ISLNK(about.st_mode));
}

TEST_WITH(a_link_to_itself_is_an_error, open_folder, close_folder)
{
    struct sb_error error = { .status = SB_OK };

    assert_int_equal(symlink("name", name), 0);
    assert_int_equal(sb_atomic_file_replace(name, false, say, "new", NULL, NULL, &error), SB_IO);
    assert_non_null(strstr(error.text, strerror(ELOOP)));
}
