/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An alarm has two parts: the alarm in words, and the findings of a gate that fails on the permutations that raised
 * it. With the option `window`, these are those since the start of the level with the largest term in the detector's
 * sum (fit/sequential.h). */

#include "study/catalogue/look.h"
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"
#include "study/watch/watch.h"

/* Makes a gate that fails on the tallies. If the evidence in the tallies does not reach 1/alpha, raises alpha
 * accordingly. */
static enum sb_status alarm_judge(const struct sb_watch_run *run, const struct sb_tally tally[], struct sb_alarm *alarm)
{
    const struct sb_gate *const all = &run->watch->gate;
    struct sb_gate_terms terms = run->terms;
    struct sb_gate *const gate = &alarm->gate;

    if (sb_gate_open(&terms, tally, run->tallies.count, gate) || sb_gate_look(tally, run->tallies.count, gate))
        return SB_NO_MEMORY;
    alarm->ln_e = gate->ln_e;
    if (!sb_gate_shows_bias(gate))
        gate->terms.alpha = exp(-fmax(sb_gate_certain_ln_e(gate), 1e-9)) * (1 + 1e-9);
    gate->verdict = SB_VERDICT_FAIL;
    if (sb_gate_sum_up(tally, run->tallies.count, gate))
        return SB_NO_MEMORY;
    gate->n = all->n;
    gate->deal = all->deal;
    gate->chained = all->chained;
    gate->repeats = run->tallies.birthday.repeats;
    gate->replay = sb_tallies_replay(&run->tallies);
    gate->replay.first += run->watch->carried;
    gate->replay.again += run->watch->carried;
    if (sb_item_names_copy(run->feed->names, &gate->names) || sb_gate_fair_keep(run->fair, run->tallies.weigher, gate))
        return SB_NO_MEMORY;
    gate->terms.exclude = NAN; /* a watch asks for no pass */
    sb_gate_label_cells(tally, run->tallies.count, gate);
    gate->name = strdup(all->name);
    if (!gate->name || sb_evidence_tallied(tally, run->tallies.statistics, gate->n, gate->deal, &gate->evidence))
        return SB_NO_MEMORY;
    gate->evidence.names = gate->names;
    if (!run->options->window) { /* the curve of the whole watch ends at the alarm */
        gate->points_count = 0;
        if (sb_gate_restore(all->point, all->points_count, gate))
            return SB_NO_MEMORY;
    }
    if (sb_gate_outlier_find(&run->tallies, alarm->since, gate))
        return SB_NO_MEMORY;
    const struct sb_watch_odd *const odd = gate->outlier.lag ? &run->odd_step : &run->odd;

    if (gate->outlier.deck && odd->deck == gate->outlier.deck)
        snprintf(gate->outlier.where, sizeof gate->outlier.where, "%s", odd->where);
    return sb_always_tallied(tally, run->tallies.statistics, gate->n, gate->deal, gate->names, &gate->looks_like);
}

/* Adds a part of the text data/pages/watch.md. */
static void watch_say(struct sb_sentence *s, const struct sb_watch_run *run, const char *part)
{
    const struct sb_watch *const watch = run->watch;
    const struct sb_gate *const gate = &watch->gate;
    const double times = 1 / run->terms.alpha;
    const struct sb_number many =
        times < 1e15 ? sb_number_grouped((uint64_t)(times + 1e-6)) : sb_number_short_down(times, 2);
    sb_sentence_fill(s, "watch", part,
                     json_pack("{s:b, s:I, s:I, s:I, s:I, s:s, s:s, s:b, s:b, s:s, s:s, s:b, s:b, s:b, s:b, s:b, s:b}",
                               "fair", gate->fair != NULL, "total", (json_int_t)watch->total, "alarms",
                               (json_int_t)watch->alarms, "alarm_total", (json_int_t)watch->alarm_total, "compared",
                               (json_int_t)watch->compared, "many", many.text, "alpha",
                               sb_number_general_up(run->terms.alpha, 6).text, "few", times < 10, "known",
                               gate->tv_high < 1, "low", sb_number_short_down(gate->tv_low, 2).text, "high",
                               sb_number_short_up(gate->tv_high, 2).text, "whole", gate->whole, "merged", gate->merged,
                               "window", run->options->window, "increments", run->options->increments, "bettor",
                               run->tallies.bettor != NULL, "chained", gate->chained));
}

