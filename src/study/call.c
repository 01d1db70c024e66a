/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface for callers of the library: requests, whose options are set by name, and what happens during a run. */

#include "core/text.h"
#include "study/gate/gate_page.h"

/* Appends a text. Returns false if memory runs out. */
static bool texts_add(struct sb_call_texts *texts, const char *text)
{
    const char **const grown = realloc(texts->text, (texts->count + 2) * sizeof *grown);

    if (!grown)
        return false;
    texts->text = grown;
    grown[texts->count++] = text;
    grown[texts->count] = NULL;
    return true;
}

const char *sb_call_texts_copy(struct sb_call_texts *texts, const char *text)
{
    char *const copy = strdup(text);

    if (copy && texts_add(texts, copy))
        return copy;
    free(copy);
    return NULL;
}

void sb_call_texts_free(struct sb_call_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free((char *)texts->text[i]);
    free(texts->text);
}

/* ---- requests ---- */

struct sb_request *sb_request_new(const char *command)
{
    const unsigned of = sb_request_of(command);

    if (!of)
        return NULL;
    struct sb_request *const request = malloc(sizeof *request);
    struct sb_call *const call = calloc(1, sizeof *call);

    if (!request || !call) {
        free(request);
        free(call);
        return NULL;
    }
    sb_request_init(request, of);
    request->call = call;
    return request;
}

void sb_request_free(struct sb_request *request)
{
    if (!request)
        return;
    struct sb_call *const call = request->call;

    sb_feed_free(call->dealt);
    sb_call_texts_free(&call->owned);
    free(call->schemes.text);
    free(call->words.text);
    free(call->program.text);
    free(call->gates);
    free(call);
    free(request);
}

static enum sb_status request_unknown(const struct sb_request *request, const char *name)
{
    char typed[64], suggestion[128]; /* `_` stands for `-` */
    struct sb_name_nearest nearest = { .name = typed };

    snprintf(typed, sizeof typed, "%s", name);
    for (char *mark = typed; (mark = strchr(mark, '_'));)
        *mark = '-';
    for (size_t i = 0; i < sb_options_count; i++)
        if (sb_options_table[i].of & request->of)
            sb_name_offer(&nearest, sb_options_table[i].name);
    return sb_error_set(&request->call->error, SB_INVALID, "unknown option '%.60s'%s", name,
                        sb_name_suggest(&nearest, suggestion, sizeof suggestion));
}

/* Sets what the command line has no option for. Returns false if the name is another. */
static bool request_word(struct sb_request *request, const char *name, const char *value, enum sb_status *status)
{
    struct sb_call *const call = request->call;
    const struct {
        const char *name;
        const char **text;
        struct sb_call_texts *texts;
    } words[] = {
        { "file", &call->file, NULL },         { "name", &call->name, NULL },
        { "cwd", &call->cwd, NULL },           { "scheme", NULL, &call->schemes },
        { "statistic", NULL, &call->schemes }, { "permutation", NULL, &call->words },
        { "part", NULL, &call->words },        { "command", NULL, &call->program },
    };
    uint64_t number;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i].name) == 0) {
            if (words[i].text)
                *words[i].text = value;
            else if (!texts_add(words[i].texts, value))
                *status = sb_error_memory(&call->error, "a request");
            return true;
        }
    const bool first = strcmp(name, "seeds_first") == 0, count = strcmp(name, "seeds_count") == 0;

    if (!first && !count && strcmp(name, "size") != 0)
        return false;
    if (!sb_whole_number(value, 0, INT64_MAX, &number))
        *status = sb_error_set(&call->error, SB_INVALID, "`%s=%s`: must be a whole number", name, value);
    else if (first)
        request->seed_range.first = number;
    else if (count)
        request->seed_range.count = number;
    else
        call->size = (size_t)number;
    return true;
}

enum sb_status sb_set(struct sb_request *request, const char *name, const char *value)
{
    struct sb_call *const call = request->call;
    const struct sb_option *const option = name ? sb_option_find(request->of, name) : NULL;
    enum sb_status status = SB_OK;
    struct sb_wrong wrong;

    call->error = (struct sb_error) { .status = SB_OK };
    if (!name || !value)
        return sb_error_null(&call->error, name ? "the value" : "the option");
    const char *const copy = sb_call_texts_copy(&call->owned, value);

    if (!copy)
        return sb_error_memory(&call->error, "a request");
    if (request_word(request, name, copy, &status))
        return status;
    if (!option || option->kind == SB_KIND_HELP)
        return request_unknown(request, name);
    if (sb_request_set(request, option, copy, &wrong))
        return SB_OK;
    return sb_error_set(&call->error, SB_INVALID, strncmp(wrong.why, "must", 4) == 0 ? "`%s = %s` %s" : "`%s=%s`: %s",
                        option->field ? option->field : option->name, wrong.part ? wrong.text : value, wrong.why);
}

void sb_set_shuffle(struct sb_request *request, sb_own_shuffle *shuffle, void *state)
{
    request->call->shuffle = shuffle;
    request->call->shuffle_state = state;
}

