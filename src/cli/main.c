/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias: which subcommand. */
#include "cli/cli.h"

#include "core/text/log_text.h"

#include <locale.h>
#include <string.h>

static const char main_usage[] =
    "Usage: shufflebias COMMAND [OPTION ...] [ARGUMENT ...]\n"
    "\n"
    "Says whether a shuffle is fair, by how much it is not, and how sure it is.\n"
    "\n"
    "  shufflebias report                      all shuffles at three cards: which are biased, and how\n"
    "  shufflebias report naive fisher-yates   two of them in detail\n"
    "  shufflebias merge PART ... -o FILE      the parts of a run, each from a machine of its own, added up\n"
    "  shufflebias gate -- python3 shuffle.py  whether a program of yours shuffles fairly, as an exit "
    "status\n"
    "  shufflebias watch --follow deals.log    a game that deals for years, with alarms and metrics\n"
    "  shufflebias prove -n 3 -- ./my-shuffle  the exact law of a program of yours that asks us for its "
    "draws\n"
    "  shufflebias explain naive               how it works, and why it is not fair\n"
    "  shufflebias odds naive 123 231          how likely two orders are, exactly\n"
    "  shufflebias plan naive                  how many shuffles show its bias\n"
    "  shufflebias deal naive -n 52            shuffled decks on standard output\n"
    "  shufflebias law descents -n 52          what a fair shuffle of 52 cards is expected to show\n"
    "  shufflebias bench                       what the shuffles cost: draws, accesses, memory, time\n"
    "  shufflebias zoo                         which statistic sees which bias, and how soon\n"
    "  shufflebias lesson FOLDER               a small course, as pages for a browser\n"
    "  shufflebias list                        the shuffles, draws, generators, statistics, tests and "
    "formats\n"
    "\n"
    "  shufflebias COMMAND --help              a command's options\n"
    "  shufflebias --version\n"
    "\n"
    "Exit status: 0 done or fair, 1 biased, 2 usage, 3 inconclusive, 4 something broke, 130 interrupted.\n";

static int main_command(int argc, char *argv[])
{
    static const struct {
        const char *name;
        int (*run)(int argc, const char *argv[]);
    } commands[] = {
        { "report", cli_report }, /* as the help has them */
        { "merge", cli_merge },     { "gate", cli_gate }, { "watch", cli_watch },
        { "prove", cli_prove },     { "odds", cli_odds }, { "plan", cli_plan },
        { "deal", cli_deal },       { "law", cli_law },   { "bench", cli_bench },
        { "explain", cli_explain }, { "zoo", cli_zoo },   { "lesson", cli_lesson },
        { "list", cli_list },
    };
    const char *word = argc > 1 ? argv[1] : NULL, *rest[] = { NULL, "--help", NULL };

    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of writing */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
    if (!word) {
        fputs(main_usage, stderr);
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
        fputs(main_usage, stdout);
        return cli_finish(word, EXIT_DONE);
    }
    if (help)
        word = argv[2];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, word) == 0) {
            rest[0] = word;
            return help ? commands[i].run(2, rest) : commands[i].run(argc - 1, (const char **)argv + 1);
        }
    char name[256];

    sb_sanitize_log_text(word, name, sizeof name);
    fprintf(stderr,
            "shufflebias: unknown command '%s': use report, merge, gate, watch, prove, explain, odds, plan, "
            "deal, law, bench, zoo, lesson or list; see 'shufflebias --help'\n",
            name);
    return EXIT_USAGE;
}

int main(int argc, char *argv[])
{
    return cli_crew_end(cli_crew_begin() ? main_command(argc, argv) : cli_crew_help());
}