static void alarm_say(struct sb_sentence *s, const struct sb_watch_run *run, const struct sb_alarm *alarm)
{
    const struct sb_gate *const gate = &alarm->gate;
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);
    const bool cells = gate->cells_count && !bettor, cause = cells || bettor || sb_gate_repeats_rejected(gate);
    const bool replayed = sb_gate_replayed(gate);

    sb_sentence_add(s, "ALARM after %s permutation%s: ", sb_number_grouped(run->watch->total).text,
                    run->watch->total == 1 ? "" : "s");
    if (gate->looks_like.always) {
        if (alarm->since)
            sb_sentence_add(s, "in the last %s of them, ", sb_number_grouped(run->watch->total - alarm->since).text);
        sb_sentence_always(s, &gate->looks_like, gate->chained);
        sb_sentence_add(s, ". ");
        sb_sentence_always_ask(s, &gate->looks_like, gate->chained);
        watch_say(s, run, "once");
        return;
    }
    sb_sentence_add(s, "%s is not %s", gate->fair ? "this" : "the shuffle", gate->fair ? gate->fair : "fair");
    if (alarm->since)
        sb_sentence_add(s, ", as the last %s of them show", sb_number_grouped(run->watch->total - alarm->since).text);
    sb_sentence_add(s, cause || gate->outlier.deck ? ": " : "");
    if (!replayed)
        sb_sentence_odd(s, &gate->outlier);
    if (!replayed && gate->outlier.deck && cause)
        sb_sentence_add(s, "; ");
    if (replayed)
        sb_sentence_replay(s, &gate->replay, gate->chained ? "step" : "deck");
    else if (cells)
        sb_sentence_cells(s, gate);
    else if (bettor)
        sb_sentence_predicted(s, gate, bettor);
    else if (sb_gate_repeats_rejected(gate) && !gate->repeats)
        sb_sentence_add(s, "runs of %ss came up again", gate->chained ? "step" : "deck");
    else if (sb_gate_repeats_rejected(gate))
        sb_sentence_add(s, "%s whole deck%s came up again%s, of those that are compared",
                        sb_number_grouped(gate->repeats).text, gate->repeats == 1 ? "" : "s",
                        alarm->since ? " since the watch began" : "");
    sb_sentence_add(s, ". ");
    watch_say(s, run, "once");
}

/* Whether only outliers raise an alarm so soon after the beginning, or after the last alarm, that more permutations may
 * say more. */
static bool alarm_waits(const struct sb_watch_run *run, const struct sb_alarm *alarm)
{
    const uint64_t passed = run->watch->total - run->watch->alarm_total;

    return passed < SB_GATE_OUTLIER_WAIT && sb_gate_shows_only_outliers(&alarm->gate);
}

static enum sb_status alarm_raise(struct sb_watch_run *run)
{
    struct sb_watch *const watch = run->watch;
    struct sb_tally *const tally = calloc(run->tallies.count + 1, sizeof *tally);
    struct sb_sentence sentence = { .used = 0 };
    struct sb_alarm alarm = {
        .watch = watch,
        .number = watch->alarms + 1,
        .since = run->options->window ? run->detector.start : 0,
        .time = (double)time(NULL),
    };
    enum sb_status status = tally ? SB_OK : SB_NO_MEMORY;
    int failed = 0;

    if (status == SB_OK) {
        for (size_t i = 0; i < run->tallies.count; i++) { /* those of the permutations that raised the alarm */
            tally[i] =
                run->options->window ? sb_detector_since(&run->detector, run->tallies.tally, i) : run->tallies.tally[i];
            if (run->options->window && run->tallies.weigher &&
                tally[i].ln_e) /* its words are those of the whole run */
                tally[i].context = "they had another law";
        }
        status = alarm_judge(run, tally, &alarm);
    }
    if (status == SB_OK && alarm_waits(run, &alarm)) {
        sb_gate_close(&alarm.gate);
        free(tally);
        return SB_OK;
    }
    if (status == SB_OK) {
        alarm.ln_sum = run->options->window ? run->detector.ln_sum : alarm.ln_e;
        alarm_say(&sentence, run, &alarm);
        alarm.sentence = sentence.text;
        status = sentence.lost ? SB_NO_MEMORY : SB_OK;
    }
    if (status == SB_OK) {
        watch->alarms++;
        watch->alarm_total = watch->total;
        if (run->options->alarmed)
            failed = run->options->alarmed(run->options->alarmed_state, &alarm);
        /* saves at once, so that a restarted watch knows of the alarm */
        run->checkpoint.due = run->metrics.due = 0;
    }
    sb_gate_close(&watch->alarm);
    watch->alarm = alarm.gate;
    watch->alarm.sentence = sb_sentence_take(&sentence);
    free(tally);
    if (failed)
        return sb_error_set(run->error, SB_STOPPED,
                            "%.120s: the callback alarmed() returned %d, which says that it failed: return 0 "
                            "to continue after an alarm",
                            watch->gate.name, failed);
    return status ? sb_error_memory(run->error, "an alarm") : SB_OK;
}

enum sb_status sb_watch_raise(struct sb_watch_run *run)
{
    const enum sb_status status = sb_feed_check_order(run->feed, run->error);

    if (status && run->watch->total < SB_SORTED_LINES_LEAST)
        return SB_OK; /* later lines may show that these are not sorted */
    run->sorted = status != SB_OK;
    return status ? status : alarm_raise(run);
}

enum sb_status sb_watch_conclude(struct sb_watch_run *run)
{
    struct sb_sentence s = { .used = 0 };

