/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the law of a statistic under a fair shuffle. */
#include "report/page.h"
#include "study/results.h"

/* Returns the laws of decks with equal items; NULL: all items differ. */
static const struct sb_statistic_equal *null_law_equal(const struct sb_null_law *law)
{
    return law->multiset ? law->type->equal : NULL;
}

static bool null_law_labelled(const struct sb_null_law *law)
{
    return null_law_equal(law) ? null_law_equal(law)->label != NULL : law->type->label != NULL;
}

static char *null_law_label(const struct sb_null_law *law, size_t index, char text[SB_NOTATION_ROOM])
{
    const struct sb_statistic_equal *const equal = null_law_equal(law);

    if (equal && equal->label)
        equal->label(law->names, law->deal, law->cell[index], text);
    else if (!equal && law->type->label)
        law->type->label(law->names, law->n, law->deal, law->member, law->cell[index], text);
    else
        sb_window_label(&law->window, law->cell[index], law->cell[index], text);
    return text;
}

void sb_null_law_free(struct sb_null_law *law)
{
    if (!law)
        return;
    sb_fair_free(law->fair);
    sb_item_names_free(law->names);
    free(law->cell);
    free(law->ln_p);
    free(law);
}

/* Writes the law of a statistic as text, as CSV (RFC 4180) and as JSON (RFC 8259; data/schema/law-1.json). Impossible
 * cells are left out. If there are very many cells, the text shows only the middle of the law. */

enum {
    NULL_LAW_ROWS_MOST = 1000, /* the most rows of the table in the text */
    NULL_LAW_HALF = 24,        /* width of the longest bar, in columns */
    NULL_LAW_BARS_MOST = 40,   /* the most bars of the figure; a curve shows more numbers */
};

/* Returns the index of the first of the `rows` cells that the text shows. The likeliest cells are in the
 * middle of the law. */
static size_t null_law_first(const struct sb_null_law *law, size_t rows)
{
    size_t first = 0, last = law->count - 1;

    while (last - first >= rows) /* drops the less likely of the two end cells */
        if (law->ln_p[first] < law->ln_p[last])
            first++;
        else
            last--;
    return first;
}

static struct sb_number null_law_p(double ln_p)
{
    const double p = exp(ln_p);

    return p < DBL_MIN ? sb_number_full_p(p, ln_p) : sb_number_short(p, 12);
}

static void null_law_table(const struct sb_null_law *law, size_t rows, struct sb_page *page)
{
    const bool labelled = null_law_labelled(law), bars = rows <= NULL_LAW_BARS_MOST;
    const struct sb_picture picture = { bars ? "bars" : "curves",
                                        "The probability of each value if the shuffle is fair" };
    const size_t first = null_law_first(law, rows);
    double most = -HUGE_VAL;
    struct sb_table table;

    for (size_t i = first; i < first + rows; i++)
        most = fmax(most, law->ln_p[i]);
    sb_table_begin(&table, page->html ? "rr" : "rrl", "%s|probability%s", labelled ? "cell" : law->statistic,
                   page->html ? "" : "|");
    table.picture = bars || !labelled ? &picture : NULL;
    for (size_t i = first; i < first + rows; i++) {
        char left[SB_BAR_ROOM], right[SB_BAR_ROOM], label[SB_NOTATION_ROOM];

        sb_bar_draw(exp(law->ln_p[i] - most), 1, NULL_LAW_HALF, page->look.unicode, left, right);
        sb_table_add(&table, SB_INK_PLAIN, "%s", null_law_label(law, i, label));
        sb_table_add(&table, SB_INK_PLAIN, "%s", null_law_p(law->ln_p[i]).text);
        if (!page->html)
            sb_table_add(&table, SB_INK_FAINT, "%s", right);
    }
    sb_table_end(&table, page);
}

