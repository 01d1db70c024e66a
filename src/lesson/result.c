/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results that a page shows, computed with the public functions of the library as any program could. The results
 * live until the page is complete.
 */
#include "lesson/lesson.h"
#include "study/call.h"

#include "core/core.h"
#include "study/explain/explain.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"

#include <stdlib.h>
#include <string.h>

/* Whether a run was stopped before its result was complete. */
static bool result_stopped(const struct sb_result *result)
{
    if (result->of == SB_GATE)
        return result->suite->item->gate->interrupted;
    return result->of == SB_REPORT && (result->reports->count != 1 || result->reports->interrupted);
}

/* Sets what the words after the command's name say: "naive -n 3 --samples 100". Reports are on exact laws, unless
 * the words say which seeds. */
static enum sb_status result_words(char **state, struct sb_request *request)
{
    enum sb_status status = request->of == SB_REPORT ? sb_set(request, "by", "exact") : SB_OK;

    for (const char *word; status == SB_OK && (word = strtok_r(NULL, " ", state));) {
        const char *const value = word[0] == '-' ? strtok_r(NULL, " ", state) : NULL;

        if (!value)
            status = sb_set(request, "scheme", word);
        else
            status = sb_set(request, word + strspn(word, "-"), value);
        if (value && strcmp(word, "--seeds") == 0)
            status = status ? status : sb_set(request, "by", "seeds");
    }
    return status;
}

/* Runs the command; returns NULL after an error. */
static struct sb_result *result_run(struct sb_lesson *lesson, struct sb_request *request, char **state)
{
    struct sb_error error = { .status = SB_BROKEN, .text = "a lesson has a wrong command" };
    struct sb_result *result = NULL;

    const enum sb_status status = result_words(state, request);

    if (status == SB_NO_MEMORY)
        sb_error_memory(&error, "a lesson");
    if (status == SB_OK) {
        request->threads = lesson->options->threads;
        request->stop = lesson->options->stop;
        result = sb_call_run(request, &error);
    }
    if (result && result_stopped(result)) {
        sb_error_set(&error, SB_STOPPED, "interrupted: the course is not whole");
        sb_result_free(result);
        result = NULL;
    }
    if (!result)
        lesson->template.status = sb_error_set(lesson->template.error, error.status, "%s", error.text);
    return result;
}

/* Makes the names of the shuffles that begin with `prefix` and take no parameter. */
static enum sb_status result_list(struct sb_lesson *lesson, const char *prefix, json_t **names)
{
    struct sb_entry entry;

    *names = json_array();
    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        if (strcmp(entry.family, "shuffle") == 0 && strncmp(entry.name, prefix, strlen(prefix)) == 0 &&
            !entry.parameter && json_array_append_new(*names, json_string(entry.name)))
            return sb_error_memory(lesson->template.error, "a list");
    return *names ? SB_OK : sb_error_memory(lesson->template.error, "a list");
}

struct sb_lesson_result *sb_lesson_run(struct sb_lesson *lesson, const char *command)
{
    char words[SB_LESSON_COMMAND_ROOM], *state;

    for (size_t i = 0; i < lesson->results_count; i++)
        if (strcmp(lesson->result[i].command, command) == 0)
            return lesson->template.status ? NULL : &lesson->result[i];
    if (lesson->results_count == SB_LESSON_RESULTS_MOST || strlen(command) >= sizeof words)
        sb_template_fault(&lesson->template, command);
    if (lesson->template.status)
        return NULL;
    strcpy(words, command);
    struct sb_lesson_result *const result = &lesson->result[lesson->results_count++];
    const char *const name = strtok_r(words, " ", &state);
    struct sb_request *const request = name ? sb_request_new(name) : NULL;

    strcpy(result->command, command);
    if (request)
        result->result = result_run(lesson, request, &state);
    else if (name && strcmp(name, "list") == 0)
        lesson->template.status = result_list(lesson, strtok_r(NULL, " ", &state), &result->json);
    else if (name && sb_request_of(name))
        lesson->template.status = sb_error_memory(lesson->template.error, "a lesson");
    else
        sb_template_fault(&lesson->template, command);
    sb_request_free(request);
    return lesson->template.status ? NULL : result;
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
static bool result_more(const struct sb_result *result, json_t *json)
{
    if (result->of == SB_EXPLAIN)
        return result_possible(result->explain, json);
    if (result->of != SB_REPORT)
        return true;
    /* a difference of the ratio from 1 that the ratio itself would round */
    json_t *const report = json_array_get(json_object_get(json, "reports"), 0);

    return json_object_set_new(json_object_get(report, "effect"), "max_excess",
                               json_real(result->reports->report[0].effect.max_excess)) == 0;
}

json_t *sb_lesson_json(struct sb_template *template, const char *command)
{
    struct sb_lesson *const lesson = (struct sb_lesson *)template;
    struct sb_lesson_result *const result = sb_lesson_run(lesson, command);

    if (result && !result->json) {
        result->json = json_incref(sb_call_json(result->result));
        if (!result->json || !result_more(result->result, result->json))
            lesson->template.status = sb_error_memory(lesson->template.error, "a lesson");
    }
    if (!result || lesson->template.status)
        return NULL;
    json_t *const only = json_object_get(result->json, strncmp(command, "gate ", 5) == 0 ? "gates" : "reports");

    return only ? json_array_get(only, 0) : result->json;
}

void sb_lesson_results_free(struct sb_lesson *lesson)
{
    for (size_t i = 0; i < lesson->results_count; i++) {
        sb_result_free(lesson->result[i].result);
        json_decref(lesson->result[i].json);
    }
}
