/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as JSON in memory, as a binding for another language needs them: an own shuffle through the gate, its proof, a
 * report, and one result of every other kind.
 *
 *     cc text_in_memory.c $(pkg-config --cflags --libs shufflebias) -o text_in_memory && ./text_in_memory
 */
#include <shufflebias.h>

#include <stdlib.h>
#include <string.h>

struct text {
    char *text;
    size_t length;
};

/* Prints how long a text is and frees it. Returns whether the text was written and contains `part`. */
static bool shown(enum sb_status status, struct text *text, const char *part)
{
    if (status)
        return false;
    const bool well = strlen(text->text) == text->length && strstr(text->text, part);

    printf("%s: %zu bytes\n", part, text->length);
    sb_text_free(text->text);
    return well;
}

/* The naive swap; its randomness comes from the C library. */
static int naive(void *items, size_t n, size_t size, void *state)
{
    uint16_t *const a = items;

    (void)size;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)rand() % n;
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

static bool show_gate(struct sb_error *error)
{
    const struct sb_subject subject = { .name = "mine", .shuffle = naive, .n = 3 };
    const struct sb_subject scheme = { .scheme = "naive", .seed = 1 };
    const struct sb_suite_case only = { .subject = &scheme };
    struct sb_gate_options options;
    struct sb_gate *gate = NULL;
    struct sb_suite *suite = NULL;
    struct text text;

    sb_gate_options_init(&options);
    const bool well = sb_gate_new(&subject, &options, error, &gate) == SB_OK &&
                      shown(sb_gate_text(gate, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.gate/") &&
                      sb_suite_new(&only, 1, 1, error, &suite) == SB_OK &&
                      shown(sb_suite_text(suite, "tap", NULL, error, &text.text, &text.length), &text, "1..");

    sb_gate_free(gate);
    sb_suite_free(suite);
    return well;
}

/* The same shuffle as a function of its draws. */
static int drawn(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const a = items;

    (void)size;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const size_t j = sb_draws_below(draws, (uint32_t)n);
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

static bool show_proof(struct sb_error *error)
{
    struct sb_reports *reports = NULL;
    struct sb_proof proof;
    struct text text;

    sb_proof_init(&proof);
    const bool well = sb_prove_callback("mine", drawn, NULL, &proof, error, &reports) == SB_OK &&
                      shown(sb_reports_text(reports, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.report/");

    sb_reports_free(reports);
    return well;
}

static bool show_calculations(const struct sb_options *options, struct sb_error *error)
{
    static const char *const orders[] = { "123", "231" }, *const schemes[] = { "naive" };
    const struct sb_aim aim = { .scheme = "naive" };
    struct sb_odds *odds = NULL;
    struct sb_plan *plan = NULL;
    struct sb_null_law *law = NULL;
    struct sb_costs *costs = NULL;
    struct text text;

    const bool well = sb_odds_new("naive", orders, 2, options, error, &odds) == SB_OK &&
                      shown(sb_odds_text(odds, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.odds/") &&
                      sb_plan_new(&aim, options, error, &plan) == SB_OK &&
                      shown(sb_plan_text(plan, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.plan/") &&
                      sb_null_law_new("descents", 0, options, error, &law) == SB_OK &&
                      shown(sb_null_law_text(law, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.law/") &&
                      sb_costs_new(schemes, 1, options, error, &costs) == SB_OK &&
                      shown(sb_costs_text(costs, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.bench/");

    sb_odds_free(odds);
    sb_plan_free(plan);
    sb_null_law_free(law);
    sb_costs_free(costs);
    return well;
}

static bool show_teaching(const struct sb_options *options, struct sb_error *error)
{
    struct sb_zoo_options few;
    struct sb_explain *explain = NULL;
    struct sb_zoo *zoo = NULL;
    struct text text;

    sb_zoo_options_init(&few);
    few.n = 3;
    few.seeds = 1;
    few.samples = 100;
    const bool well =
        sb_explain_new("naive", NULL, options, error, &explain) == SB_OK &&
        shown(sb_explain_text(explain, "json", NULL, error, &text.text, &text.length), &text,
              "\"shufflebias.explain/") &&
        sb_zoo_new(&few, error, &zoo) == SB_OK &&
        shown(sb_zoo_text(zoo, "json", NULL, error, &text.text, &text.length), &text, "\"shufflebias.zoo/") &&
        shown(sb_course_text(0, options, error, &text.text, &text.length), &text, "</html>");

    sb_explain_free(explain);
    sb_zoo_free(zoo);
    return well;
}

static bool show_watch(struct sb_error *error)
{
    const struct sb_subject subject = { .scheme = "fisher-yates", .n = 3, .seed = 1 };
    struct sb_watch_options options;
    struct sb_watch *watch = NULL;
    struct text text;

    sb_watch_options_init(&options);
    options.limit = 1000;
    const bool well = sb_watch_new(&subject, &options, error, &watch) == SB_OK &&
                      shown(sb_watch_text(watch, "json", NULL, error, &text.text, &text.length), &text,
                            "\"shufflebias.watch/");

    sb_watch_free(watch);
    return well;
}

int main(void)
{
    struct sb_options options;
    struct sb_error error = { .text = "" };

    sb_options_init(&options);
    options.samples = 1000;
    if (show_gate(&error) && show_proof(&error) && show_calculations(&options, &error) &&
        show_teaching(&options, &error) && show_watch(&error))
        return 0;
    fprintf(stderr, "%s\n", error.text);
    return 1;
}
