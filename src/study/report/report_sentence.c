/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict in words: the exact values of an exact law; of a sample, only what the intervals allow. For a cell of the
 * matrix, that is the end of the interval nearer to the fair share ("at least 12% too often"); likewise for deals,
 * unless all are listed. */
#include "core/text.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"
#include "study/run/run.h"

/* A probability beside its fair share: the excess is accurate near 0, and the ratio is accurate if it is small. */
struct sentence_size {
    double excess, ratio;
};

static struct sentence_size sentence_excess(double excess)
{
    return (struct sentence_size) { excess, 1 + excess };
}

static const struct sb_row *sentence_most(const struct sb_report *report)
{
    const struct sb_row *most = &report->rows[0];

    for (size_t i = 1; i < report->rows_count; i++)
        most = report->rows[i].ratio > most->ratio ? &report->rows[i] : most;
    return most;
}

/* A cell of the matrix, and its excess over the fair share; for a sample, that of the end of the cell's interval that
 * is nearer to the fair share. */
struct sentence_place {
    size_t cell;
    double excess;
};

static void sentence_percent(double excess, bool down, char text[32])
{
    const double percent = 100 * fabs(excess);
    const double up = down ? 0 : 0.5; /* the share of a last digit that is rounded up */

    if (percent >= 0.1 - 0.001 * up) {
        const int decimals = percent >= 10 - 0.1 * up ? 0 : percent >= 1 - 0.01 * up ? 1 : 2;
        const struct sb_number number =
            down ? sb_number_fixed_down(percent, decimals) : sb_number_fixed(percent, decimals);

        snprintf(text, 32, "%.30s%%", number.text);
    } else if (down) {
        snprintf(text, 32, "%.30s%%", sb_number_short_down(percent, 2).text);
    } else if (percent >= 1e-4) {
        sb_decimal_format(text, 32, "%.2g%%", percent);
    } else {
        snprintf(text, 32, "%.30s%%", sb_number_short(percent, 2).text);
    }
}

static void sentence_times(double times, bool down, char text[32])
{
    const double unit = pow(10, floor(log10(times)) - 2); /* of the last digit that is written */

    sb_sentence_number(down ? floor(times / unit + 1e-6) * unit : times, text);
}

/* Adds an amount, rounded down after "at least": " 11% too often", " 11% to 50% too rarely", " 2.25 times as often as
 * they should". `near` and `far` are nearest to the fair share and farthest from it, on the same side. */
static void sentence_amount(struct sb_sentence *s, struct sentence_size near, struct sentence_size far, size_t total,
                            bool down)
{
    const bool often = far.excess > 0;
    const bool times = far.excess >= 1 || (far.excess < -0.9 && near.ratio > 0 && far.ratio > 0);
    char from[32], to[32];

    if (times) {
        sentence_times(often ? near.ratio : 1 / near.ratio, down, from);
        sentence_times(often ? far.ratio : 1 / far.ratio, down, to);
    } else {
        sentence_percent(near.excess, down, from);
        sentence_percent(far.excess, down, to);
    }
    sb_sentence_add(s, " %s", from);
    if (strcmp(from, to) != 0)
        sb_sentence_add(s, " to %s", to);
    if (times)
        sb_sentence_add(s, often ? " times as often as %s should" : " times as rarely as %s should",
                        total == 1 ? "it" : "they");
    else
        sb_sentence_add(s, " too %s", often ? "often" : "rarely");
}

/* Says that permutations depend on each other. What single orders and places show needs independent permutations. */
static void sentence_dependent(struct sb_sentence *s, const struct sb_report *report, const struct sb_finding *finding)
{
    const double ln_p = fmin(0, finding->ln_p + log((double)report->tests));
    char corrected[64];

    snprintf(corrected, sizeof corrected, " (corrected p = %.40s)", sb_number_p(exp(ln_p), ln_p).text);
    if (report->same) {
        sb_sentence_neighbours(s, report->same, report->compared, report->each);
        sb_sentence_add(s, "%s. ", corrected);
        sb_sentence_neighbours_ask(s, report->each);
    } else {
        sb_sentence_add(s, "each %s depends on the one ", report->each);
        if (finding->lag > 1)
            sb_sentence_add(s, "%zu ", finding->lag);
        sb_sentence_add(s, "before%s. ", corrected);
    }
    sb_sentence_add(s, "Counts of single orders and places need independent %ss, and are not judged", report->each);
}