    watch_say(&s, run, "state");
    run->watch->sentence = sb_sentence_take(&s);
    return run->watch->sentence ? SB_OK : sb_error_memory(run->error, "a watch");
}

/* The result of a watch, and an alarm: each as a sentence for people and as a JSON object for programs
 * (data/schema/watch-1.json, data/schema/alarm-1.json). The names and types of the fields stay the same in later
 * versions. An infinite number is null. RFC 8259. */

#define W(field) SB_MEMBER(struct sb_watch, field)
#define A(field) SB_MEMBER(struct sb_alarm, field)
#define WG(field, name) SB_MEMBER_OF(struct sb_watch, gate.field, name)
#define AG(field) SB_MEMBER_OF(struct sb_alarm, gate.field, #field)

static const struct sb_member watch_rule[] = {
    WG(terms.alpha, "alpha"), WG(terms.delta, "delta"), W(window), W(total), { .name = NULL },
};
static const struct sb_member watch_members[] = {
    W(carried),       W(alarms), W(sentence),          W(interrupted),         W(last),
    WG(ln_e, "ln_e"), W(ln_sum), WG(tv_low, "tv_low"), WG(tv_high, "tv_high"), WG(whole, "whole"),
    { .name = NULL },
};
static const struct sb_member watch_repeats[] = {
    SB_MEMBER_OF(struct sb_watch, compared, "one_of"),
    WG(repeats, "repeats"),
    { .name = NULL },
};

static const struct sb_member alarm_members[] = {
    A(time), A(sentence), A(since), A(ln_e), A(ln_sum), AG(tv_low), AG(tv_high), { .name = NULL },
};

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

static void watch_json_head(struct sb_json *json, const struct sb_watch *watch)
{
    sb_gate_subject_json(json, &watch->gate);
    sb_json_members(json, watch_rule, watch);
}

static void watch_json(const void *result, struct sb_json *json)
{
    const struct sb_watch *const watch = result;
    const struct sb_gate *const gate = &watch->gate;

    watch_json_head(json, watch);
    sb_json_members(json, watch_members, watch);
    sb_json_record(json, "repeats", watch_repeats, watch->compared ? watch : NULL);
    sb_gate_left_out_json(json, gate);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        watch_json_line(json, &gate->line[i]);
    sb_json_close(json);
}

static void alarm_json(const void *result, struct sb_json *json)
{
    const struct sb_alarm *const alarm = result;
    const struct sb_gate *const gate = &alarm->gate;

    watch_json_head(json, alarm->watch);
    sb_json_integer(json, "alarm", alarm->number);
    sb_json_members(json, alarm_members, alarm);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        if (gate->line[i].rejected)
            watch_json_line(json, &gate->line[i]);
    sb_json_close(json);
    sb_json_array(json, "cells", false);
    for (size_t i = 0; i < gate->cells_count; i++)
        sb_json_record(json, NULL, sb_gate_cell_members, &gate->cell[i]);
    sb_json_close(json);
    sb_odd_json(json, &gate->outlier);
}

static void watch_page(const void *result, struct sb_page *page)
{
    const struct sb_watch *const watch = result;

    if (page->html || watch->gate.title)
        sb_page_title(page, 1, "Watch: %s, n = %zu", sb_gate_title(&watch->gate), watch->gate.n);
    if (watch->gate.fair)
        sb_page_paragraph(page, SB_INK_STRONG, "Fair means:", "%s.", watch->gate.fair);
    sb_page_paragraph(page, watch->alarms ? SB_INK_BAD : SB_INK_GOOD, watch->alarms ? "ALARM:" : "No alarm:", "%s",
                      watch->sentence);
    sb_gate_left_out(&watch->gate, page);
}

static void watch_html(const void *result, struct sb_html *html)
{
    const struct sb_watch *const watch = result;

    sb_html_open("shufflebias watch", NULL, html->stream, html);
    watch_page(watch, &html->page);
    if (watch->alarm.lines_count) {
        sb_page_title(&html->page, 2, "The last alarm");
        sb_page_paragraph(&html->page, SB_INK_PLAIN, NULL, "%s", watch->alarm.sentence);
        sb_gate_figures(&watch->alarm, html);
        sb_gate_detail(&watch->alarm, &html->page);
    }
    sb_page_title(&html->page, 2, "How to go on");
    sb_page_paragraph(&html->page, SB_INK_PLAIN, NULL, "%s", sb_template_part("watch", "resume"));
    sb_html_command(watch->command, html->stream);
    sb_html_close(html);
}

const struct sb_result_type sb_watch_result = {
    .what = "what was watched",
    .of = "a watch",
    .schema = "shufflebias.watch/1",
    .page = watch_page,
    .html = watch_html,
    .title = "shufflebias watch",
    .json = watch_json,
};

const struct sb_result_type sb_alarm_result = {
    .what = "the alarm",
    .of = "an alarm",
    .schema = "shufflebias.alarm/1",
    .json = alarm_json,
};
