/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the shuffle that permutations look like, as text and as JSON. */
#include "study/catalogue/look.h"

#include <ctype.h>

static void always_add(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained, bool ask)
{
    static const char *const parts[] = {
        [SB_ALWAYS_ORIGINAL] = "original",
        [SB_ALWAYS_REVERSED] = "reversed",
        [SB_ALWAYS_SAME] = "same",
    };

    if (looks_like->always)
        sb_sentence_fill(s, "looks-like", chained ? "same_step" : parts[looks_like->always],
                         json_pack("{s:s, s:b}", "order", looks_like->order, "ask", ask));
}

void sb_sentence_always(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained)
{
    always_add(s, looks_like, chained, false);
}

void sb_sentence_always_ask(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained)
{
    always_add(s, looks_like, chained, true);
}

void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like)
{
    const char *same = ""; /* another plain shuffle of the same law; of equal positions, the law may differ */
    json_t *const others = json_array();

    for (size_t i = looks_like->equivalents; i-- > 0 && !looks_like->by_positions;)
        same = strchr(looks_like->equivalent[i], ',') ? same : looks_like->equivalent[i];
    for (size_t i = 0; i < looks_like->others; i++)
        json_array_append_new(others, json_string(looks_like->other[i]));
    if (looks_like->asked)
        sb_sentence_fill(s, "looks-like", "looks_like",
                         json_pack("{s:s?, s:s?, s:s?, s:s, s:b, s:b, s:b, s:O}", "scheme", looks_like->scheme, "form",
                                   looks_like->form, "title", looks_like->title, "same", same, "forms",
                                   looks_like->forms, "sure", looks_like->sure, "few", looks_like->few, "others",
                                   others));
    json_decref(others);
}

void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page)
{
    if (!looks_like->sure || !looks_like->cause)
        return;
    for (size_t i = 0; i < looks_like->equivalents; i++)
        sb_page_paragraph(page, SB_INK_STRONG, i ? "or" : "The same law has:", "%s", looks_like->equivalent[i]);
    sb_page_paragraph(page, SB_INK_STRONG, "Cause:", "%s", looks_like->cause);
    sb_page_paragraph(page, SB_INK_STRONG, "Fix:", "this is fair:");
    sb_page_code_begin(page);
    sb_page_code(page, looks_like->fix);
    sb_page_code_end(page);
}

void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like)
{
    sb_json_string(json, "always", looks_like->order);
    if (!looks_like->scheme) {
        sb_json_null(json, "looks_like");
        return;
    }
    sb_json_object(json, "looks_like");
    sb_json_string(json, "scheme", looks_like->scheme);
    sb_json_string(json, "form", looks_like->form);
    sb_json_strings(json, "equivalent", (const char *const *)looks_like->equivalent, looks_like->equivalents);
    sb_json_strings(json, "others", (const char *const *)looks_like->other, looks_like->others);
    sb_json_bool(json, "sure", looks_like->sure);
    sb_json_string(json, "by", looks_like->by_positions ? "positions" : "law");
    sb_json_close(json);
}

/* Recognises results that are all the same, by the counts of items by position: at each position, one item has come up
 * each time. */

enum {
    ALWAYS_ITEMS = 16, /* up to this many items, all are written */
    ALWAYS_FIRST = 8,  /* of more items, this many and the last are written */
};

/* Counts of items, or of kinds of equal items, by position. */
struct always_table {
    const uint64_t *count;
    size_t rows, columns, row_step, column_step;
    uint64_t total;
    const struct sb_multiset *multiset; /* if the rows are kinds; else NULL */
};

static size_t always_row(const struct always_table *table, size_t column)
{
    size_t row = 0;

    while (row < table->rows && table->count[row * table->row_step + column * table->column_step] != table->total)
        row++;
    return row;
}

static size_t always_original(const struct always_table *table, size_t position)
{
    return table->multiset ? table->multiset->kind[position] : position;
}

static enum sb_always always_kind(const struct always_table *table, size_t n)
{
    bool original = true, reversed = true;

    for (size_t j = 0; j < table->columns; j++) {
        const size_t row = always_row(table, j);

        if (row == table->rows)
            return SB_ALWAYS_NOT;
        original = original && row == always_original(table, j);
        reversed = reversed && row == always_original(table, n - 1 - j);
    }
    return original           ? SB_ALWAYS_ORIGINAL
           : reversed         ? SB_ALWAYS_REVERSED
           : table->total > 1 ? SB_ALWAYS_SAME
                              : SB_ALWAYS_NOT;
}

static enum sb_status always_write(const struct always_table *table, const struct sb_item_names *names,
                                   struct sb_looks_like *looks_like)
{
    const struct sb_multiset *const multiset = table->multiset;
    const char *const between = names && names->separator ? " | " : " ";
    struct sb_sentence s = { 0 };
    char text[SB_ITEM_ROOM];

