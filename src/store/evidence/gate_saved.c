/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate's saved evidence in memory: describes the run that recorded the evidence, and compares this run with
 * a request. */
#include "store/evidence/gate_saved.h"

#include "core/core.h"
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
    sb_snapshot_close(&saved->snapshot);
    sb_saved_free(saved->report);
    free(saved->point);
    free(saved->path);
    sb_store_free(sb_gate_saved_fields, saved);
    free(saved);
}

bool sb_gate_saved_done(const struct sb_gate_saved *saved)
{
    return saved->verdict &&
           (strcmp(saved->verdict, "inconclusive") != 0 || saved->snapshot.total >= saved->terms.limit);
}

static bool saved_is_scheme(const struct sb_gate_saved *saved)
{
    return strcmp(saved->subject.kind, "scheme") == 0;
}

void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                         struct sb_gate_options *options)
{
    *subject = (struct sb_subject) {
        .scheme = saved_is_scheme(saved) ? saved->scheme.name : NULL,
        .n = saved->snapshot.n,
        .deal = saved->deal < saved->snapshot.n ? saved->deal : 0,
        .name = saved->subject.name,
        .seed = saved->subject.seed,
    };
    sb_subject_saved_fill(&saved->subject, subject);
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

/* The requested text, or the saved text if none was requested. */
static const char *saved_text(const char *said, const char *was)
{
    return said ? said : was;
}

static bool saved_given(const struct sb_subject *subject)
{
    return subject->scheme || subject->command || subject->file || subject->shuffle;
}

/* For each field of the subject that the caller left out, sets the saved value. */
static void saved_fill(const struct sb_gate_saved *saved, struct sb_subject *subject)
{
    subject->n = subject->n ? subject->n : saved->snapshot.n;
    subject->deal = subject->deal ? subject->deal : saved->deal < saved->snapshot.n ? saved->deal : 0;
    sb_subject_saved_fill(&saved->subject, subject);
    if (!saved_is_scheme(saved))
        return;
    if (!saved_given(subject))
        subject->scheme = saved->scheme.shuffle_name;
    subject->draw = saved_text(subject->draw, saved->scheme.draw_name);
    subject->rng = saved_text(subject->rng, saved->scheme.rng.name);
}

/* Compares the subject and the options with the record. A report's record has no terms. */
static void saved_compare(const struct sb_gate_saved *saved, const struct sb_subject *subject,
                          const struct sb_gate_options *options, struct sb_mismatch *differs)
{
    const struct sb_gate_terms terms = {
        .alpha = options->alpha,
        .delta = options->delta,
        .exclude = options->exclude,
        .tolerate = options->tolerate,
        .limit = options->limit,
        .seeds = options->seeds,
    };
    struct sb_gate_saved asked = {
        .subject = sb_subject_saved_of(saved->subject.kind, NULL, subject),
        .snapshot = { .n = subject->n },
        .deal = subject->deal ? subject->deal : subject->n,
        .terms = saved->report ? saved->terms : terms,
        .profile = options->profile,
        .increments = options->increments,
    };

    asked.subject.seed =
        saved_is_scheme(saved) ? subject->seed : 0; /* subjects of other kinds have no seed */
    sb_store_compare(sb_gate_saved_fields, saved, &asked, differs);
}

/* Checks whether a report's evidence allows these options. */
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
    if (saved->snapshot.n < 2)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of `n = %zu`: there is only one order, and nothing to test",
                            saved->path, saved->snapshot.n);
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
    saved_compare(saved, subject, options, &differs);
    if (!differs.field && saved_given(subject)) {
        status = sb_subject_differs(subject, saved->subject.kind, saved->subject.name, saved->subject.words,
                                    error, &differs);
        if (!saved_is_scheme(saved)) { /* the caller must name the subject again */
            snprintf(again, sizeof again, "say the %s of that run again", saved->subject.kind);
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
                            saved->path, saved->subject.kind, saved->subject.name,
                            strcmp(saved->subject.kind, "command") == 0 ? "put it after '--'" : "name it");
    return sb_checksummed_version(saved->path, saved->version, error);
}
