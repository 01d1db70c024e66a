/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate's saved evidence in memory: what run it is of, and whether another is meant. */
#include "study/gate_saved.h"

#include "core/error.h"
#include "study/subject.h"

#include <stdlib.h>
#include <string.h>

void sb_gate_saved_free(struct sb_gate_saved *saved)
{
    if (!saved)
        return;
    sb_seen_close(&saved->seen);
    free(saved->point);
    free(saved->path);
    free(saved->version);
    free(saved->name);
    free(saved->input);
    free(saved->base);
    free(saved->cards);
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
        .input = saved->input,
        .base = saved->base,
        .cards = saved->cards,
        .free = saved->free,
        .chained = saved->chained,
    };
    options->alpha = saved->terms.alpha;
    options->delta = saved->terms.delta;
    options->exclude = saved->terms.exclude;
    options->tolerate = saved->terms.tolerate;
    options->limit = saved->terms.limit;
    options->profile = saved->profile;
    options->increments = saved->increments;
    options->saved = saved;
}

enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error)
{
    return sb_error_set(error, SB_IO,
                        "'%.200s' is no sound evidence: tallies are of other statistics than version %s has, "
                        "or of other cells: use version %.20s",
                        saved->path, SB_VERSION, saved->version);
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
    subject->input = saved_text(subject->input, saved->input);
    subject->base = saved_text(subject->base, saved->base);
    subject->cards = saved_text(subject->cards, saved->cards);
    subject->free = subject->free || saved->free;
    subject->chained = subject->chained || saved->chained;
    if (!saved_is_scheme(saved))
        return;
    if (!saved_given(subject))
        subject->scheme = saved->scheme.shuffle_name;
    subject->draw = saved_text(subject->draw, saved->scheme.draw_name);
    subject->rng = saved_text(subject->rng, saved->scheme.rng.name);
}

/* The first option by which another run is meant; NULL if there is none. Whole deals may be called 0 or n. */
static const char *saved_differs(const struct sb_gate_saved *saved, const struct sb_subject *subject,
                                 const struct sb_gate_options *options)
{
    const struct sb_gate_terms *const terms = &saved->terms;
    const size_t deal = subject->deal ? subject->deal : subject->n;

    return options->alpha != terms->alpha                                             ? "--alpha"
           : options->delta != terms->delta                                           ? "--delta"
           : options->exclude != terms->exclude                                       ? "--exclude"
           : options->tolerate != terms->tolerate                                     ? "--tolerate"
           : options->limit != terms->limit                                           ? "--limit"
           : strcmp(saved_text(options->profile, ""), saved_text(saved->profile, "")) ? "--profile"
           : options->increments != saved->increments                                 ? "--increments"
           : subject->n != saved->n                                                   ? "-n"
           : deal != saved->deal                                                      ? "--deal"
           : saved_is_scheme(saved) && subject->seed != saved->seed                   ? "--seed"
           : strcmp(saved_text(subject->input, ""), saved_text(saved->input, ""))     ? "--input"
           : strcmp(saved_text(subject->base, ""), saved_text(saved->base, ""))       ? "--base"
           : strcmp(saved_text(subject->cards, ""), saved_text(saved->cards, ""))     ? "--cards"
           : subject->free != saved->free                                             ? "--free"
           : subject->chained != saved->chained                                       ? "--chained"
                                                                                      : NULL;
}

enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_gate_options *options,
                                    struct sb_error *error, struct sb_subject *subject)
{
    const char *differs;
    char text[SB_SUBJECT_TEXT];
    enum sb_status status = SB_OK;

    saved_fill(saved, subject);
    differs = saved_differs(saved, subject, options);
    if (!differs && saved_given(subject))
        status = sb_subject_differs(subject, saved->kind, saved->name, saved->words, text, error, &differs);
    const bool other = differs == text && !saved_is_scheme(saved); /* that has to be said again */

    if (status == SB_OK && differs)
        status = sb_error_set(error, SB_INVALID,
                              "%.100s: differs from the run of %.100s that '%.200s' holds: %s%s%s", differs,
                              saved->name, saved->path, other ? "say the " : "leave it out",
                              other ? saved->kind : "", other ? " of that run again" : "");
    if (status || !options->save || sb_gate_saved_done(saved))
        return status;
    if (!saved_given(subject))
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of the %s '%.100s', which is to be said again: %s",
                            saved->path, saved->kind, saved->name,
                            strcmp(saved->kind, "command") == 0 ? "put it behind '--'" : "name it");
    if (strcmp(saved->version, SB_VERSION) != 0)
        return sb_error_set(
            error, SB_INVALID,
            "'%.200s' is of version %.20s, and its shuffles and looks may not be those of %s: go on with "
            "that version",
            saved->path, saved->version, SB_VERSION);
    return SB_OK;
}