static void null_law_page(const void *result, struct sb_page *page)
{
    const struct sb_null_law *const law = result;
    const size_t rows = law->count < NULL_LAW_ROWS_MOST ? law->count : NULL_LAW_ROWS_MOST;

    sb_page_title(page, 1, "Law of %s, n = %zu", law->statistic, law->n);
    fputs(page->html ? "<div class=\"beside\">\n<section>\n" : "", page->stream);
    page->tight = true;
    sb_page_paragraph(page, SB_INK_STRONG, "Statistic:", "%s, when the shuffle is fair.", law->title);
    const struct sb_multiset *const groups = sb_item_groups(law->names);
    const size_t dealt = sb_items_dealt(law->names, law->deal);
    char member[2 * SB_ITEM_ROOM];

    if (law->fair)
        sb_page_paragraph(page, SB_INK_STRONG, "Fair means:", "%s.", law->fair->words);
    if (dealt < law->n)
        sb_page_paragraph(page, SB_INK_STRONG, "Dealt:", "%zu of these items.", dealt);
    if (law->members > 1 && groups)
        sb_page_paragraph(page, SB_INK_STRONG, "Member:", "%s, one of %zu.",
                          sb_groups_member(law->names, law->type->each, law->member, member), law->members);
    else if (law->members > 1 && !law->type->each && law->names)
        sb_page_paragraph(page, SB_INK_STRONG, "Item:", "%s, of %zu.", law->names->name[law->member], law->members);
    else if (law->members > 1)
        sb_page_paragraph(page, SB_INK_STRONG, law->type->each ? "Member:" : "Item:", "%zu of %zu.", law->member + 1,
                          law->members);
    sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", law->cite);
    sb_page_paragraph(page, SB_INK_STRONG, "Obtained:", "%s.", law->obtained);
    if (isfinite(law->mean))
        sb_page_paragraph(page, SB_INK_STRONG, "Mean:", "%.12g, variance %.12g.", law->mean, law->variance);
    page->tight = false;
    fputs(page->html ? "</section>\n<section>\n" : "", page->stream);
    null_law_table(law, rows, page);
    if (rows < law->count)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "%s of %s cells, the likeliest; CSV and JSON have all.",
                          sb_number_grouped(rows).text, sb_number_grouped(law->count).text);
    fputs(page->html ? "</section>\n</div>\n" : "", page->stream);
}

static void null_law_csv(const void *result, FILE *stream)
{
    const struct sb_null_law *const law = result;

    fputs("statistic,n,deal,member,cell,label,p,ln_p\n", stream);
    for (size_t i = 0; i < law->count; i++) {
        char label[SB_NOTATION_ROOM];

        fprintf(stream, "%s,%zu,%zu,%zu,%zu,", law->statistic, law->n, sb_items_dealt(law->names, law->deal),
                law->member + 1, law->cell[i]);
        sb_csv_text(null_law_label(law, i, label), stream);
        fprintf(stream, ",%s,%s\n", sb_number_full(exp(law->ln_p[i])).text, sb_number_full(law->ln_p[i]).text);
    }
}

#define L(field) SB_MEMBER(struct sb_null_law, field)

static const struct sb_member null_law_subject[] = { L(statistic), L(title), L(cite), L(n), { .name = NULL } };
static const struct sb_member null_law_found[] = { L(members), L(obtained), L(mean), L(variance), { .name = NULL } };

