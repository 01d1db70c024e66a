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

static void completion_zsh_option(const struct sb_option *row, const char *help)
{
    const char *const suffix = row->value ? ":argument:_files" : "";
    const char letter = cli_option_letter(row);

    if (cli_option_is_long(row)) {
        fprintf(zsh, "        '--%s%s['", row->name, row->value ? "=" : "");
        completion_quoted(zsh, help);
        fprintf(zsh, "']%s' \\\n", suffix);
    }
    if (letter) {
        fprintf(zsh, "        '-%c['", letter);
        completion_quoted(zsh, help);
        fprintf(zsh, "']%s' \\\n", suffix);
    }
}

static void completion_fish_option(const char *command, const struct sb_option *row, const char *help)
{
    fprintf(fish, "complete -c shufflebias -n '__fish_seen_subcommand_from %s'", command);
    if (cli_option_is_long(row))
        fprintf(fish, " -l %s", row->name);
    if (cli_option_letter(row))
        fprintf(fish, " -s %c", cli_option_letter(row));
    fprintf(fish, "%s -d ", row->value ? " -r" : "");
    completion_quoted(fish, help);
    fputc('\n', fish);
}

static void completion_command(const struct cli_command_type *type)
{
    fprintf(bash, "    %s) words='", type->name);
    fprintf(zsh, "    %s) _arguments \\\n", type->name);
    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));) {
        char room[CLI_HELP_ROOM];
        const char *const help = cli_option_help(type, row, room);

        if (cli_option_is_long(row))
            fprintf(bash, "--%s ", row->name);
        if (cli_option_letter(row))
            fprintf(bash, "-%c ", cli_option_letter(row));
        completion_zsh_option(row, help);
        completion_fish_option(type->name, row, help);
    }
    fputs("' ;;\n", bash);
    fputs("        '*:file:_files' ;;\n", zsh);
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
    for (size_t i = 0; i < cli_command_types_count; i++)
        completion_command(cli_command_types[i]);
    fputs("    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
          "    *) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o filenames -F _shufflebias shufflebias\n",
          bash);
    fputs("esac\n", zsh);
    manual_close(bash);
    manual_close(zsh);
    manual_close(fish);
}
