/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completions of commands and options for three shells. Arguments are completed as names of files, which most
 * of them are.
 */
#include "cli/manual/manual.h"

static FILE *bash, *zsh, *fish;

/* Writes text in single quotes for a shell. */
static void completion_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        if (file == fish && (*text == '\'' || *text == '\\'))
            fputc('\\', file);
        if (file == zsh && *text == '\'')
            fputs("'\\'", file);
        if (file == zsh && (*text == '[' || *text == ']' || *text == ':'))
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('\'', file);
}

static void completion_zsh_option(const struct cli_option *row)
{
    const char *const suffix = row->argument ? ":argument:_files" : "";

    if (row->name) {
        fprintf(zsh, "        '--%s%s['", row->name, row->argument ? "=" : "");
        completion_quoted(zsh, row->help);
        fprintf(zsh, "']%s' \\\n", suffix);
    }
    if (row->letter) {
        fprintf(zsh, "        '-%c['", row->letter);
        completion_quoted(zsh, row->help);
        fprintf(zsh, "']%s' \\\n", suffix);
    }
}

static void completion_fish_option(const char *command, const struct cli_option *row)
{
    fprintf(fish, "complete -c shufflebias -n '__fish_seen_subcommand_from %s'", command);
    if (row->name)
        fprintf(fish, " -l %s", row->name);
    if (row->letter)
        fprintf(fish, " -s %c", row->letter);
    fprintf(fish, "%s -d ", row->argument ? " -r" : "");
    completion_quoted(fish, row->help);
    fputc('\n', fish);
}

static int completion_command(const struct cli_syntax *syntax)
{
    fprintf(bash, "    %s) words='", syntax->command);
    fprintf(zsh, "    %s) _arguments \\\n", syntax->command);
    for (const struct cli_option *row = syntax->options; !cli_option_ends(row); row++) {
        if (row->name)
            fprintf(bash, "--%s ", row->name);
        if (row->letter)
            fprintf(bash, "-%c ", row->letter);
        completion_zsh_option(row);
        completion_fish_option(syntax->command, row);
    }
    fputs("' ;;\n", bash);
    fputs("        '*:file:_files' ;;\n", zsh);
    return EXIT_DONE;
}

static void completion_begin(void)
{
    fputs("# Completion of shufflebias for bash.\n_shufflebias() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words=\n    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '",
          bash);
    fputs("#compdef shufflebias\n# Completion of shufflebias for zsh.\nlocal -a commands=(\n", zsh);
    fputs("# Completion of shufflebias for fish.\n", fish);
    for (size_t i = 0; i < cli_command_types_count; i++) {
        const struct cli_command_type *const command = cli_command_types[i];

        fprintf(bash, "%s ", command->name);
        fprintf(zsh, "    '%s':", command->name);
        completion_quoted(zsh, command->example[0].purpose);
        fputc('\n', zsh);
        fprintf(fish, "complete -c shufflebias -n __fish_use_subcommand -f -a %s -d ", command->name);
        completion_quoted(fish, command->example[0].purpose);
        fputc('\n', fish);
    }
    fputs("--help --version' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", bash);
    fputs(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
          "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n",
          zsh);
}

void manual_completions(const char *folder)
{
    bash = manual_open(folder, "shufflebias");
    zsh = manual_open(folder, "_shufflebias");
    fish = manual_open(folder, "shufflebias.fish");
    completion_begin();
    manual_each(completion_command);
    fputs("    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
          "    *) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o filenames -F _shufflebias shufflebias\n",
          bash);
    fputs("esac\n", zsh);
    manual_close(bash);
    manual_close(zsh);
    manual_close(fish);
}
