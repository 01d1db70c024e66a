/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of callers of the library: texts in all formats, and single values. */
#include "study/call.h"

#include "core/core.h"
#include "core/system.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_result_free(struct sb_result *result)
{
    if (!result)
        return;
    switch (result->of) {
    case SB_REPORT:
    case SB_PROVE:
        sb_reports_free(result->reports);
        break;
    case SB_GATE:
        sb_suite_free(result->suite);
        break;
    case SB_WATCH:
        sb_watch_free(result->watch);
        break;
    case SB_EXPLAIN:
        sb_explain_free(result->explain);
        break;
    case SB_ODDS:
        sb_odds_free(result->odds);
        break;
    case SB_PLAN:
        sb_plan_free(result->plan);
        break;
    case SB_LAW:
        sb_null_law_free(result->law);
        break;
    case SB_ZOO:
        sb_zoo_free(result->zoo);
        break;
    case SB_BENCH:
        sb_costs_free(result->costs);
        break;
    default:
        break;
    }
    json_decref(result->json);
    sb_call_texts_free(&result->values);
    free(result->figure);
    sb_text_free(result->text);
    free(result);
}

bool sb_look(struct sb_result *result, const char *name, const char *value)
{
    struct sb_look *const look = &result->look;
    const bool is = strcmp(value, "0") != 0;
    uint64_t columns = 0;

    if (strcmp(name, "unicode") == 0) {
        look->unicode = is;
    } else if (strcmp(name, "colour") == 0) {
        look->colour = is;
    } else if (strcmp(name, "details") == 0) {
        look->details = is;
    } else if (strcmp(name, "columns") == 0) {
        look->columns = sb_whole_number(value, 0, INT32_MAX, &columns) ? (size_t)columns : 0;
    } else if (strcmp(name, "figure") == 0) {
        free(result->figure);
        look->figure = result->figure = *value ? strdup(value) : NULL; /* "": the usual figure */
    } else {
        return false;
    }
    return true;
}

enum sb_status sb_write(struct sb_result *result, const char *format, FILE *stream)
{
    if (!result->type)
        return sb_error_set(&result->error, SB_INVALID, "a merge has no formats: report on its file");
    return sb_result_write(result->type, result->made, format, &result->look, &result->error, stream);
}

const char *sb_text(struct sb_result *result, const char *format, size_t *length)
{
    sb_text_free(result->text);
    result->text = NULL;
    if (!result->type)
        sb_error_set(&result->error, SB_INVALID, "a merge has no formats: report on its file");
    else
        sb_result_text(result->type, result->made, format, &result->look, &result->error, &result->text, length);
    return result->text;
}

const char *sb_result_error(const struct sb_result *result)
{
    return result->error.text;
}

json_t *sb_call_json(struct sb_result *result)
{
    json_error_t fault;
    size_t length = 0;

    if (!result->json && sb_text(result, "json", &length))
        result->json = sb_json_load_text(result->text, length, &fault);
    return result->json;
}

/* Finds a value by its path; NULL if there is none. */
static const json_t *result_find(struct sb_result *result, const char *path)
{
    const json_t *value = sb_call_json(result);

    while (value && *path) {
        char name[64];
        const size_t used = strcspn(path, ".");
        uint64_t index;

        snprintf(name, sizeof name, "%.*s", (int)used, path);
        value = json_is_array(value) && sb_whole_number(name, 0, SIZE_MAX / 2, &index)
                    ? json_array_get(value, (size_t)index)
                    : json_object_get(value, name);
        path += used + (path[used] == '.');
    }
    return value;
}

const char *sb_get(struct sb_result *result, const char *path)
{
    const json_t *const value = result_find(result, path);

    if (!value || json_is_null(value))
        return NULL;
    if (json_is_string(value))
        return json_string_value(value);
    char *const text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const char *const kept = text ? sb_call_texts_copy(&result->values, text) : NULL;

    free(text);
    return kept;
}

double sb_number(struct sb_result *result, const char *path)
{
    const json_t *const value = result_find(result, path);

    return json_is_number(value) ? json_number_value(value) : NAN;
}
