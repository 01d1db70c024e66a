/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a watch, and an alarm: each as a sentence for people and as a JSON object for programs
 * (data/schema/watch-1.json, data/schema/alarm-1.json). The names and types of the fields stay the same in
 * later versions. An infinite number is null. RFC 8259.
 */
#include "study/watch/watch_text.h"

#include "report/json_writer.h"
#include "study/gate/gate_text.h"
#include "study/results.h"

static void watch_json_line(struct sb_json *json, const struct sb_gate_line *line)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_integer(json, "member", line->member + 1);
    sb_json_bool(json, "increments", line->lag > 0);
    sb_json_real(json, "ln_e", line->ln_e);
    if (line->context)
        sb_json_string(json, "context", line->context);
    sb_json_close(json);
}

/* Writes the subject, and the rule by which alarms are raised. */
static void watch_json_head(struct sb_json *json, const struct sb_watch *watch)
{
    const struct sb_gate *const gate = &watch->gate;

    sb_json_object(json, "subject");
    sb_json_string(json, "name", gate->name);
    sb_json_string(json, "kind", gate->kind);
    sb_json_bool(json, "chained", gate->chained);
    sb_json_close(json);
    sb_json_integer(json, "n", gate->n);
    sb_json_integer(json, "deal", gate->deal);
    if (gate->title)
        sb_json_string(json, "title", gate->title);
    sb_json_real(json, "alpha", gate->terms.alpha);
    sb_json_real(json, "delta", gate->terms.delta);
    sb_json_bool(json, "window", watch->window);
    sb_json_integer(json, "total", watch->total);
}

static void watch_json(const void *result, struct sb_json *json)
{
    const struct sb_watch *const watch = result;
    const struct sb_gate *const gate = &watch->gate;

    watch_json_head(json, watch);
    sb_json_integer(json, "carried", watch->carried);
    sb_json_integer(json, "alarms", watch->alarms);
    sb_json_string(json, "sentence", watch->sentence);
    sb_json_bool(json, "interrupted", watch->interrupted);
    sb_json_real(json, "last", watch->last);
    sb_json_real(json, "ln_e", gate->ln_e);
    sb_json_real(json, "ln_sum", watch->ln_sum);
    sb_json_real(json, "tv_low", gate->tv_low);
    sb_json_real(json, "tv_high", gate->tv_high);
    sb_json_bool(json, "whole", gate->whole);
    if (watch->compared) {
        sb_json_object(json, "repeats");
        sb_json_integer(json, "one_of", watch->compared);
        sb_json_integer(json, "repeats", gate->repeats);
        sb_json_close(json);
    } else {
        sb_json_null(json, "repeats");
    }
    sb_gate_left_out_json(json, gate);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        watch_json_line(json, &gate->line[i]);
    sb_json_close(json);
}

static void watch_json_cell(struct sb_json *json, const struct sb_gate_cell *cell)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "where", cell->where);
    sb_json_integer(json, "count", cell->count);
    sb_json_real(json, "expected", cell->expected);
    sb_json_real(json, "z", cell->z);
    sb_json_close(json);
}

static void alarm_json(const void *result, struct sb_json *json)
{
    const struct sb_alarm *const alarm = result;
    const struct sb_gate *const gate = &alarm->gate;

    watch_json_head(json, alarm->watch);
    sb_json_integer(json, "alarm", alarm->number);
    sb_json_real(json, "time", alarm->time);
    sb_json_string(json, "sentence", alarm->sentence);
    sb_json_integer(json, "since", alarm->since);
    sb_json_real(json, "ln_e", alarm->ln_e);
    sb_json_real(json, "ln_sum", alarm->ln_sum);
    sb_json_real(json, "tv_low", gate->tv_low);
    sb_json_real(json, "tv_high", gate->tv_high);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        if (gate->line[i].rejected)
            watch_json_line(json, &gate->line[i]);
    sb_json_close(json);
    sb_json_array(json, "cells", false);
    for (size_t i = 0; i < gate->cells_count; i++)
        watch_json_cell(json, &gate->cell[i]);
    sb_json_close(json);
}

static void watch_page(const void *result, struct sb_page *page)
{
    const struct sb_watch *const watch = result;

    if (page->html || watch->gate.title)
        sb_page_title(page, 1, "Watch: %s, n = %zu", sb_gate_title(&watch->gate), watch->gate.n);
    sb_page_paragraph(page, watch->alarms ? SB_INK_BAD : SB_INK_GOOD,
                      watch->alarms ? "ALARM:" : "No alarm:", "%s", watch->sentence);
    sb_gate_left_out(&watch->gate, page);
}

const struct sb_result_type sb_watch_result = {
    .what = "what was watched",
    .of = "a watch",
    .schema = "shufflebias.watch/1",
    .page = watch_page,
    .title = "shufflebias watch",
    .json = watch_json,
};

enum sb_status sb_watch_write(const struct sb_watch *watch, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_watch_result, watch, format, look, error, stream);
}

enum sb_status sb_watch_text(const struct sb_watch *watch, const char *format, const struct sb_look *look,
                             struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_watch_result, watch, format, look, error, text, length);
}

const struct sb_result_type sb_alarm_result = {
    .what = "the alarm",
    .of = "an alarm",
    .schema = "shufflebias.alarm/1",
    .json = alarm_json,
};

enum sb_status sb_alarm_write(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                              FILE *stream)
{
    return sb_result_write(&sb_alarm_result, alarm, format, NULL, error, stream);
}

enum sb_status sb_alarm_text(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                             char **text, size_t *length)
{
    return sb_result_text(&sb_alarm_result, alarm, format, NULL, error, text, length);
}
