/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias: finds and runs the subcommand. */
#include "cli/cli.h"

#include "core/text.h"

#include <unistd.h>

/* Prints a line about an unknown command: the names near to it, or else all names. */
static int main_unknown(const char *word)
{
    struct sb_name_nearest nearest = { .name = word };
    char name[256], suggestion[128];

    for (size_t i = 0; i < cli_command_types_count; i++)
        sb_name_offer(&nearest, cli_command_types[i]->name);
    sb_name_suggest(&nearest, suggestion, sizeof suggestion);
    sb_sanitize_log_text(word, name, sizeof name);
    fprintf(stderr, "shufflebias: unknown command '%s'%s", name, suggestion[0] ? suggestion : ": use ");
    for (size_t i = 0; i < cli_command_types_count && !suggestion[0]; i++)
        fprintf(stderr, "%s%s",
                i == 0                            ? ""
                : i + 1 < cli_command_types_count ? ", "
                                                  : " or ",
                cli_command_types[i]->name);
    fprintf(stderr, "%s 'shufflebias --help' shows the commands\n", suggestion[0] ? "" : ";");
    return EXIT_USAGE;
}

static int main_command(int argc, char *argv[])
{
    const char *word = argc > 1 ? argv[1] : NULL, *rest[] = { NULL, "--help", NULL };

    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported as a write error */
    signal(SIGCHLD, SIG_DFL); /* if it stayed ignored, no command would have an exit status */
    signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is reported as a write error */
    if (!word) {
        cli_help_program(stderr);
        return EXIT_USAGE;
    }
    const bool version = strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
    const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (argc > 2 + help && (version || help))
        return cli_usage(word, "leave '%s' out", argv[2 + help]);
    if (version) {
        printf("shufflebias %s\n", sb_version());
        return cli_finish(word, EXIT_DONE);
    }
    if (help && argc == 2) {
        cli_help_program(stdout);
        return cli_finish(word, EXIT_DONE);
    }
    if (help)
        word = argv[2];
    for (size_t i = 0; i < cli_command_types_count; i++)
        if (strcmp(cli_command_types[i]->name, word) == 0) {
            rest[0] = word;
            return help ? cli_command_run(cli_command_types[i], 2, rest)
                        : cli_command_run(cli_command_types[i], argc - 1, (const char **)argv + 1);
        }
    return main_unknown(word);
}

/* GMP's functions return nothing that could report a lack of memory, so the program ends here, with one line. */
static void *main_grown(void *block)
{
    static const char line[] = "shufflebias: out of memory for a large integer: free memory, or use a smaller n\n";

    if (block)
        return block;
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(EXIT_BROKEN);
}

static void *main_allocate(size_t bytes)
{
    return main_grown(malloc(bytes));
}

static void *main_reallocate(void *block, size_t before, size_t bytes)
{
    (void)before;
    return main_grown(realloc(block, bytes));
}

int main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], "watch") == 0)
        cli_reopen_flag(); /* before anything else, because SIGHUP would end the program until then */
    mp_set_memory_functions(main_allocate, main_reallocate, NULL);
    cli_standard_descriptors();
    return cli_ranks_end(cli_ranks_begin() ? main_command(argc, argv) : cli_ranks_help());
}
