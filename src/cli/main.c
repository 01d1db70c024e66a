/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias: finds and runs the subcommand. */
#include "cli/cli.h"

#include "core/text/log_text.h"

#include <locale.h>
#include <string.h>

/* Every command, in the order of the help and of the README's table. Each line is an example; `report` has two. */
static const struct {
    const char *name;
    int (*run)(int argc, const char *argv[]);
    const char *arguments, *purpose; /* an example, and what it does */
} main_commands[] = {
    { "report", cli_report, "", "which built-in shuffles are biased" },
    { "report", cli_report, "naive fisher-yates", "two of these shuffles in detail" },
    { "gate", cli_gate, "-- python3 shuffle.py", "is your own shuffle fair, yes or no?" },
    { "watch", cli_watch, "--follow deals.log", "monitor the shuffle of a live game" },
    { "prove", cli_prove, "-n 3 -- ./my-shuffle", "exact probabilities of your shuffle" },
    { "explain", cli_explain, "naive", "why a shuffle is fair or biased" },
    { "odds", cli_odds, "naive 123 231", "exact probabilities of given orders" },
    { "plan", cli_plan, "naive", "how many shuffles show the bias" },
    { "law", cli_law, "descents -n 52", "what a fair shuffle should show" },
    { "zoo", cli_zoo, "", "which statistic sees which bias" },
    { "bench", cli_bench, "", "the cost of each shuffle" },
    { "deal", cli_deal, "naive -n 52", "print shuffled decks" },
    { "merge", cli_merge, "PART ... -o FILE", "add up a run from several machines" },
    { "lesson", cli_lesson, "FOLDER", "write a short course for a browser" },
    { "list", cli_list, "", "shuffles, draws, statistics, and more" },
};
enum { MAIN_COMMANDS = sizeof main_commands / sizeof main_commands[0] };

/* Whether the line before is about the same command. */
static bool main_again(size_t index)
{
    return index > 0 && strcmp(main_commands[index - 1].name, main_commands[index].name) == 0;
}

static void main_usage(FILE *stream)
{
    fputs("Usage: shufflebias COMMAND [OPTION ...] [ARGUMENT ...]\n"
          "\n"
          "Tells whether a shuffle is fair, how far from fair it is, and how certain the\n"
          "answer is.\n"
          "\n",
          stream);
    for (size_t i = 0; i < MAIN_COMMANDS; i++) {
        char example[64];

        snprintf(example, sizeof example, "%s %s", main_commands[i].name, main_commands[i].arguments);
        fprintf(stream, "  shufflebias %-27s %s\n", example, main_commands[i].purpose);
    }
    fputs("\n"
          "  shufflebias COMMAND --help              list the options of a command\n"
          "  shufflebias --version                   show the version\n"
          "\n"
          "Exit status: 0 done or fair, 1 biased, 2 wrong arguments, 3 inconclusive,\n"
          "             4 a program, a file or memory failed, 130 interrupted.\n",
          stream);
}

static int main_unknown(const char *word)
{
    char name[256];

    sb_sanitize_log_text(word, name, sizeof name);
    fprintf(stderr, "shufflebias: unknown command '%s': use ", name);
    for (size_t i = 0; i < MAIN_COMMANDS; i++)
        if (!main_again(i))
            fprintf(stderr, "%s%s",
                    i == 0                  ? ""
                    : i + 1 < MAIN_COMMANDS ? ", "
                                            : " or ",
                    main_commands[i].name);
    fputs("; see 'shufflebias --help'\n", stderr);
    return EXIT_USAGE;
}

static int main_command(int argc, char *argv[])
{
    const char *word = argc > 1 ? argv[1] : NULL, *rest[] = { NULL, "--help", NULL };

    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported as a write error */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that reaches its size limit */
    if (!word) {
        main_usage(stderr);
        return EXIT_USAGE;
    }
    const bool version = strcmp(word, "--version") == 0;
    const bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (argc > 2 + help && (version || help))
        return cli_usage(word, "leave '%s' out", argv[2 + help]);
    if (version) {
        printf("shufflebias %s\n", sb_version());
        return cli_finish(word, EXIT_DONE);
    }
    if (help && argc == 2) {
        main_usage(stdout);
        return cli_finish(word, EXIT_DONE);
    }
    if (help)
        word = argv[2];
    for (size_t i = 0; i < MAIN_COMMANDS; i++)
        if (strcmp(main_commands[i].name, word) == 0) {
            rest[0] = word;
            return help ? main_commands[i].run(2, rest)
                        : main_commands[i].run(argc - 1, (const char **)argv + 1);
        }
    return main_unknown(word);
}

int main(int argc, char *argv[])
{
    return cli_ranks_end(cli_ranks_begin() ? main_command(argc, argv) : cli_ranks_help());
}
