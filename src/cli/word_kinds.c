/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what the words of a command line probably are: schemes, files or a command. */
#include "cli/cli.h"
#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_word_is_scheme(const char *word)
{
    const size_t length = strcspn(word, "/:");
    struct sb_entry entry;

    /* the shuffles come first in the list */
    for (size_t i = 0; sb_entry_get(i, &entry) && strcmp(entry.family, "shuffle") == 0; i++)
        if (strlen(entry.name) == length && strncmp(entry.name, word, length) == 0)
            return true;
    return false;
}

bool cli_word_is_missing_file(const char *word)
{
    char begins[64], nearest[4096];
    struct sb_name_nearest shuffle = { .name = begins };
    struct sb_entry entry;

    snprintf(begins, sizeof begins, "%.*s", (int)strcspn(word, "/:"), word);
    for (size_t i = 0; sb_entry_get(i, &entry) && strcmp(entry.family, "shuffle") == 0; i++)
        sb_name_offer(&shuffle, entry.name);
    return !shuffle.nearest[0] && !strchr(word, ' ') &&
           (strpbrk(word, "./") || cli_file_nearest(word, nearest, sizeof nearest));
}

static bool word_begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

bool cli_word_is_file(const char *word)
{
    if (cli_word_is_scheme(word))
        return false;
    return strcmp(word, "-") == 0 || word_begins(word, "/") || word_begins(word, "./") || word_begins(word, "../") ||
           access(word, F_OK) == 0 ||
           sb_fault_kind(errno) ==
               SB_FAULT_PASSING; /* after a temporary failure, the library tries again to open the file */
}

/* Returns whether a word names a program: the file is executable and begins with "#!" or with the magic
 * number of ELF. */
static bool word_is_program(const char *word)
{
    struct stat there;
    char begins[4] = "";

    if (!cli_word_is_file(word) || stat(word, &there) || !S_ISREG(there.st_mode) || access(word, X_OK))
        return false;
    FILE *const file = fopen(word, "rb");
    const size_t got = file ? fread(begins, 1, sizeof begins, file) : 0;

    if (file)
        fclose(file);
    return (got >= 2 && memcmp(begins, "#!", 2) == 0) || (got == 4 && memcmp(begins, "\177ELF", 4) == 0);
}

const char *cli_word_interpreter(const char *word)
{
    static const struct {
        const char *ending, *interpreter;
    } known[] = {
        { ".awk", "awk -f" }, { ".cjs", "node" },  { ".java", "java" }, { ".js", "node" },
        { ".lua", "lua" },    { ".mjs", "node" },  { ".php", "php" },   { ".pl", "perl" },
        { ".py", "python3" }, { ".R", "Rscript" }, { ".rb", "ruby" },   { ".sh", "sh" },
    };
    const char *const ending = strrchr(word, '.');
    struct stat there;

    if (!ending || stat(word, &there) || !S_ISREG(there.st_mode) || word_is_program(word))
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(ending, known[i].ending) == 0)
            return known[i].interpreter;
    return NULL;
}

bool cli_words_are_command(const char *const words[])
{
    const char *const first = words ? words[0] : NULL;

    if (!first)
        return false;
    for (size_t i = 0; words[i]; i++)
        if (cli_word_is_scheme(words[i]))
            return false;
    return word_is_program(first) || cli_word_interpreter(first) || (words[1] && !cli_word_is_file(first));
}