static void null_law_json(const void *result, struct sb_json *json)
{
    const struct sb_null_law *const law = result;
    char label[SB_NOTATION_ROOM];

    sb_json_members(json, null_law_subject, law);
    sb_json_integer(json, "deal", sb_items_dealt(law->names, law->deal));
    if (law->fair)
        sb_json_string(json, "fair", law->fair->words);
    sb_json_integer(json, "member", law->member + 1);
    sb_json_members(json, null_law_found, law);
    sb_json_array(json, "cells", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_integer(json, NULL, law->cell[i]);
    sb_json_close(json);
    sb_json_array(json, "labels", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_string(json, NULL, null_law_label(law, i, label));
    sb_json_close(json);
    sb_json_array(json, "p", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_real(json, NULL, exp(law->ln_p[i]));
    sb_json_close(json);
    sb_json_reals(json, "ln_p", law->ln_p, law->count);
}

const struct sb_result_type sb_null_law_result = {
    .what = "the law",
    .of = "a law",
    .schema = "shufflebias.law/1",
    .page = null_law_page,
    .title = "shufflebias law",
    .json = null_law_json,
    .csv = null_law_csv,
};

static enum sb_status null_law_check(const struct sb_null_law *one, struct sb_error *error)
{
    const struct sb_statistic_type *const type = one->type;
    const size_t members = one->members, cells = one->window.cells;

    if (one->multiset && type == &sb_statistic_position)
        return sb_error_set(error, SB_INVALID,
                            "position is of items that differ, not of equal cards or of sets: use card-at");
    if (one->n == 0 && (members == 0 || cells == 0))
        return sb_error_set(error, SB_TOO_LARGE, "%s says nothing of `n = 0` items: use n >= 1", type->name);
    if ((members == 0 || cells == 0) && one->deal == one->n)
        return sb_error_set(error, SB_TOO_LARGE, "the law of %s is not known at `n = %zu`: use %s", type->name, one->n,
                            type->range);
    if (members == 0 || cells == 0)
        return sb_error_set(error, SB_TOO_LARGE, "the law of %s is not known for deals of %zu out of %zu: use %s",
                            type->name, one->deal, one->n, type->range);
    if (one->member < members)
        return SB_OK;
    if (members == 1)
        return sb_error_set(error, SB_INVALID, "%s has one member: leave member %zu out", type->name, one->member + 1);
    return sb_error_set(error, SB_INVALID, "%s has no member %zu: use one of 1 to %zu", type->name, one->member + 1,
                        members);
}

/* Reads the intended law. */
static enum sb_status null_law_fair(const struct sb_request *options, struct sb_null_law *law, struct sb_error *error)
{
    const enum sb_status status = sb_fair_new(options->fair, options, law->n, law->deal, law->names, error, &law->fair);

    if (status)
        return status;
    if (!sb_fair_knows(law->fair, law->type))
        return sb_error_set(error, SB_TOO_LARGE, "the law of %s is not known of %s, n = %zu: use n <= %d",
                            law->type->name, law->fair->words, law->n, SB_FAIR_LISTED_MOST);
    law->obtained = law->fair->p ? "sum over all orders" : "closed form";
    return SB_OK;
}

/* Computes the mean and the variance of the statistic: from its formulas if an end cell holds several values, or else
 * from the values of the cells. */
static void null_law_moments(const struct sb_statistic_type *type, struct sb_null_law *law)
{
    struct sb_sum mean = { 0 }, variance = { 0 };

    if (type->moments && (law->window.below || law->window.above)) {
        type->moments(law->n, law->deal, &law->mean, &law->variance);
        return;
    }
    for (size_t i = 0; i < law->count; i++)
        sb_sum_add(&mean, exp(law->ln_p[i]) * (double)(law->window.low + law->cell[i]));
    law->mean = sb_sum_value(&mean);
    for (size_t i = 0; i < law->count; i++) {
        const double off = (double)(law->window.low + law->cell[i]) - law->mean;

        sb_sum_add(&variance, exp(law->ln_p[i]) * off * off);
    }
    law->variance = sb_sum_value(&variance);
}

static enum sb_status null_law_make(struct sb_null_law *law)
{
    const struct sb_statistic_type *const type = law->type;
    const size_t cells = law->window.cells;

    if (type->window && !null_law_equal(law))
        law->window = type->window(law->n, law->deal);
    law->cell = calloc(cells, sizeof *law->cell);
    law->ln_p = calloc(law->fair ? law->members * cells : cells, sizeof *law->ln_p);
    if (!law->cell || !law->ln_p ||
        (law->fair ? sb_fair_null_law(law->fair, type, law->multiset, law->ln_p)
                   : sb_statistic_null_law(type, law->multiset, law->n, law->deal, law->ln_p)))
        return SB_NO_MEMORY;
    if (law->fair)
        memmove(law->ln_p, law->ln_p + law->member * cells, cells * sizeof *law->ln_p);
    for (size_t cell = 0; cell < cells; cell++)
        if (law->ln_p[cell] > -HUGE_VAL) {
            law->cell[law->count] = cell;
            law->ln_p[law->count++] = law->ln_p[cell];
        }
    if (!null_law_labelled(law))
        null_law_moments(type, law);
    return SB_OK;
}

enum sb_status sb_null_law_new(const char *statistic, size_t member, const struct sb_request *options,
                               struct sb_error *error, struct sb_null_law **law)
{
    const struct sb_statistic_type *const type = statistic ? sb_statistic_find(statistic) : NULL;
    struct sb_request settled;

    if (!statistic)
        return sb_error_null(error, "the statistic");
    if (!type && sb_statistics_repeats(statistic))
        return sb_error_set(
            error, SB_INVALID,
            "repeat is not computed from a single deck, so it has no cells: of D equally likely decks, N "
            "fair ones have about N(N-1)/(2 D) repeats on average, by Poisson's law");
    if (strcmp(statistic, sb_bettor_name) == 0)
        return sb_error_set(error, SB_INVALID,
                            "bettor bets on the next card with what it learned from earlier decks, so it has no cells: "
                            "use a statistic of single decks, such as rank");
    if (!type)
        return sb_statistics_unknown(statistic, error);
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status == SB_OK)
        status = sb_request_group(options, error, &settled);
    if (status)
        return status;
    struct sb_null_law *const made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "the law");
    *made = (struct sb_null_law) {
        .type = type,
        .statistic = type->name,
        .title = type->title,
        .cite = type->cite,
        .obtained = type->obtained,
        .n = settled.n,
        .deal = settled.deal,
        .member = member,
        .mean = NAN,
        .variance = NAN,
    };
    status = sb_grouping_open(&settled.grouping, settled.cards, settled.n, settled.deal, error, &made->names);
    made->multiset = sb_item_multiset(made->names);
    if (sb_item_groups(made->names))
        made->deal = made->n; /* the deck has the group of each item */
    made->members = sb_statistic_members(type, made->multiset, made->n, made->deal);
    made->window.cells = sb_statistic_cells(type, made->multiset, made->n, made->deal);
    if (status == SB_OK)
        status = null_law_check(made, error);
    if (status == SB_OK && settled.fair)
        status = null_law_fair(&settled, made, error);
    if (status == SB_OK && null_law_make(made))
        status = sb_error_memory(error, "the law");
    if (status == SB_OK && settled.stop && *settled.stop)
        status = sb_error_set(error, SB_STOPPED, "stopped before the law was known");
    if (status)
        sb_null_law_free(made);
    else
        *law = made;
    return status;
}