    for (size_t j = 0; j < table->columns; j++) {
        const size_t row = always_row(table, j);
        const size_t item = multiset ? multiset->member[multiset->begin[row]] : row;

        if (table->columns <= ALWAYS_ITEMS || j < ALWAYS_FIRST || j + 1 == table->columns)
            sb_sentence_add(&s, "%s%s", j ? between : "", sb_item_name(names, item, text));
        else if (j == ALWAYS_FIRST)
            sb_sentence_add(&s, " ...");
    }
    looks_like->order = sb_sentence_take(&s);
    return looks_like->order ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status always_look(const struct always_table *table, size_t n, const struct sb_item_names *names,
                                  struct sb_looks_like *looks_like)
{
    looks_like->always = table->total && table->rows > 1 ? always_kind(table, n) : SB_ALWAYS_NOT;
    return looks_like->always ? always_write(table, names, looks_like) : SB_OK;
}

enum sb_status sb_always_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_looks_like *looks_like)
{
    for (size_t i = 0; i < count; i++) {
        const bool item = strcmp(tally[i].statistic, "position") == 0;
        const bool kind = strcmp(tally[i].statistic, "card-at") == 0;
        const struct always_table table = {
            .count = tally[i].count,
            .rows = item ? tally[i].members : tally[i].cells,
            .columns = deal,
            .row_step = item ? tally[i].cells : 1,
            .column_step = item ? 1 : tally[i].cells,
            .total = tally[i].total,
            .multiset = kind ? sb_item_multiset(names) : NULL,
        };

        /* in decks with equal items, `position` tells them apart at random */
        if (tally[i].lag == 0 && !tally[i].first && (kind || (item && !sb_item_multiset(names))))
            return always_look(&table, n, names, looks_like);
    }
    return SB_OK;
}

static enum sb_status always_counted(const struct sb_evidence *evidence, struct sb_looks_like *looks_like)
{
    const struct always_table table = {
        .count = evidence->matrix.u64,
        .rows = sb_evidence_rows(evidence),
        .columns = evidence->deal,
        .row_step = evidence->deal,
        .column_step = 1,
        .total = evidence->total,
        .multiset = sb_item_multiset(evidence->names),
    };

    if (evidence->by != SB_BY_SAMPLE || evidence->matrix.form != SB_NUMBERS_U64)
        return SB_OK;
    return always_look(&table, evidence->n, evidence->names, looks_like);
}

/* Finds the shuffle for a report on permutations from outside the program, by the tests of single deals alone: those
 * of repeated decks, steps and bets say nothing about the shuffle of a single deck. */

static const double report_ln_p = -13.815510557964274; /* ln 1e-6 */

static bool report_is_sure(const struct sb_report *report)
{
    double least = INFINITY, tests = 0;

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!sb_finding_reliable(finding))
            continue;
        tests++;
        if (!finding->increments && !finding->lag && !finding->context && !finding->outliers &&
            !sb_statistics_repeats(finding->statistic))
            least = fmin(least, finding->ln_p);
    }
    return tests > 0 && least + log(tests) < report_ln_p;
}

static enum sb_status report_say(struct sb_report *report)
{
    struct sb_sentence sentence = { 0 };

    if (report->looks_like.always) {
        sb_sentence_always(&sentence, &report->looks_like, false);
        if (sentence.used)
            sentence.text[0] = (char)toupper((unsigned char)sentence.text[0]);
        sb_sentence_add(&sentence, ". ");
        sb_sentence_always_ask(&sentence, &report->looks_like, false);
        sb_sentence_add(&sentence, "%s", report->sentence);
    } else {
        sb_sentence_add(&sentence, "%s ", report->sentence);
        sb_sentence_looks_like(&sentence, &report->looks_like);
        if (sentence.used)
            sentence.text[--sentence.used] = '\0'; /* removes the space at the end */
    }
    char *const text = sb_sentence_take(&sentence);

    if (!text)
        return SB_NO_MEMORY;
    free(report->sentence);
    report->sentence = text;
    return SB_OK;
}

enum sb_status sb_report_look_like(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_look_seen seen = {
        .evidence = &report->evidence,
        .observer = statistics ? statistics->tallies.observer : NULL,
        .tally = statistics && statistics->tallies.observer ? statistics->tallies.tally : NULL,
        .tallies = statistics && statistics->tallies.observer ? statistics->tallies.statistics : 0,
    };
    struct sb_error error;
    enum sb_status status = SB_OK;

    if (report->evidence.by == SB_BY_SAMPLE && strcmp(report->verdict, "biased") == 0)
        status = always_counted(&report->evidence, &report->looks_like);
    if (status == SB_OK && !report->looks_like.always) {
        if (report->evidence.by != SB_BY_SAMPLE || sb_item_multiset(report->names) || sb_report_dependence(report) ||
            !report_is_sure(report))
            return SB_OK;
        status =
            sb_catalogue_look(&seen, statistics ? statistics->catalogue : NULL, 0, true, &error, &report->looks_like);
        if (!report->looks_like.asked)
            return status;
    }
    return status ? status : report_say(report);
}
