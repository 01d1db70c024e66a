/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan in JSON, for programs: one object (RFC 8259; data/schema/plan-1.json). */
#include "report/json_writer.h"
#include "study/plan/plan_text.h"

#include <math.h>

/* Writes a number of shuffles, as an integer if it is one that a double represents exactly. */
static void plan_json_whole(struct sb_json *json, const char *key, double x)
{
    if (x >= 0 && x < 9007199254740992.0 && x == floor(x))
        sb_json_integer(json, key, (uint64_t)x);
    else
        sb_json_real(json, key, x);
}

static void plan_json_subject(struct sb_json *json, const struct sb_plan *plan)
{
    if (!plan->name) {
        sb_json_null(json, "subject");
        return;
    }
    sb_json_object(json, "subject");
    sb_json_string(json, "name", plan->name);
    sb_json_string(json, "title", plan->title);
    sb_json_string(json, "shuffle", plan->shuffle);
    sb_json_string(json, "draw", plan->draw);
    sb_json_close(json);
}

static void plan_json_line(struct sb_json *json, const struct sb_plan_line *line)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_string(json, "test", line->test);
    sb_json_string(json, "direction", line->direction);
    sb_json_real(json, "total_variation", line->total_variation);
    plan_json_whole(json, "samples", line->samples);
    sb_json_real(json, "effect", line->effect);
    sb_json_real(json, "dof", line->dof);
    sb_json_real(json, "expected_least", line->expected_least);
    sb_json_real(json, "power", line->power);
    sb_json_string(json, "warning", line->warning);
    sb_json_close(json);
}

void sb_plan_json(const void *result, struct sb_json *json)
{
    const struct sb_plan *const plan = result;

    plan_json_subject(json, plan);
    sb_json_integer(json, "n", plan->n);
    sb_json_integer(json, "deal", plan->deal);
    sb_json_string(json, "engine", plan->name ? plan->engine : NULL);
    sb_json_real(json, "alpha", plan->alpha);
    sb_json_real(json, "power", plan->power);
    sb_json_real(json, "detect", plan->detect);
    if (plan->samples)
        sb_json_integer(json, "samples", plan->samples);
    else
        sb_json_null(json, "samples");
    sb_json_array(json, "tests", false);
    for (size_t i = 0; i < plan->count; i++)
        plan_json_line(json, &plan->line[i]);
    sb_json_close(json);
}
