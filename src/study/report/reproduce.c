/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the command that makes the same page again. The command is derived from the run, not from the typed
 * command. */
#include "study/report/reproduce.h"

#include "core/text.h"
#include "report/html/html.h"
#include "report/markup.h"
#include "report/print.h"
#include "statistic/statistic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes text between the quotes of a shell. */
static void reproduce_quoted(const char *text, FILE *stream)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stream);
        else
            fputc(*text, stream);
}

static void reproduce_title(const char *title, FILE *stream)
{
    if (!title)
        return;
    fputs(" --title '", stream);
    reproduce_quoted(title, stream);
    fputc('\'', stream);
}

/* Writes the names of a subject's items, for a shell. Commas separate them, because the page may break lines
 * at blanks. */
static void reproduce_cards(const struct sb_item_names *names, FILE *stream)
{
    if (!sb_item_names_given(names))
        return;
    fputs(" --cards '", stream);
    for (size_t i = 0; i < names->n; i++) {
        fputs(i ? "," : "", stream);
        reproduce_quoted(names->given[i], stream);
    }
    fputc('\'', stream);
}

/* Returns the kinds of reports, values of enum sb_by. */
static unsigned reproduce_kinds(const struct sb_reports *reports)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < reports->count; i++)
        kinds |= reports->report[i].evidence.by;
    return kinds;
}

static void reproduce_seeds(const struct sb_reports *reports, FILE *stream)
{
    const struct sb_reach *reach = NULL;

    for (size_t i = 0; i < reports->count && !reach; i++)
        reach = reports->report[i].evidence.reach;
    if (reach)
        fprintf(stream, " --by seeds --seeds %" PRIu64 "..%" PRIu64, reach->first, reach->last);
}

/* Writes which statistics were requested. */
static void reproduce_statistics(const struct sb_reports *reports, FILE *stream)
{
    if (reports->statistics)
        fprintf(stream, " --statistics %s", reports->statistics[0] ? reports->statistics : "none");
    if (reports->profile)
        fprintf(stream, " --profile %s", reports->profile);
}

/* Writes the options of reports of these kinds. */
static void reproduce_evidence(const struct sb_reports *reports, unsigned kinds, FILE *stream)
{
    const struct sb_report *const first = &reports->report[0];
    uint64_t samples = 0;
    bool increments = false;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        if (!(evidence->by & kinds))
            continue;
        if (evidence->by == SB_BY_SAMPLE && evidence->total > samples)
            samples = evidence->total;
        for (size_t k = 0; k < reports->report[i].findings_count; k++)
            increments = increments || reports->report[i].findings[k].increments;
    }
    if (kinds & SB_BY_SEEDS)
        reproduce_seeds(reports, stream);
    else if (kinds == SB_BY_EXACT)
        fputs(" --by exact", stream);
    else if (kinds == SB_BY_SAMPLE && first->shuffle)
        fputs(" --by sample", stream);
    if (samples && !first->evidence.recorded)
        fprintf(stream, " --samples %" PRIu64, samples);
    if (kinds & SB_BY_SAMPLE && first->shuffle)
        fprintf(stream, " --seed %" PRIu64, reports->seed);
    if (increments)
        fputs(" --increments", stream);
    if ((kinds & SB_BY_SAMPLE || increments) && !first->evidence.recorded)
        reproduce_statistics(reports, stream);
    if (first->alpha < 0.001 || first->alpha > 0.001)
        sb_print(stream, " --alpha %.12g", first->alpha);
}

/* Returns whether the report is a proof: an exact law that is not that of a scheme. */
static bool reproduce_proof(const struct sb_report *report)
{
    return !report->shuffle && report->evidence.by == SB_BY_EXACT && !report->evidence.recorded;
}

static void reproduce_prove(const struct sb_reports *reports, FILE *stream)
{
    const struct sb_proof_terms *const proof = &reports->proof;

    fprintf(stream, "shufflebias prove -n %zu", reports->n);
    if (proof->cells)
        fprintf(stream, " --cells %" PRIu32, proof->cells);
    if (proof->draws)
        fprintf(stream, " --max-draws %" PRIu32, proof->draws);
    if (proof->paths)
        fprintf(stream, " --max-paths %" PRIu64, proof->paths);
    fputs(" --format html --", stream);
}

/* Writes the command for the reports of these kinds. */
static void reproduce_reports(const struct sb_reports *reports, unsigned kinds, FILE *stream)
{
    const struct sb_report *const first = &reports->report[0];

    if (first->evidence.part[0]) {
        fputs("shufflebias report FILE --format html", stream);
        return;
    }
    if (reproduce_proof(first)) {
        reproduce_prove(reports, stream);
        return;
    }
    fputs("shufflebias report", stream);
    for (size_t i = 0; first->shuffle && !reports->all && i < reports->count;) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        if (sb_pair_best(&pair)->evidence.by & kinds)
            fprintf(stream, " %s", sb_pair_best(&pair)->name);
    }
    const bool deals = reports->deal < reports->n;

    if (first->shuffle || (deals && !first->evidence.recorded))
        fprintf(stream, " -n %zu", reports->n);
    if (!reports->titled)
        reproduce_cards(first->names, stream);
    if (deals)
        fprintf(stream, " --deal %zu", reports->deal);
    if (reports->chained)
        fputs(" --chained", stream);
    if (reports->ordered)
        fputs(" --ordered", stream);
    reproduce_evidence(reports, kinds, stream);
    reproduce_title(reports->title, stream);
    fprintf(stream, " --format html%s", first->evidence.recorded ? " --matrix" : "");
}

