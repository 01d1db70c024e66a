/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results that a page shows, computed with the public functions of the library as any program could. The results
 * live until the page is complete.
 */
#include "lesson/lesson.h"
#include "study/results.h"

#include "core/core.h"
#include "core/system.h"
#include "gate/gate.h"
#include "study/explain/explain.h"

#include <stdlib.h>
#include <string.h>

void sb_lesson_fault(struct sb_lesson *lesson, const char *at)
{
    char what[64];

    snprintf(what, sizeof what, "a lesson at '%.40s'", at);
    if (lesson->status == SB_OK)
        lesson->status = sb_error_broken(lesson->error, what);
}

/* A command: "plan naive -n 3 --samples 100". */
struct result_call {
    const char *of; /* scheme or statistic */
    const char *path;
    size_t n;
    uint64_t samples;
    uint64_t seeds; /* number of seeds, "--seeds 0..63"; 0: the exact law */
};

/* Options with the threads and the stop flag of the lesson. */
static struct sb_request result_options(const struct sb_lesson *lesson, const struct result_call *call)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.n = call->n;
    options.samples = call->samples;
    options.by = call->seeds ? SB_BY_SEEDS : SB_BY_EXACT;
    options.seed_range.count = call->seeds;
    options.threads = lesson->options->threads;
    options.stop = lesson->options->stop;
    return options;
}

static enum sb_status result_stopped(const struct sb_lesson *lesson)
{
    return sb_error_set(lesson->error, SB_STOPPED, "interrupted: the course is not whole");
}

static enum sb_status result_report(struct sb_lesson *lesson, const struct result_call *call,
                                    struct sb_lesson_result *result)
{
    const struct sb_request options = result_options(lesson, call);
    const enum sb_status status = sb_reports_new(&call->of, 1, &options, lesson->error, &result->reports);
    const bool whole = status || (result->reports->count == 1 && !result->reports->interrupted);

    return whole ? status : result_stopped(lesson);
}

static enum sb_status result_explain(struct sb_lesson *lesson, const struct result_call *call,
                                     struct sb_lesson_result *result)
{
    const struct sb_request options = result_options(lesson, call);

    return sb_explain_new(call->of, call->path, &options, lesson->error, &result->explain);
}

static enum sb_status result_plan(struct sb_lesson *lesson, const struct result_call *call,
                                  struct sb_lesson_result *result)
{
    const struct sb_request options = result_options(lesson, call);
    const struct sb_aim aim = { .scheme = call->of };

    return sb_plan_new(&aim, &options, lesson->error, &result->plan);
}

static enum sb_status result_gate(struct sb_lesson *lesson, const struct result_call *call,
                                  struct sb_lesson_result *result)
{
    const struct sb_subject subject = { .scheme = call->of, .n = call->n, .seed = 1 };
    struct sb_request options;

    sb_request_init(&options, SB_GATE);
    options.stop = lesson->options->stop;
    const enum sb_status status = sb_gate_new(&subject, &options, lesson->error, &result->gate);

    return status || !result->gate->interrupted ? status : result_stopped(lesson);
}

static enum sb_status result_law(struct sb_lesson *lesson, const struct result_call *call,
                                 struct sb_lesson_result *result)
{
    const struct sb_request options = result_options(lesson, call);

    return sb_null_law_new(call->of, 0, &options, lesson->error, &result->law);
}

static enum sb_status result_zoo(struct sb_lesson *lesson, const struct result_call *call,
                                 struct sb_lesson_result *result)
{
    struct sb_request options;

    sb_request_init(&options, SB_ZOO);
    options.n = call->n;
    options.threads = lesson->options->threads;
    options.stop = lesson->options->stop;
    return sb_zoo_new(&options, lesson->error, &result->zoo);
}

static enum sb_status result_list(struct sb_lesson *lesson, const struct result_call *call,
                                  struct sb_lesson_result *result)
{
    struct sb_entry entry;

    result->json = json_array();
    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        if (strcmp(entry.family, "shuffle") == 0 && strncmp(entry.name, call->of, strlen(call->of)) == 0 &&
            !entry.parameter && json_array_append_new(result->json, json_string(entry.name)))
            return sb_error_memory(lesson->error, "a list");
    return result->json ? SB_OK : sb_error_memory(lesson->error, "a list");
}

static const struct {
    const char *name;
    enum sb_status (*run)(struct sb_lesson *lesson, const struct result_call *call, struct sb_lesson_result *result);
} result_commands[] = {
    { "report", result_report }, { "explain", result_explain }, { "plan", result_plan }, { "gate", result_gate },
    { "law", result_law },       { "zoo", result_zoo },         { "list", result_list },
};

/* Reads the words after the command's name. */
static struct result_call result_words(char **state)
{
    struct result_call call = { .n = 3 };

