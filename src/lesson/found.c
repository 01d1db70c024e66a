/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results that a lesson computes, with the public functions of the library. The results live until the
 * page is complete, so that no lesson has to free them. After a failure, the lesson computes nothing more.
 */
#include "core/error.h"
#include "lesson/lesson.h"
#include "study/results.h"

/* Returns a place for one more result; NULL after a failure. */
static struct sb_lesson_found *found_next(struct sb_lesson *lesson)
{
    if (lesson->status)
        return NULL;
    if (lesson->found_count == SB_LESSON_FOUND_MOST) {
        lesson->status = sb_error_broken(lesson->error, "a lesson that looks for too much");
        return NULL;
    }
    return &lesson->found[lesson->found_count++];
}

/* Options for n items, with the threads and the stop flag of the lesson. */
static struct sb_options found_options(const struct sb_lesson *lesson, size_t n)
{
    struct sb_options options;

    sb_options_init(&options);
    options.n = n;
    options.threads = lesson->options->threads;
    options.stop = lesson->options->stop;
    return options;
}

static const struct sb_report *found_report(struct sb_lesson *lesson, const char *scheme,
                                            const struct sb_options *options)
{
    struct sb_lesson_found *const found = found_next(lesson);

    if (!found)
        return NULL;
    lesson->status = sb_reports_new(&scheme, 1, options, lesson->error, &found->reports);
    if (lesson->status == SB_OK && (found->reports->count != 1 || found->reports->interrupted))
        lesson->status = sb_error_set(lesson->error, SB_STOPPED, "interrupted: the course is not whole");
    return lesson->status ? NULL : &found->reports->report[0];
}

const struct sb_report *sb_lesson_law(struct sb_lesson *lesson, const char *scheme, size_t n)
{
    struct sb_options options = found_options(lesson, n);

    options.by = SB_BY_EXACT;
    return found_report(lesson, scheme, &options);
}

const struct sb_report *sb_lesson_seeds(struct sb_lesson *lesson, const char *scheme, size_t n,
                                        uint64_t count)
{
    struct sb_options options = found_options(lesson, n);

    options.by = SB_BY_SEEDS;
    options.seeds_count = count;
    return found_report(lesson, scheme, &options);
}

const struct sb_explain *sb_lesson_explain(struct sb_lesson *lesson, const char *scheme, size_t n)
{
    return sb_lesson_path(lesson, scheme, n, NULL);
}

const struct sb_explain *sb_lesson_path(struct sb_lesson *lesson, const char *scheme, size_t n,
                                        const char *path)
{
    const struct sb_options options = found_options(lesson, n);
    struct sb_lesson_found *const found = found_next(lesson);

    if (found)
        lesson->status = sb_explain_new(scheme, path, &options, lesson->error, &found->explain);
    return lesson->status ? NULL : found->explain;
}

const struct sb_plan *sb_lesson_plan(struct sb_lesson *lesson, const char *scheme, size_t n, uint64_t samples)
{
    struct sb_options options = found_options(lesson, n);
    const struct sb_aim aim = { .scheme = scheme };
    struct sb_lesson_found *const found = found_next(lesson);

    options.samples = samples;
    if (found)
        lesson->status = sb_plan_new(&aim, &options, lesson->error, &found->plan);
    return lesson->status ? NULL : found->plan;
}

const struct sb_gate *sb_lesson_gate(struct sb_lesson *lesson, const char *scheme, size_t n)
{
    const struct sb_subject subject = { .scheme = scheme, .n = n, .seed = 1 };
    struct sb_lesson_found *const found = found_next(lesson);
    struct sb_gate_options options;

    sb_gate_options_init(&options);
    options.stop = lesson->options->stop;
    if (found)
        lesson->status = sb_gate_new(&subject, &options, lesson->error, &found->gate);
    if (found && lesson->status == SB_OK && found->gate->interrupted)
        lesson->status = sb_error_set(lesson->error, SB_STOPPED, "interrupted: the course is not whole");
    return lesson->status ? NULL : found->gate;
}

const struct sb_null_law *sb_lesson_null_law(struct sb_lesson *lesson, const char *statistic, size_t n)
{
    const struct sb_options options = found_options(lesson, n);
    struct sb_lesson_found *const found = found_next(lesson);

    if (found)
        lesson->status = sb_null_law_new(statistic, 0, &options, lesson->error, &found->law);
    return lesson->status ? NULL : found->law;
}

const struct sb_zoo *sb_lesson_zoo(struct sb_lesson *lesson, size_t n)
{
    struct sb_lesson_found *const found = found_next(lesson);
    struct sb_zoo_options options;

    sb_zoo_options_init(&options);
    options.n = n;
    options.threads = lesson->options->threads;
    options.stop = lesson->options->stop;
    if (found)
        lesson->status = sb_zoo_new(&options, lesson->error, &found->zoo);
    return lesson->status ? NULL : found->zoo;
}

void sb_lesson_close(struct sb_lesson *lesson)
{
    for (size_t i = 0; i < lesson->found_count; i++) {
        sb_reports_free(lesson->found[i].reports);
        sb_explain_free(lesson->found[i].explain);
        sb_plan_free(lesson->found[i].plan);
        sb_gate_free(lesson->found[i].gate);
        sb_null_law_free(lesson->found[i].law);
        sb_zoo_free(lesson->found[i].zoo);
        lesson->found[i] = (struct sb_lesson_found) { .reports = NULL };
    }
    lesson->found_count = 0;
}