/* What a sample shows about single deals, or about the places of single items. The sentence states only what the
 * intervals allow, which hold together for all deals, or for all places. Cost: a pass over the counts, and an interval
 * for each end of a row. */

/* The deals of rows[count] for which the interval lies entirely on one side of the fair share. */
struct sentence_side {
    size_t rank[SB_SENTENCE_NAMES], total;
    double near, far;            /* the excess with the smallest and the excess with the largest absolute value */
    const struct sb_row *surest; /* the deal whose interval is farthest from the fair share */
};

static struct sentence_side sentence_collect(const struct sb_row rows[], size_t count, double cells, bool over)
{
    struct sentence_side side = { .total = 0 };
    double surest = 0;

    for (const struct sb_row *row = rows; row < rows + count; row++) {
        const double excess = row->ratio - 1, sure = over ? row->low * cells - 1 : 1 - row->high * cells;

        if (!(sure > 0))
            continue;
        if (side.total == 0 || fabs(excess) < fabs(side.near))
            side.near = excess;
        if (side.total == 0 || fabs(excess) > fabs(side.far))
            side.far = excess;
        if (sure > surest) {
            surest = sure;
            side.surest = row;
        }
        if (side.total < SB_SENTENCE_NAMES)
            side.rank[side.total] = row->rank;
        side.total++;
    }
    return side;
}

/* Adds the deals of one side of the fair share. If rows[count] are only the most and the least frequent deals, names
 * the surest one. Returns whether there are any. */
static bool sentence_side(struct sb_sentence *s, const struct sb_evidence *e, const struct sb_row rows[], size_t count,
                          bool over)
{
    struct sentence_side side = sentence_collect(rows, count, (double)e->cells, over);
    const bool part = count < e->cells;

    if (!side.surest)
        return false;
    sb_sentence_add(s, s->used && !over ? "; " : "");
    if (part) {
        side.rank[0] = side.surest->rank;
        side.total = 1;
        side.near = side.far = (over ? side.surest->low : side.surest->high) * (double)e->cells - 1;
    }
    sb_sentence_deals(s, e, side.rank, side.total, side.total);
    if (side.near <= -1 || (part && !over && side.surest->ratio == 0)) {
        sb_sentence_add(s, " did not come up");
        return true;
    }
    sb_sentence_add(s, side.total == 1 ? " comes up%s" : " come up%s", part ? " at least" : "");
    sentence_amount(s, sentence_excess(side.near), sentence_excess(side.far), side.total, part);
    return true;
}

static bool sentence_sampled_deals(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    size_t count = report->rows_count;
    struct sb_row *own = NULL;

    /* beside an exact law, the table has the law's most and least likely deals, and not the sample's */
    if (count < e->cells && sb_rows_of(e, e, report->alpha, &own, &count)) {
        s->lost = true;
        return false;
    }
    const bool over = sentence_side(s, e, own ? own : report->rows, count, true);
    const bool under = sentence_side(s, e, own ? own : report->rows, count, false);

    free(own);
    return over || under;
}

/* In a row, only the largest and the smallest count can be farthest. */
static bool sentence_sampled_place(const struct sb_report *report, struct sentence_place *place)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    const size_t rows = groups ? groups->groups : sb_evidence_rows(e); /* what is not dealt follows from what is */
    const double level = report->alpha / (double)(rows * e->deal);
    double farthest = 0;

    for (size_t row = 0; row < rows; row++) {
        const uint64_t *const count = e->matrix.u64 + row * e->deal;
        size_t end[2] = { 0, 0 };

        for (size_t j = 1; j < e->deal; j++) {
            end[0] = count[j] < count[end[0]] ? j : end[0];
            end[1] = count[j] > count[end[1]] ? j : end[1];
        }
        for (int i = 0; i < 2; i++) { /* of equally far cells, the first */
            const int side = i ^ (end[1] < end[0]);
            const double share = sb_evidence_matrix_share(e, row, end[side]);
            const double off = (side ? 1 : -1) * (share - sb_evidence_fair(e, row));
            double low, high;

            if (off <= farthest)
                continue;
            sb_binomial_interval(count[end[side]], e->total, level, &low, &high);
            const double excess = sb_evidence_ratio(e, row, side ? low : high) - 1;

            if (side ? excess <= 0 : excess >= 0)
                continue;
            farthest = off;
            *place = (struct sentence_place) { row * e->deal + end[side], excess };
        }
    }
    return farthest > 0;
}