    for (const char *word = strtok_r(NULL, " ", state); word; word = strtok_r(NULL, " ", state)) {
        const char *const value = word[0] == '-' ? strtok_r(NULL, " ", state) : NULL;
        const uint64_t number = value ? strtoull(value, NULL, 10) : 0;

        if (!value)
            call.of = word;
        else if (strcmp(word, "-n") == 0)
            call.n = (size_t)number;
        else if (strcmp(word, "--path") == 0)
            call.path = value;
        else if (strcmp(word, "--samples") == 0)
            call.samples = number;
        else if (strcmp(word, "--seeds") == 0)
            call.seeds = strtoull(value + strlen("0.."), NULL, 10) + 1;
    }
    return call;
}

struct sb_lesson_result *sb_lesson_run(struct sb_lesson *lesson, const char *command)
{
    char words[SB_LESSON_COMMAND_ROOM], *state;

    for (size_t i = 0; i < lesson->results_count; i++)
        if (strcmp(lesson->result[i].command, command) == 0)
            return lesson->status ? NULL : &lesson->result[i];
    if (lesson->results_count == SB_LESSON_RESULTS_MOST || strlen(command) >= sizeof words)
        sb_lesson_fault(lesson, command);
    if (lesson->status)
        return NULL;
    strcpy(words, command);
    struct sb_lesson_result *const result = &lesson->result[lesson->results_count++];
    const char *const name = strtok_r(words, " ", &state);
    const struct result_call call = result_words(&state);

    strcpy(result->command, command);
    for (size_t i = 0; name && i < sizeof result_commands / sizeof result_commands[0]; i++)
        if (strcmp(name, result_commands[i].name) == 0) {
            lesson->status = result_commands[i].run(lesson, &call, result);
            return lesson->status ? NULL : result;
        }
    sb_lesson_fault(lesson, command);
    return NULL;
}

static enum sb_status result_text(const struct sb_lesson_result *result, struct sb_error *error, char **text,
                                  size_t *length)
{
    if (result->reports)
        return sb_result_text(&sb_reports_result, result->reports, "json", NULL, error, text, length);
    if (result->explain)
        return sb_result_text(&sb_explain_result, result->explain, "json", NULL, error, text, length);
    if (result->plan)
        return sb_result_text(&sb_plan_result, result->plan, "json", NULL, error, text, length);
    if (result->gate)
        return sb_gate_text(result->gate, "json", NULL, error, text, length);
    if (result->law)
        return sb_result_text(&sb_null_law_result, result->law, "json", NULL, error, text, length);
    return sb_result_text(&sb_zoo_result, result->zoo, "json", NULL, error, text, length);
}

/* Adds to each step of a path which orders are still possible, if they are few; returns false without memory. */
static bool result_possible(const struct sb_explain *explain, json_t *json)
{
    json_t *const steps = json_object_get(json_object_get(json, "walk"), "steps");

    for (size_t k = 0; k < json_array_size(steps); k++) {
        const struct sb_explain_step *const step = &explain->step[k];
        json_t *const orders = json_array();

        if (json_object_set_new(json_array_get(steps, k), "orders", orders))
            return false;
        for (size_t i = 0; i < step->open && step->open <= SB_EXPLAIN_OPEN_MOST; i++)
            if (json_array_append_new(orders, json_string(sb_explain_order_text(explain, step->ranks[i]).text)))
                return false;
    }
    return true;
}

/* Adds to the JSON of a result what only lessons show; returns false without memory. */
static bool result_more(const struct sb_lesson_result *result)
{
    if (result->explain)
        return result_possible(result->explain, result->json);
    if (!result->reports)
        return true;
    /* a difference of the ratio from 1 that the ratio itself would round */
    json_t *const report = json_array_get(json_object_get(result->json, "reports"), 0);

    return json_object_set_new(json_object_get(report, "effect"), "max_excess",
                               json_real(result->reports->report[0].effect.max_excess)) == 0;
}

/* Makes the JSON of a result. */
static enum sb_status result_load(struct sb_lesson_result *result, struct sb_error *error)
{
    json_error_t fault;
    char *text = NULL;
    size_t length = 0;
    const enum sb_status status = result_text(result, error, &text, &length);

    if (status)
        return status;
    result->json = sb_json_load_text(text, length, &fault);
    sb_text_free(text);
    return result->json && result_more(result) ? SB_OK : sb_error_memory(error, "a lesson");
}

json_t *sb_lesson_json(struct sb_lesson *lesson, const char *command)
{
    struct sb_lesson_result *const result = sb_lesson_run(lesson, command);

    if (!result)
        return NULL;
    if (!result->json)
        lesson->status = result_load(result, lesson->error);
    if (lesson->status)
        return NULL;
    json_t *const only = json_object_get(result->json, result->reports ? "reports" : "gates");

    return only ? json_array_get(only, 0) : result->json;
}

void sb_lesson_results_free(struct sb_lesson *lesson)
{
    for (size_t i = 0; i < lesson->results_count; i++) {
        const struct sb_lesson_result *const result = &lesson->result[i];

        sb_reports_free(result->reports);
        sb_explain_free(result->explain);
        sb_plan_free(result->plan);
        sb_gate_free(result->gate);
        sb_null_law_free(result->law);
        sb_zoo_free(result->zoo);
        json_decref(result->json);
    }
}
