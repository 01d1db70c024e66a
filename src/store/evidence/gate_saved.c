/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate's saved evidence in memory: what run it is of, and whether another is meant. */
#include "store/evidence/gate_saved.h"

#include "core/error.h"
#include "store/checksummed_file.h"
#include "store/evidence/report_saved.h"
#include "subject/feed_start.h"
#include "subject/mismatch.h"

#include <stdlib.h>
#include <string.h>

void sb_gate_saved_free(struct sb_gate_saved *saved)
{
    if (!saved)
        return;
    sb_snapshot_close(&saved->seen);
    sb_saved_free(saved->report);
    free(saved->point);
    free(saved->path);
    free(saved->version);
    free(saved->name);
    sb_input_format_close(&saved->reading);
    free(saved->profile);
    free(saved);
}

bool sb_gate_saved_done(const struct sb_gate_saved *saved)
{
    return saved->ended &&
           (saved->verdict != SB_VERDICT_INCONCLUSIVE || saved->seen.total >= saved->terms.limit);
}

static bool saved_is_scheme(const struct sb_gate_saved *saved)
{
    return strcmp(saved->kind, "scheme") == 0;
}

void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                         struct sb_gate_options *options)
{
    *subject = (struct sb_subject) {
        .scheme = saved_is_scheme(saved) ? saved->scheme.name : NULL,
        .n = saved->n,
        .deal = saved->deal < saved->n ? saved->deal : 0,
        .name = saved->name,
        .seed = saved->seed,
    };
    sb_input_format_fill(&saved->reading, subject);
    if (!saved->report) {
        options->alpha = saved->terms.alpha;
        options->delta = saved->terms.delta;
        options->exclude = saved->terms.exclude;
        options->tolerate = saved->terms.tolerate;
    }
    options->seeds = saved->terms.seeds;
    options->limit = saved->report ? 0 : saved->terms.limit;
    options->profile = saved->profile;
    options->increments = saved->increments;
    options->saved = saved;
}

enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error)
{
    return sb_checksummed_foreign(saved->path, saved->version, error);
}

/* What is said, or else what was. */
static const char *saved_text(const char *said, const char *was)
{
    return said ? said : was;
}

static bool saved_given(const struct sb_subject *subject)
{
    return subject->scheme || subject->command || subject->file || subject->shuffle;
}

/* What is left out of a subject becomes what it was. */
static void saved_fill(const struct sb_gate_saved *saved, struct sb_subject *subject)
{
    subject->n = subject->n ? subject->n : saved->n;
    subject->deal = subject->deal ? subject->deal : saved->deal < saved->n ? saved->deal : 0;
    sb_input_format_fill(&saved->reading, subject);
    if (!saved_is_scheme(saved))
        return;
    if (!saved_given(subject))
        subject->scheme = saved->scheme.shuffle_name;
    subject->draw = saved_text(subject->draw, saved->scheme.draw_name);
    subject->rng = saved_text(subject->rng, saved->scheme.rng.name);
}

/* The terms; a report had none. */
static void saved_hold_terms(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                             struct sb_mismatch *differs)
{
    const struct sb_gate_terms *const terms = &saved->terms;

    if (saved->report)
        return;
    sb_mismatch_real(differs, "alpha", terms->alpha, options->alpha);
    sb_mismatch_real(differs, "delta", terms->delta, options->delta);
    sb_mismatch_real(differs, "exclude", terms->exclude, options->exclude);
    sb_mismatch_real(differs, "tolerate", terms->tolerate, options->tolerate);
    sb_mismatch_integer(differs, "limit", terms->limit, options->limit);
    sb_mismatch_integer(differs, "seeds", terms->seeds, options->seeds);
}

/* What stands in the options and beside the subject. */
static void saved_hold(const struct sb_gate_saved *saved, const struct sb_subject *subject,
                       const struct sb_gate_options *options, struct sb_mismatch *differs)
{
    saved_hold_terms(saved, options, differs);
    sb_mismatch_text(differs, "profile", saved->profile, options->profile);
    sb_mismatch_bool(differs, "increments", saved->increments, options->increments);
    sb_mismatch_integer(differs, "n", saved->n, subject->n);
    sb_mismatch_integer(differs, "deal", saved->deal, subject->deal ? subject->deal : subject->n);
    if (saved_is_scheme(saved))
        sb_mismatch_integer(differs, "seed", saved->seed, subject->seed);
    sb_input_format_differs(&saved->reading, subject, differs);
}

/* Whether what is asked for can be had of a report's evidence. */
static enum sb_status saved_check_report(const struct sb_gate_saved *saved,
                                         const struct sb_gate_options *options, struct sb_error *error)
{
    if (options->save)
        return sb_error_set(
            error, SB_INVALID,
            "'%.200s' is a report's evidence, which no gate goes on with: use `sb_reports_saved`"
            ", and judge it then",
            saved->path);
    if (options->limit)
        return sb_error_set(error, SB_INVALID,
                            "`limit=%llu`: '%.200s' is a report's evidence, and all that was counted is "
                            "looked at, once: leave it out",
                            (unsigned long long)options->limit, saved->path);
    if (saved->n < 2)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of `n = %zu`: there is only one order, and nothing to test",
                            saved->path, saved->n);
    return SB_OK;
}

enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                                    struct sb_error *error, struct sb_subject *subject)
{
    struct sb_mismatch differs = { 0 };
    char again[64];
    const char *remedy = "leave it out";
    enum sb_status status = saved->report ? saved_check_report(saved, options, error) : SB_OK;

    if (status)
        return status;
    saved_fill(saved, subject);
    saved_hold(saved, subject, options, &differs);
    if (!differs.field && saved_given(subject)) {
        status = sb_subject_differs(subject, saved->kind, saved->name, saved->words, error, &differs);
        if (!saved_is_scheme(saved)) { /* which has to be said again */
            snprintf(again, sizeof again, "say the %s of that run again", saved->kind);
            remedy = again;
        }
    }
    if (status == SB_OK)
        status = sb_mismatch_say(&differs, saved->path, remedy, error);
    if (status || !options->save || sb_gate_saved_done(saved))
        return status;
    if (!saved_given(subject))
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of the %s '%.100s', which is to be said again: %s",
                            saved->path, saved->kind, saved->name,
                            strcmp(saved->kind, "command") == 0 ? "put it after '--'" : "name it");
    return sb_checksummed_version(saved->path, saved->version, error);
}