static void sentence_law(struct sb_sentence *s, double excess, double ratio, size_t total)
{
    const char *const up = total == 1 ? "comes up" : "come up";
    const struct sentence_size size = { excess, ratio };

    if (ratio <= 0) {
        sb_sentence_add(s, " never %s", up);
    } else if (!isfinite(excess)) { /* the excess is beyond the range of double */
        sb_sentence_add(s, " %s far too often", up);
    } else {
        sb_sentence_add(s, " %s", up);
        sentence_amount(s, size, size, total, false);
    }
}

/* Adds what is certain if part of the law is not resolved: one deal already has more than the fair share. */
static void sentence_partial(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sentence_size least = sentence_excess(report->effect.max_excess);

    sb_sentence_deals(s, &report->evidence, &sentence_most(report)->rank, 1, 1);
    sb_sentence_add(s, " comes up at least");
    sentence_amount(s, least, least, 1, true);
    sb_sentence_add(s, ", whatever the rest of the probability does");
}

static void sentence_extremes(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_effect *const e = &report->effect;

    for (int least = 0; least < 2; least++) {
        const size_t total = least ? e->least_total : e->most_total;

        sb_sentence_add(s, least ? "; " : "");
        if (report->evidence.cells == 0 || e->most_deal) /* a law in closed form, which lists no deals */
            sb_sentence_add(s, "the %s likely %s%s", least ? "least" : "most",
                            report->evidence.deal < report->evidence.n ? "deal" : "order", total == 1 ? "" : "s");
        else
            sb_sentence_deals(s, &report->evidence, least ? e->least : e->most, least ? e->least_count : e->most_count,
                              total);
        sentence_law(s, least ? e->min_excess : e->max_excess, least ? e->min_ratio : e->max_ratio, total);
    }
}

/* Adds how often the most frequent deal came up, if that is what a test of a few shuffles found. Returns false if it is
 * not. */
static bool sentence_frequent(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    const struct sb_row *const most = sentence_most(report);

    if (!worst || strcmp(worst->statistic, "rank") != 0 || strcmp(worst->test, "exact") != 0 || worst->increments)
        return false;
    if (most->share * (double)report->evidence.total + 0.5 < worst->value)
        return false;
    sb_sentence_deals(s, &report->evidence, &most->rank, 1, 1);
    sb_sentence_add(s, " came up %s times in %s", sb_number_fixed(worst->value, 0).text,
                    sb_number_grouped(report->evidence.total).text);
    return true;
}

/* Adds how an item comes to a place of the matrix, as in "item 3 lands at least 5% too often at position 7", or to a
 * group: "item 7 is drawn at least 5% too often". `verb` is that of the item that lands at a position. */
static void sentence_place(struct sb_sentence *s, const struct sb_evidence *e, size_t cell, const char *verb,
                           struct sentence_size size)
{
    const size_t row = cell / e->deal, position = cell % e->deal;
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    const bool amount = size.excess != 0;
    char item[SB_ITEM_ROOM];

    sb_sentence_add(
        s, "%s",
        sb_item_words(groups ? e->names->places : e->names, groups ? position : sb_evidence_item(e, row), item));
    if (groups)
        sb_sentence_add(s, " is%s %s%s",
                        strstr(verb, "always")  ? " always"
                        : strstr(verb, "never") ? " never"
                                                : "",
                        groups->groups > 1 && row < groups->groups ? "in " : "",
                        sb_item_name(e->names, sb_evidence_item(e, row), item));
    else
        sb_sentence_add(s, "%s", verb);
    if (amount && e->by == SB_BY_SAMPLE)
        sb_sentence_add(s, " at least");
    if (amount)
        sentence_amount(s, size, size, 1, e->by == SB_BY_SAMPLE);
    if (!groups)
        sb_sentence_add(s, " at position %zu", position + 1);
}

