/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias list: everything that is built in, by families such as shuffles, with titles and citations. */
#include "cli/cli.h"

enum { LIST_COLUMN = 29 }; /* where the titles begin */

/* Returns whether a word is the name of a family, in the singular or the plural. */
static bool list_means(const char *word, const char *family)
{
    const size_t length = strlen(family);

    return !word || (strncmp(word, family, length) == 0 && (word[length] == '\0' || strcmp(word + length, "s") == 0));
}

/* Writes the title of an entry and its citation, in lines of the terminal's width. */
static enum sb_status list_title(const struct sb_entry *entry, struct sb_error *error)
{
    const char *const cite = entry->cite ? entry->cite : "";
    const size_t room = strlen(entry->title) + strlen(cite) + sizeof " ()";
    char *const text = malloc(room);

    if (!text)
        return sb_error_memory(error, "the list");
    snprintf(text, room, entry->cite ? "%s (%s)" : "%s%s", entry->title, cite);
    cli_wrap(text, LIST_COLUMN, cli_terminal_columns(stdout));
    free(text);
    return SB_OK;
}

/* Prints the entries of a family, or all entries if word is NULL. *printed is their number. */
static enum sb_status list_print(const char *word, size_t *printed, struct sb_error *error)
{
    enum sb_status status = SB_OK;
    struct sb_entry entry;
    const char *family = "";

    *printed = 0;
    for (size_t i = 0; !status && sb_entry_get(i, &entry); i++) {
        char name[64];

        if (!list_means(word, entry.family))
            continue;
        if (strcmp(entry.family, family) != 0)
            printf("%s%ss\n", *printed ? "\n" : "", entry.family);
        family = entry.family;
        snprintf(name, sizeof name, "%s%s%s", entry.name, entry.parameter ? ":" : "",
                 entry.parameter ? entry.parameter : "");
        printf("  %-26s ", name);
        status = list_title(&entry, error);
        (*printed)++;
    }
    return status;
}

int cli_list_run(struct cli_line *line)
{
    const char *const word = line->words[0];
    struct sb_error error;
    size_t printed;

    if (list_print(word, &printed, &error))
        return cli_failed("list", &error);
    if (printed == 0)
        return cli_usage("list", "unknown family '%s': use shuffles, draws, rngs, statistics, tests or formats", word);
    return cli_finish("list", EXIT_DONE);
}
