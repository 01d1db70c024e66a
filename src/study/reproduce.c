/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line that makes the page of a run again: what was given to the request, and its subject, quoted for a
 * shell. */
#include "core/text.h"
#include "report/page.h"
#include "study/results.h"

#include <string.h>

static void reproduce_word(struct sb_sentence *s, const char *word)
{
    const bool plain = sb_shell_plain(word);

    sb_sentence_add(s, plain ? " " : " '");
    for (; *word; word++)
        sb_sentence_add(s, *word == '\'' ? "'\\''" : "%c", *word);
    sb_sentence_add(s, plain ? "" : "'");
}

/* Whether the page depends on an option, and no other part of the line says it. */
static bool reproduce_says(const struct sb_option *option, bool terms)
{
    const char *const name = option->name;

    if (option->group == SB_GROUP_RUNS || option->group == SB_GROUP_PROGRAM)
        return false;
    if (option->group == SB_GROUP_OUTPUT)
        return strcmp(name, "title") == 0 || strcmp(name, "all-counts") == 0;
    if (terms && (strcmp(name, "alpha") == 0 || strcmp(name, "delta") == 0))
        return false;
    return strcmp(name, "suite") != 0 && strcmp(name, "jobs") != 0;
}

static void reproduce_options(const struct sb_request *request, bool terms, struct sb_sentence *s)
{
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const option = &sb_options_table[i];
        const char *const given = option->of & request->of ? request->given[i] : NULL;

        if (!given || !reproduce_says(option, terms))
            continue;
        if (option->kind != SB_KIND_FLAG || *(const bool *)((const char *)request + option->at))
            sb_sentence_add(s, " %s%s", option->name[1] ? "--" : "-", option->name);
        if (option->kind != SB_KIND_FLAG)
            reproduce_word(s, given);
    }
}

char *sb_reproduce(const struct sb_request *request, const struct sb_gate_terms *terms,
                   const struct sb_subject *subject, const char *const words[], size_t count)
{
    struct sb_sentence s = { 0 };

    if (subject && subject->cwd) {
        sb_sentence_add(&s, "cd");
        reproduce_word(&s, subject->cwd);
        sb_sentence_add(&s, " && ");
    }
    sb_sentence_add(&s, "shufflebias %s", sb_request_command(request->of));
    if (terms) /* a suite and a ledger give a gate a share of theirs */
        sb_sentence_add(&s, " --alpha %.12g --delta %.12g", terms->alpha, terms->delta);
    reproduce_options(request, terms, &s);
    sb_sentence_add(&s, " --format html");
    for (size_t i = 0; i < count; i++)
        reproduce_word(&s, words[i]);
    if (subject && (subject->file || subject->scheme))
        reproduce_word(&s, subject->file ? subject->file : subject->scheme);
    else if (subject)
        sb_sentence_add(&s, subject->command ? " --" : " # with your function");
    for (size_t i = 0; subject && subject->command && subject->command[i]; i++)
        reproduce_word(&s, subject->command[i]);
    return sb_sentence_take(&s);
}

void sb_reproduce_html(const char *command, struct sb_html *html)
{
    if (!command)
        return;
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    sb_html_command(command, html->stream);
}