static void sentence_matrix(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    struct sentence_place place = { .cell = 0 };

    if (e->by != SB_BY_SAMPLE) {
        place.excess = sb_evidence_excess(e, &place.cell);
    } else if (!sentence_sampled_place(report, &place)) {
        sb_sentence_say(s, report, NULL, "statistic");
        return;
    }
    const double excess = place.excess;

    if (e->by == SB_BY_SAMPLE && e->matrix.u64[place.cell] == e->total)
        sentence_place(s, e, place.cell, " is always", sentence_excess(0));
    else if (excess <= -1)
        sentence_place(s, e, place.cell, " never lands", sentence_excess(0));
    else if (fabs(excess) >= SB_RATIO_FAINT)
        sentence_place(s, e, place.cell, sb_item_multiset(e->names) ? " comes" : " lands", sentence_excess(excess));
    else {
        sentence_place(s, e, place.cell, " lands as often as it should, up to one part in 10^12,", sentence_excess(0));
        sb_sentence_add(s, ", which no sample of a feasible size would tell from fair");
    }
}

/* Adds how many orders had come up before, if a test of few shuffles finds that they are too many. Returns false if it
 * does not. */
static bool sentence_again(struct sb_sentence *s, const struct sb_report *report, const char *before, const char *after)
{
    const struct sb_evidence *const e = &report->evidence;

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (strcmp(finding->test, sb_test_birthday.name) != 0 || sb_statistics_repeats(finding->statistic) ||
            !(finding->ln_p + log((double)report->tests) < log(report->alpha)))
            continue;
        sb_sentence_add(s, "%s%s of %s %ss had come up before, where %s are expected%s", before,
                        sb_number_fixed(finding->value, 0).text, sb_number_grouped(e->total).text,
                        sb_evidence_called(e, "order"),
                        sb_number_short(sb_birthday_expected(e->total, -log((double)e->cells)), 2).text, after);
        return true;
    }
    return false;
}

/* Of a sample that is counted by rank. */
static void sentence_sampled(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    struct sentence_place place;

    if (sentence_sampled_deals(s, report)) {
        sentence_again(s, report, "; ", "");
        return;
    }
    if (sentence_frequent(s, report))
        return;
    if (worst && strcmp(worst->test, sb_test_birthday.name) != 0 && !worst->increments && !worst->lag &&
        !worst->context && sentence_sampled_place(report, &place))
        sentence_matrix(s, report);
    else if (!sentence_again(s, report, "", ", as with a short seed or the same run twice"))
        sb_sentence_say(s, report, NULL, "statistic");
}

static void sentence_expected(double expected, char text[32])
{
    const bool few = expected < 10 && fabs(expected - round(expected)) > 1e-6;

    snprintf(text, 32, "%.30s",
             (few ? sb_number_short(expected, 2) : sb_number_grouped((uint64_t)round(expected))).text);
}

/* Adds the cells of a table of counts that stand out, the surest first: "item 1 came up 12 times instead of 2". Returns
 * whether there are any. */
static bool sentence_cells(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_counted *const counted = report->counted;
    enum { SHOWN = 2 };
    const struct sb_counted_cell *shown[SHOWN] = { NULL };
    size_t beyond = 0;

    for (const struct sb_counted_cell *cell = counted->cell; cell < counted->cell + counted->count; cell++) {
        if (!(cell->ln_p < log(report->alpha)))
            continue;
        beyond++;
        for (size_t k = 0; k < SHOWN; k++)
            if (!shown[k] || cell->ln_p < shown[k]->ln_p) {
                memmove(shown + k + 1, shown + k, (SHOWN - k - 1) * sizeof *shown);
                shown[k] = cell;
                break;
            }
    }
    for (size_t k = 0; k < SHOWN && shown[k]; k++) {
        char expected[32];

        sentence_expected(shown[k]->fair * (double)report->evidence.total, expected);
        sb_sentence_add(s, "%s%s%s%s %s%s%s instead of %s", k ? ", " : "", counted->before ? counted->before : "",
                        counted->before ? " " : "", shown[k]->label, k ? "" : "came up ",
                        sb_number_grouped(shown[k]->count).text,
                        k                      ? ""
                        : shown[k]->count == 1 ? " time"
                                               : " times",
                        expected);
    }
    if (beyond > SHOWN)
        sb_sentence_add(s, ", and %s more stand out", sb_number_grouped(beyond - SHOWN).text);
    return beyond;
}