void sb_set_draws(struct sb_request *request, sb_drawn_shuffle *shuffle, void *state)
{
    request->call->drawn = shuffle;
    request->call->shuffle_state = state;
}

void sb_on(struct sb_request *request, sb_event *event, void *state)
{
    request->call->event = event;
    request->call->event_state = state;
}

void sb_stop(struct sb_request *request)
{
    request->call->stop = 1;
}

void sb_reopen(struct sb_request *request)
{
    request->call->reopen = 1;
}

const volatile sig_atomic_t *sb_group(const struct sb_request *request)
{
    return &request->call->group;
}

void sb_set_ranks(struct sb_request *report, const struct sb_ranks *ranks)
{
    report->call->ranks = ranks;
}

enum sb_status sb_add(struct sb_request *suite, struct sb_request *gate)
{
    struct sb_call *const call = suite->call;

    if (suite->of != SB_GATE || gate->of != SB_GATE)
        return sb_error_set(&call->error, SB_INVALID, "a suite has gates alone: make both requests for a gate");
    struct sb_request **const grown = realloc(call->gates, (call->gates_count + 1) * sizeof *grown);

    if (!grown)
        return sb_error_memory(&call->error, "a suite");
    call->gates = grown;
    grown[call->gates_count++] = gate;
    return SB_OK;
}

enum sb_status sb_status(const struct sb_request *request)
{
    return request->call->error.status;
}

const char *sb_error(const struct sb_request *request)
{
    return request->call->error.text;
}

const char *sb_error_option(const struct sb_request *request)
{
    return request->call->error.field;
}

const char *sb_error_value(const struct sb_request *request)
{
    return request->call->error.value;
}

const char *sb_option(const struct sb_request *request, const char *name)
{
    const struct sb_option *const option = sb_option_find(request->of, name);
    const char *const given = option ? request->given[option - sb_options_table] : NULL;

    return given ? given : option ? option->usual : NULL;
}

struct sb_subject sb_request_subject(const struct sb_request *request)
{
    return (struct sb_subject) {
        .seed = request->seed,
        .draw = request->draw,
        .rng = request->rng,
        .input = request->input,
        .base = request->base,
        .cards = request->cards,
        .grouping = request->grouping,
        .title = request->title,
        .match = request->match,
        .json_path = request->json_path,
        .field = request->field,
        .separator = request->separator,
        .free = request->free,
        .chained = request->chained,
        .ordered = request->ordered,
        .kept = request->save || request->follow,
        .once = request->once,
        .timeout = request->timeout,
    };
}

enum sb_status sb_request_group(const struct sb_request *asked, struct sb_error *error, struct sb_request *settled)
{
    enum sb_status status = SB_OK;

    if (settled->grouping.kinds)
        status = sb_kinds_check(&settled->grouping, asked->cards, &settled->n, error);
    if (status || !sb_grouping_is(&settled->grouping))
        return status;
    const bool known = sb_request_given(asked, "n") || asked->cards || settled->grouping.kinds;
    size_t n = known ? settled->n : 0, deal = asked->deal;

    if (settled->grouping.sets && n == 0)
        return sb_error_set(error, SB_INVALID, "`sets`: say of how many items a set is drawn, `n=N`");
    status = sb_grouping_settle(&settled->grouping, &n, &deal, error);
    if (status)
        return status;
    if (settled->grouping.unordered && asked->of == SB_REPORT && asked->by & ~(unsigned)SB_BY_SAMPLE)
        return sb_error_set(error, SB_INVALID, "`unordered` goes with `by=sample` only: leave one of them out");
    if (settled->grouping.unordered)
        settled->by = SB_BY_SAMPLE; /* the exact laws are those of hands with names */
    settled->n = n;
    settled->deal = deal;
    return SB_OK;
}

/* ---- events ---- */

static void call_event(struct sb_call *call, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (call->event && call->event(call->event_state, event, text, done, total))
        call->stop = 1;
}

void sb_call_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    call_event(state, "progress", subject, done, total);
}

void sb_call_line(void *state, const char *line)
{
    call_event(state, "line", line, 0, 0);
}

void sb_call_note(void *state, const char *line)
{
    call_event(state, "note", line, 0, 0);
}

int sb_call_alarm(void *state, const struct sb_alarm *alarm)
{
    struct sb_call *const call = state;
    char *text = NULL;

    if (sb_result_text(&sb_alarm_result, alarm, "json", NULL, &call->error, &text, NULL))
        return 1;
    call_event(call, "alarm", text, 0, 0);
    sb_text_free(text);
    return 0;
}

void sb_call_idle(void *call)
{
    call_event(call, "idle", "", 0, 0);
}

void sb_call_bound(void *state, double bound, double goal)
{
    char text[64];

    sb_decimal_format(text, sizeof text, "%.17g %.17g", bound, goal);
    call_event(state, "bound", text, 0, 0);
}

void sb_call_finished(void *state, const struct sb_suite_item *item)
{
    char text[300];

    snprintf(text, sizeof text, "%.250s: %s", item->name, sb_verdict_name(sb_suite_item_verdict(item)));
    call_event(state, "finished", text, 0, 0);
}
