/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the command that makes the same page again. The command is derived from the run, not from the typed
 * command. */
#include "study/report/reproduce.h"

#include "report/markup.h"

#include <inttypes.h>
#include <string.h>

static void reproduce_evidence(const struct sb_reports *reports, FILE *stream)
{
    const struct sb_report *const first = &reports->report[0];
    unsigned kinds = 0;
    uint64_t samples = 0;
    bool increments = false;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        kinds |= evidence->by;
        if (evidence->by == SB_BY_SAMPLE && evidence->total > samples)
            samples = evidence->total;
        for (size_t k = 0; k < reports->report[i].findings_count; k++)
            increments = increments || reports->report[i].findings[k].increments;
    }
    if (kinds & SB_BY_SEEDS)
        fprintf(stream, " --by seeds --seeds %" PRIu64 "..%" PRIu64, first->evidence.reach->first,
                first->evidence.reach->last);
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
    if (first->alpha < 0.001 || first->alpha > 0.001)
        fprintf(stream, " --alpha %.12g", first->alpha);
}

void sb_html_reproduce_reports(const struct sb_reports *reports, FILE *stream)
{
    const bool scheme = reports->count && reports->report[0].shuffle;

    if (reports->count == 0)
        return;
    fputs("<h2>How to reproduce it</h2>\n<pre><code>shufflebias report", stream);
    if (reports->report[0].evidence.part[0]) {
        fprintf(stream,
                " FILE --format html</code></pre>\n<p>The file is the one that has %s of the run.</p>\n",
                reports->report[0].evidence.part);
        return;
    }
    for (size_t i = 0; scheme && !reports->all && i < reports->count;) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        fputc(' ', stream);
        sb_markup_text(stream, sb_pair_best(&pair)->name);
    }
    if (scheme) {
        fprintf(stream, " -n %zu", reports->n);
        if (reports->deal < reports->n)
            fprintf(stream, " --deal %zu", reports->deal);
    }
    reproduce_evidence(reports, stream);
    if (reports->report[0].evidence.recorded)
        fputs(" --matrix", stream);
    fputs(" --format html</code></pre>\n", stream);
    if (!scheme) {
        fputs("<p>What was read: <code>", stream);
        sb_markup_text(stream, reports->report[0].name);
        fputs("</code>, which goes behind it. It is the same page where that gives the same "
              "permutations.</p>\n",
              stream);
    }
}

/* Writes the end of the command for a gate on a report's evidence. */
static void reproduce_report(const struct sb_gate *gate, FILE *stream)
{
    fprintf(stream,
            " --format html FILE</code></pre>\n<p>The file is the one that has %s of the run of <code>",
            gate->evidence.part[0] ? gate->evidence.part : "all");
    sb_markup_text(stream, gate->name);
    fprintf(stream, "</code>, n = %zu, seed %" PRIu64 ".</p>\n", gate->n, gate->seed);
}

/* Writes the end of the command for a gate on a subject. */
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
    fprintf(stream, "%s%s", gate->chained ? " --chained" : "", increments ? " --increments" : "");
    if (scheme)
        fprintf(stream, " --seed %" PRIu64, gate->seed);
    fputs(command ? " --format html -- " : " --format html ", stream);
    sb_markup_text(stream, gate->name);
    fputs("</code></pre>\n<p>The looks are at fixed numbers of permutations: the same permutations have the "
          "same "
          "verdict, on every machine.</p>\n",
          stream);
}

void sb_html_reproduce_gate(const struct sb_gate *gate, FILE *stream)
{
    const struct sb_gate_terms *const terms = &gate->terms;

    fprintf(stream,
            "<h2>How to reproduce it</h2>\n<pre><code>shufflebias gate --alpha %.12g --delta %.12g --exclude "
            "%.12g",
            terms->alpha, terms->delta, terms->exclude);
    if (terms->tolerate > 0)
        fprintf(stream, " --tolerate %.12g", terms->tolerate);
    if (gate->reported)
        reproduce_report(gate, stream);
    else
        reproduce_subject(gate, stream);
}