/* Adds which counts of a kind stand out: "hands with 2 lands came up 780 times instead of 678". Returns whether any do,
 * and no place of an item shows more. */
static bool sentence_kinds(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    const bool kinds = worst && sb_kind_count_kind(worst->statistic) < SB_KIND_COUNTS;

    return report->counted && (kinds || !sb_item_groups(report->evidence.names)) && sentence_cells(s, report);
}

static void sentence_biased(struct sb_sentence *s, const struct sb_report *report)
{
    const bool sampled = report->evidence.by == SB_BY_SAMPLE;
    const struct sb_finding *const dependence = sampled ? sb_report_dependence(report) : NULL;

    if (dependence) {
        sentence_dependent(s, report, dependence);
        return;
    }
    const struct sb_finding *const worst = sampled ? sb_report_worst(report) : NULL;

    if (worst && worst->outliers)
        sb_sentence_odd(s, &report->odd[strcmp(worst->statistic, sb_outliers_steps) == 0]);
    else if (worst && sb_statistics_repeats(worst->statistic))
        sb_sentence_say(s, report, worst, "statistic");
    else if (sampled && sentence_kinds(s, report))
        ;
    else if (sampled && report->evidence.cells == 0 && report->evidence.matrix.form == SB_NUMBERS_NONE)
        sb_sentence_say(s, report, NULL, "statistic");
    else if (report->evidence.cells == 0 && !report->has_effect)
        sentence_matrix(s, report);
    else if (sb_evidence_partial(&report->evidence))
        sentence_partial(s, report);
    else if (sampled)
        sentence_sampled(s, report);
    else
        sentence_extremes(s, report);
    if (sampled) {
        sb_sentence_add(s, " ");
        sb_sentence_say(s, report, NULL, "biased_sample");
    } else if (report->has_effect && sb_effect_invisible(&report->effect))
        sb_sentence_add(s, "; no sample of a feasible size would show it: that takes about %s shuffles",
                        sb_number_short(report->effect.shuffles_to_see, 2).text);
}

static void sentence_counted(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    const char *const of = report->counted->of;

    if (strcmp(report->verdict, "biased") != 0)
        sb_sentence_add(s, "%s %s%s do not tell the counts from fair ones",
                        sb_number_grouped(report->evidence.total).text, of, report->evidence.total == 1 ? "" : "s");
    else if (!sentence_cells(s, report) && report->counted->before && worst->average != worst->average_fair)
        sb_sentence_say(s, report, NULL, "statistic");
    else if (!s->used)
        sb_sentence_add(s, "the counts are not as they should be, though none stands out alone");
    sb_sentence_add(s, " ");
    sb_sentence_say(s, report, NULL, "biased_sample");
}

void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (report->counted && report->evidence.recorded) {
        sentence_counted(s, report);
        return;
    }
    if (strcmp(report->verdict, "biased") == 0)
        sentence_biased(s, report);
    else
        sb_sentence_say(s, report, NULL, "fair");
    if (strcmp(report->verdict, "no bias seen") == 0 && worst && worst->ln_p < log(report->alpha))
        sb_sentence_say(s, report, worst, "alone");
    if (report->replay.length && !report->same) {
        sb_sentence_add(s, "; ");
        sb_sentence_replay(s, &report->replay, report->each);
        sb_sentence_add(s, ", by chance with a probability below 1e-6");
    }
    if (report->evidence.inquiry && report->evidence.inquiry->cells)
        sb_sentence_add(s,
                        ". This assumes that the result depends only on which of %u equal cells a number in [0, 1) "
                        "lies in; three places of each cell were tested",
                        report->evidence.inquiry->cells);
}