/* Writes what the command reads, if the command does not say so. */
static void reproduce_reports_note(const struct sb_report *first, FILE *stream)
{
    if (first->evidence.part[0]) {
        fprintf(stream, "<p>The file is the one that has %s of the run.</p>\n", first->evidence.part);
        return;
    }
    if (first->shuffle)
        return;
    fprintf(stream, "<p>What was %s: <code>", reproduce_proof(first) ? "proved" : "read");
    sb_markup_text(stream, first->name);
    fprintf(stream, "</code>, which goes behind it. It is the same page where that gives the same %s.</p>\n",
            reproduce_proof(first) ? "answers" : "permutations");
}

/* Returns the profile that a gate's statistics belong to, or NULL. */
static const char *reproduce_profile(const struct sb_gate *gate)
{
    const char *profile = NULL;

    for (size_t i = 0; i < gate->lines_count && !profile; i++) {
        const struct sb_statistic_type *const type = sb_statistic_find(gate->line[i].statistic);

        profile = type ? type->profile : NULL;
    }
    return profile;
}

/* Writes the command for a gate on a subject. */
static void reproduce_subject(const struct sb_gate *gate, FILE *stream)
{
    const bool scheme = strcmp(gate->kind, "scheme") == 0, command = strcmp(gate->kind, "command") == 0;
    bool increments = false;

    for (size_t i = 0; i < gate->lines_count; i++)
        increments = increments || (gate->line[i].lag && !gate->line[i].dependence);
    fprintf(stream, " --limit %" PRIu64 " -n %zu", gate->terms.limit, gate->n);
    if (gate->terms.seeds)
        fprintf(stream, " --seeds %" PRIu64, gate->terms.seeds);
    if (gate->deal < gate->n)
        fprintf(stream, " --deal %zu", gate->deal);
    fprintf(stream, "%s%s%s", gate->chained ? " --chained" : "", gate->ordered ? " --ordered" : "",
            increments ? " --increments" : "");
    if (reproduce_profile(gate))
        fprintf(stream, " --profile %s", reproduce_profile(gate));
    reproduce_cards(gate->names, stream);
    reproduce_title(gate->title, stream);
    if (scheme)
        fprintf(stream, " --seed %" PRIu64, gate->seed);
    fprintf(stream, " --format html %s%s", command ? "-- " : "",
            strcmp(gate->name, "standard input") == 0 ? "-" : gate->name);
}

static void reproduce_gate(const struct sb_gate *gate, FILE *stream)
{
    const struct sb_gate_terms *const terms = &gate->terms;

    sb_print(stream, "shufflebias gate --alpha %.12g --delta %.12g --exclude %.12g", terms->alpha,
             terms->delta, terms->exclude);
    if (terms->tolerate > 0)
        sb_print(stream, " --tolerate %.12g", terms->tolerate);
    if (gate->reported)
        fputs(" --format html FILE", stream);
    else
        reproduce_subject(gate, stream);
}

/* Writes which file the command reads, or why the page is the same again. */
static void reproduce_gate_note(const struct sb_gate *gate, FILE *stream)
{
    if (!gate->reported) {
        fputs("<p>The looks are at fixed numbers of permutations: the same permutations have the same "
              "verdict, on every machine.</p>\n",
              stream);
        return;
    }
    fprintf(stream, "<p>The file is the one that has %s of the run of <code>",
            gate->evidence.part[0] ? gate->evidence.part : "all");
    sb_markup_text(stream, gate->name);
    fprintf(stream, "</code>, n = %zu, seed %" PRIu64 ".</p>\n", gate->n, gate->seed);
}

/* Writes the command of the reports of these kinds, or else that of the gate. */
static void reproduce_command(const struct sb_reports *reports, unsigned kinds, const struct sb_gate *gate,
                              struct sb_html *html)
{
    char *command = NULL;
    size_t size = 0;
    FILE *const text = sb_memory_stream_open(&command, &size);

    if (text && reports)
        reproduce_reports(reports, kinds, text);
    else if (text)
        reproduce_gate(gate, text);
    if (sb_memory_stream_close(text, &command))
        sb_html_command(command, html->stream);
    else
        html->page.status = SB_NO_MEMORY;
    free(command);
}

/* A command makes reports by seeds, or of the other kinds. A call of the library may make all kinds at once. */
void sb_html_reproduce_reports(const struct sb_reports *reports, struct sb_html *html)
{
    const unsigned kinds = reproduce_kinds(reports), others = kinds & ~(unsigned)SB_BY_SEEDS;

    if (reports->count == 0)
        return;
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    if (others)
        reproduce_command(reports, others, NULL, html);
    if (kinds & SB_BY_SEEDS)
        reproduce_command(reports, SB_BY_SEEDS, NULL, html);
    reproduce_reports_note(&reports->report[0], html->stream);
}

void sb_html_reproduce_gate(const struct sb_gate *gate, struct sb_html *html)
{
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    reproduce_command(NULL, 0, gate, html);
    reproduce_gate_note(gate, html->stream);
}
