/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the law that a shuffle is meant to have: the option `fair`. A name is that of a law, or else that of a scheme,
 * whose exact law is computed, or else that of a file with the probabilities of orders. "./naive" is a file.
 *
 * A file of probabilities has a line for each possible order, such as "231 0.25" or "231, 1/4". A file of weights has a
 * line for each item: its weight, or its name and its weight. Blanks, tabs, commas and semicolons separate fields, and
 * # begins a comment.
 */
#include "core/text.h"
#include "subject/parts.h"

#include <inttypes.h>

static const char fair_separators[] = " \t,;\r";

static const struct fair_named {
    const char *name, *words;
    enum sb_fair_rule rule;
    bool argument; /* whether a colon and an argument follow the name */
} fair_laws[] = {
    { "derangement", "a uniform derangement", SB_FAIR_DERANGEMENT, false },
    { "cycle", "a uniform cycle of all items", SB_FAIR_CYCLE, false },
    { "fixed", "a uniform shuffle with %s", SB_FAIR_FIXED, true },
    { "no-adjacent", "a uniform order without equal neighbours", SB_FAIR_APART, false },
    { "weights", "the weighted shuffle of %s", SB_FAIR_WEIGHTS, true },
};

enum { FAIR_LAWS = sizeof fair_laws / sizeof fair_laws[0], FAIR_SHOWN = 60 };

#define FAIR_COUNT_MOST 0x1p53 /* doubles hold all counts up to this */

/* What a law is read from, and for. */
struct fair_reading {
    const char *argument; /* what follows the colon, or the name of a scheme or of a file */
    const struct sb_request *options;
    const struct sb_item_names *names;
    struct sb_error *error;
    struct sb_fair *fair;
};

/* Returns the law that the text names; NULL if it names none. */
static const struct fair_named *fair_find(const char *text, const char **argument)
{
    const char *const colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);

    for (size_t i = 0; i < FAIR_LAWS; i++)
        if (strlen(fair_laws[i].name) == length && memcmp(fair_laws[i].name, text, length) == 0) {
            *argument = colon ? colon + 1 : NULL;
            return &fair_laws[i];
        }
    return NULL;
}

static bool fair_is_scheme(const char *text, struct sb_scheme *scheme)
{
    return text[0] != '.' && sb_scheme_parse(text, NULL, NULL, NULL, scheme) == SB_OK;
}

static bool fair_names_file(const char *path)
{
    FILE *const file = fopen(path, "re");
    const bool there = file != NULL;

    if (file)
        fclose(file);
    return there;
}

/* Checks that the text names a law, a scheme or a file. */
static enum sb_status fair_check_name(const char *law, struct sb_error *error)
{
    struct sb_name_nearest nearest = { .name = law };
    const char *argument = NULL;
    const struct fair_named *const named = fair_find(law, &argument);
    struct sb_scheme scheme;
    char suggestion[256];

    if (named && named->argument == (argument && *argument))
        return SB_OK;
    if (named && named->argument)
        return sb_error_set(error, SB_INVALID, "`fair = %s`: what follows is missing: use %s:%s", named->name,
                            named->name, named->rule == SB_FAIR_FIXED ? "ITEM@PLACE" : "FILE");
    if (named)
        return sb_error_set(error, SB_INVALID, "`fair = %.*s`: %s takes no argument: leave it out", FAIR_SHOWN, law,
                            named->name);
    if (fair_is_scheme(law, &scheme) || fair_names_file(law))
        return SB_OK;
    for (size_t i = 0; i < FAIR_LAWS; i++)
        sb_name_offer(&nearest, fair_laws[i].name);
    sb_name_suggest(&nearest, suggestion, sizeof suggestion);
    return sb_error_set(error, SB_INVALID, "`fair = %.*s` is no law, no scheme and no file%s%s", FAIR_SHOWN, law,
                        suggestion,
                        suggestion[0] ? ""
                                      : ": use derangement, cycle, fixed:ITEM@PLACE, no-adjacent, weights:FILE, a "
                                        "scheme, or a file of probabilities");
}

enum sb_status sb_fair_check(const struct sb_request *options, struct sb_error *error)
{
    const char *const none = options->increments   ? "increments"
                             : options->profile    ? "profile"
                             : options->statistics ? "statistics"
                                                   : NULL;

    if (none)
        return sb_error_set(error, SB_INVALID,
                            "`fair` and `%s`: an intended law has statistics of its own: leave one of them out", none);
    if (options->of == SB_GATE && options->seeds)
        return sb_error_set(
            error, SB_INVALID,
            "`fair` and `min_decks`: the number of decks is judged only if all orders are equally likely: "
            "leave one of them out");
    return fair_check_name(options->fair, error);
}

/* Finds the item that a word names. */
static bool fair_item(const struct fair_reading *reading, const char *word, size_t *item)
{
    const size_t n = reading->fair->n;
    const uint32_t base = reading->names ? reading->names->base : 1;
    uint64_t number;

    *item = n;
    if (sb_item_names_given(reading->names))
        *item = sb_item_names_find(reading->names, word);
    else if (sb_name_number(word, &number) && number >= base && number - base < n)
        *item = (size_t)number - base;
    return *item < n;
}

/* Sets the words, in which %s stands for `of`. */
static enum sb_status fair_say(struct fair_reading *reading, const char *words, const char *of)
{
    const char *const mark = strstr(words, "%s");
    char text[512];

    if (mark)
        snprintf(text, sizeof text, "%.*s%.300s%s", (int)(mark - words), words, of, mark + 2);
    else
        snprintf(text, sizeof text, "%s", words);
    reading->fair->words = sb_sanitize_text(text, SB_TITLE_MOST);
    return reading->fair->words ? SB_OK : sb_error_memory(reading->error, "the intended law");
}

/* Reads ITEM@PLACE,ITEM@PLACE... */
static enum sb_status fair_fixed(struct fair_reading *reading, char *list)
{
    struct sb_fair *const fair = reading->fair;
    const size_t n = fair->n;
    char words[256] = "", *rest = NULL;
    size_t used = 0, fixed = 0;

    fair->at = calloc(n, sizeof fair->at[0]);
    if (!fair->at)
        return sb_error_memory(reading->error, "the intended law");
    for (size_t j = 0; j < n; j++)
        fair->at[j] = (sb_item)n;
    for (char *pair = strtok_r(list, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        char *const at = strrchr(pair, '@'), name[SB_ITEM_ROOM];
        uint64_t place = 0;
        size_t item;
        bool twice = false;

        if (!at)
            return sb_error_set(reading->error, SB_INVALID, "`fair = fixed:%.*s` has no @: use ITEM@PLACE", FAIR_SHOWN,
                                pair);
        *at = '\0';
        if (!fair_item(reading, pair, &item) || !sb_name_number(at + 1, &place) || place < 1 || place > n)
            return sb_error_set(reading->error, SB_INVALID,
                                "`fair = fixed:%.*s@%.*s`: use one of the %zu items, and a place from 1 to %zu",
                                FAIR_SHOWN, pair, FAIR_SHOWN, at + 1, n, n);
        for (size_t j = 0; j < n; j++)
            twice = twice || fair->at[j] == item;
        if (twice || fair->at[place - 1] < n)
            return sb_error_set(reading->error, SB_INVALID,
                                "`fair = fixed:%.*s@%" PRIu64 "` names an item or a place twice: name each once",
                                FAIR_SHOWN, pair, place);
        fair->at[place - 1] = (sb_item)item;
        fixed++;
        if (used < sizeof words)
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%s at position %" PRIu64,
                                     used ? " and " : "", sb_item_words(reading->names, item, name), place);
    }
    if (n > SB_FAIR_LISTED_MOST && fixed + 1 >= n)
        return sb_error_set(reading->error, SB_INVALID,
                            "`fair = fixed`: %zu fixed items of %zu leave nothing to shuffle: fix fewer", fixed, n);
    return fair_say(reading, fair_laws[SB_FAIR_FIXED - SB_FAIR_DERANGEMENT].words, words);
}

/* Reads a number or a fraction. */
static bool fair_number(const char *text, double *number)
{
    const char *const slash = strchr(text, '/');
    char above[64];
    double below = 1;

    if (slash && (size_t)(slash - text) < sizeof above) {
        snprintf(above, sizeof above, "%.*s", (int)(slash - text), text);
        return sb_decimal_whole(above, number) && sb_decimal_whole(slash + 1, &below) && below > 0 &&
               isfinite(*number /= below);
    }
    return sb_decimal_whole(text, number) && isfinite(*number);
}

/* Takes a line of a file: the words before the last, or NULL if there is one word only; and the number. */
typedef enum sb_status fair_take(struct fair_reading *reading, const char *word, double number, const char *where);

static enum sb_status fair_lines(struct fair_reading *reading, char *text, const char *name, fair_take *take)
{
    enum sb_status status = SB_OK;
    size_t number = 0;

    for (char *line = text, *next; line && status == SB_OK; line = next) {
        char *rest = NULL, where[320];
        double value;

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line[strcspn(line, "#")] = '\0';
        snprintf(where, sizeof where, "%.200s: line %zu", name, ++number);
        const char *const first = strtok_r(line, fair_separators, &rest);
        const char *const second = first ? strtok_r(NULL, fair_separators, &rest) : NULL;

        if (!first)
            continue;
        if (number == 1 && second && !strpbrk(first, "0123456789") && !strpbrk(second, "0123456789"))
            continue; /* titles */
        if (strtok_r(NULL, fair_separators, &rest) || !fair_number(second ? second : first, &value))
            return sb_error_set(reading->error, SB_INVALID,
                                "%s has no number as its last of one or two fields: see "
                                "the examples in docs/fair.md",
                                where);
        status = take(reading, second ? first : NULL, value, where);
    }
    return status;
}

static enum sb_status fair_file(struct fair_reading *reading, fair_take *take)
{
    const struct sb_patience patience = { .timeout = INFINITY, .stop = reading->options->stop };
    struct sb_bytes *bytes;
    char *text = NULL;
    enum sb_status status = sb_bytes_open_file(reading->argument, &patience, reading->error, &bytes);

    if (status)
        return status;
    status = sb_bytes_text(bytes, reading->error, &text);
    if (status == SB_OK)
        status = fair_lines(reading, text, bytes->name, take);
    free(text);
    bytes->free(bytes);
    return status;
}

/* Adds an order of many items to the list, which grows as needed. Returns the index; SIZE_MAX if memory runs out. */
static size_t fair_add_order(struct sb_fair *fair, const sb_item a[])
{
    if ((fair->orders & (fair->orders - 1)) == 0) { /* a power of two, or none */
        const size_t room = fair->orders ? 2 * fair->orders : 1;
        sb_item *const order = realloc(fair->order, room * fair->n * sizeof *order);
        double *const p = realloc(fair->p, room * sizeof *p);

        fair->order = order ? order : fair->order;
        fair->p = p ? p : fair->p;
        if (!order || !p)
            return SIZE_MAX;
    }
    memcpy(fair->order + fair->orders * fair->n, a, fair->n * sizeof a[0]);
    fair->p[fair->orders] = 0;
    return fair->orders++;
}

static enum sb_status fair_take_order(struct fair_reading *reading, const char *word, double number, const char *where)
{
    struct sb_fair *const fair = reading->fair;
    const size_t n = fair->n;
    sb_item a[SB_LAW_ITEMS_MOST];
    size_t items = 0;

    if (!word || !sb_permutation_parse(word, SB_LAW_ITEMS_MOST, a, &items) || items != n)
        return sb_error_set(reading->error, SB_INVALID, "%s: '%.*s' is no order of %zu items: write it as 231 or 2.3.1",
                            where, FAIR_SHOWN, word ? word : "", n);
    if (!(number >= 0 && number <= FAIR_COUNT_MOST))
        return sb_error_set(reading->error, SB_INVALID, "%s: %g is no probability and no count: use numbers from 0 on",
                            where, number);
    const size_t index = n > SB_FAIR_LISTED_MOST ? fair_add_order(fair, a) : (size_t)sb_permutation_rank(n, n, a);

    if (index == SIZE_MAX)
        return sb_error_memory(reading->error, "the intended law");
    if (fair->p[index] > 0)
        return sb_error_set(reading->error, SB_INVALID, "%s: %.*s stands there twice: list each order once", where,
                            FAIR_SHOWN, word);
    fair->p[index] = number;
    return SB_OK;
}

static const double fair_slack = 1e-6; /* how far the sum of rounded probabilities may be from 1 */

/* Numbers that are whole, of which some are above 1, are counts. */
static bool fair_counts(const struct sb_fair *fair)
{
    bool above = false;

    for (size_t i = 0; i < fair->orders; i++) {
        if (fair->p[i] != floor(fair->p[i]))
            return false;
        above = above || fair->p[i] > 1;
    }
    return above;
}

static enum sb_status fair_orders(struct fair_reading *reading)
{
    struct sb_fair *const fair = reading->fair;
    struct sb_sum sum = { 0 };
    enum sb_status status = SB_OK;

    if (fair->n <= SB_FAIR_LISTED_MOST) {
        fair->orders = (size_t)sb_deals(fair->n, fair->n);
        fair->p = calloc(fair->orders, sizeof fair->p[0]);
        status = fair->p ? SB_OK : sb_error_memory(reading->error, "the intended law");
    }
    if (status == SB_OK)
        status = fair_file(reading, fair_take_order);
    if (status)
        return status;
    fair->counted = fair_counts(fair);
    if (fair->counted && reading->options->of != SB_REPORT)
        return sb_error_set(reading->error, SB_INVALID,
                            "`fair = %.200s`: counts are no exact law: use a report, which compares two samples",
                            reading->argument);
    for (size_t i = 0; fair->p && i < fair->orders; i++)
        sb_sum_add(&sum, fair->p[i]);
    if (!fair->counted && fabs(sb_sum_value(&sum) - 1) > fair_slack)
        return sb_error_set(reading->error, SB_INVALID,
                            "%.200s: the probabilities add up to %.7g, not to 1: list all orders that are possible",
                            reading->argument, sb_sum_value(&sum));
    return fair_say(reading, fair->counted ? "the law of the sample in %s" : "the law in %s", reading->argument);
}

static enum sb_status fair_take_weight(struct fair_reading *reading, const char *word, double number, const char *where)
{
    struct sb_fair *const fair = reading->fair;
    size_t item = 0;

    if (word && !fair_item(reading, word, &item))
        return sb_error_set(reading->error, SB_INVALID, "%s: '%.*s' is none of the %zu items: name one", where,
                            FAIR_SHOWN, word, fair->n);
    while (!word && item < fair->n && fair->weight[item] > 0)
        item++;
    if (item == fair->n || fair->weight[item] > 0)
        return sb_error_set(reading->error, SB_INVALID,
                            "%s: a weight more than one for each of %zu items: leave it out", where, fair->n);
    if (!(number > 0))
        return sb_error_set(reading->error, SB_INVALID, "%s: the weight %g is not above 0: leave such items out", where,
                            number);
    fair->weight[item] = number;
    return SB_OK;
}

static enum sb_status fair_weights(struct fair_reading *reading)
{
    struct sb_fair *const fair = reading->fair;
    enum sb_status status;

    fair->weight = calloc(fair->n, sizeof fair->weight[0]);
    status = fair->weight ? fair_file(reading, fair_take_weight) : sb_error_memory(reading->error, "the intended law");
    for (size_t i = 0; fair->weight && status == SB_OK && i < fair->n; i++)
        if (fair->weight[i] <= 0) {
            char item[SB_ITEM_ROOM];

            return sb_error_set(reading->error, SB_INVALID, "%.200s has no weight of %s: add it", reading->argument,
                                sb_item_words(reading->names, i, item));
        }
    return status ? status
                  : fair_say(reading, fair_laws[SB_FAIR_WEIGHTS - SB_FAIR_DERANGEMENT].words, reading->argument);
}

static const double fair_matrix_cost = 1e10; /* the most nanoseconds that the computation of a matrix may take */

/* Takes the exact law of a scheme of few items or, of more, its matrix of items by positions, if they are known. */
static enum sb_status fair_exact(const struct sb_evidence *evidence, struct sb_fair *fair)
{
    const size_t n = fair->n;

    if (n <= SB_FAIR_LISTED_MOST && evidence->cells) {
        fair->p = calloc(evidence->cells, sizeof fair->p[0]);
        for (size_t rank = 0; fair->p && rank < evidence->cells; rank++)
            fair->p[rank] = sb_evidence_share(evidence, rank);
        return fair->p ? SB_OK : SB_NO_MEMORY;
    }
    if (evidence->matrix.form == SB_NUMBERS_NONE)
        return SB_OK;
    fair->position = calloc(n * n, sizeof fair->position[0]);
    for (size_t i = 0; fair->position && i < n * n; i++)
        fair->position[i] = sb_evidence_matrix_share(evidence, i / n, i % n);
    return fair->position ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status fair_compute(const struct fair_reading *reading, const struct sb_scheme *scheme)
{
    const size_t n = reading->fair->n;
    const bool few = n <= SB_FAIR_LISTED_MOST;
    struct sb_evidence evidence = { .cells = 0 };
    struct sb_error error = { 0 };
    struct sb_shuffler shuffler;
    enum sb_status status;

    if (sb_shuffler_open(scheme->shuffle, n, n, &shuffler))
        return sb_error_memory(reading->error, "the intended law");
    const struct sb_law law = sb_scheme_law(scheme, &shuffler, reading->options);

    status = few ? sb_engine_law(&law, SB_COST_UNASKED, &error, &evidence)
                 : sb_engine_evidence(&law, 0, fair_matrix_cost, &error, &evidence);
    if (status == SB_OK && !few && evidence.cells && sb_evidence_matrix(&evidence))
        status = SB_NO_MEMORY;
    if (status == SB_OK && !sb_evidence_partial(&evidence))
        status = fair_exact(&evidence, reading->fair);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? sb_error_memory(reading->error, "the intended law")
           : status == SB_STOPPED ? sb_error_set(reading->error, status, "%s", error.text)
                                  : SB_OK; /* others say that the law is not known */
}

static enum sb_status fair_scheme(struct fair_reading *reading, const struct sb_scheme *scheme)
{
    struct sb_fair *const fair = reading->fair;
    const bool whole = strcmp(scheme->rng.name, "philox") == 0; /* without the faults of a generator */
    enum sb_status status = sb_scheme_check(scheme, fair->n, fair->n, reading->error);

    if (status == SB_OK && whole)
        status = fair_compute(reading, scheme);
    if (status)
        return status;
    if (!whole && reading->options->of != SB_REPORT)
        return sb_error_set(
            reading->error, SB_INVALID,
            "`fair = %s`: the law is exact only without the faults of a generator: leave %s out, or use "
            "a report, which compares two samples",
            scheme->name, scheme->rng.name);
    if (!fair->p && !fair->position && reading->options->of != SB_REPORT)
        return sb_error_set(
            reading->error, SB_TOO_LARGE,
            "`fair = %s` has no exact law at `n = %zu`: use fewer items, or a report, which compares two "
            "samples",
            scheme->name, fair->n);
    if (!fair->p && !(fair->scheme = strdup(scheme->name)))
        return sb_error_memory(reading->error, "the intended law");
    return fair_say(reading, "the law of %s", scheme->name);
}

static enum sb_status fair_large(const struct fair_reading *reading, const char *law)
{
    if (reading->fair->rule == SB_FAIR_APART)
        return sb_error_set(reading->error, SB_TOO_LARGE,
                            "`fair = %.*s`: these %zu cards have more than %d arrangements: use fewer cards",
                            FAIR_SHOWN, law, reading->fair->n, SB_FAIR_ARRANGED_MOST);
    if (reading->fair->deal < reading->fair->n && reading->fair->rule != SB_FAIR_LIST)
        return sb_error_set(reading->error, SB_TOO_LARGE,
                            "`deal = %zu` of %zu items is known for weights alone: use n <= %d, or deal all",
                            reading->fair->deal, reading->fair->n, SB_FAIR_LISTED_MOST);
    return sb_error_set(reading->error, SB_TOO_LARGE, "`n = %zu` is too large for `fair = %.*s`: use n <= %d",
                        reading->fair->n, FAIR_SHOWN, law, SB_LAW_ITEMS_MOST);
}

/* Reads a law that is named, a scheme or a file. */
static enum sb_status fair_read(struct fair_reading *reading, const char *law)
{
    const struct fair_named *const named = fair_find(law, &reading->argument);
    const struct sb_multiset *const multiset = sb_item_multiset(reading->names);
    struct sb_scheme scheme;
    enum sb_status status;

    reading->fair->rule = named ? named->rule : SB_FAIR_LIST;
    if (!multiset != (reading->fair->rule != SB_FAIR_APART))
        return sb_error_set(reading->error, SB_INVALID,
                            multiset && multiset->groups
                                ? "`fair = %.*s` is of orders, and not of sets or hands: leave one of them out"
                            : multiset ? "`fair = %.*s` is of items that differ, not of equal `cards` or `kinds`: name "
                                         "each item otherwise"
                                       : "`fair = %.*s` is of equal items: name them in `cards`",
                            FAIR_SHOWN, law);
    if (!named)
        reading->argument = law;
    if (reading->fair->n > SB_LAW_ITEMS_MOST && reading->fair->rule == SB_FAIR_LIST)
        return fair_large(reading, law);
    if (!named && fair_is_scheme(law, &scheme))
        return fair_scheme(reading, &scheme);
    if (!named)
        return fair_orders(reading);
    if (named->rule == SB_FAIR_WEIGHTS)
        return fair_weights(reading);
    if (named->rule != SB_FAIR_FIXED)
        return fair_say(reading, named->words, "");
    char *const list = reading->argument ? strdup(reading->argument) : NULL; /* `?`: for static analysers */

    status = list ? fair_fixed(reading, list) : sb_error_memory(reading->error, "the intended law");
    free(list);
    return status;
}

enum sb_status sb_fair_new(const char *law, const struct sb_request *options, size_t n, size_t deal,
                           const struct sb_item_names *names, struct sb_error *error, struct sb_fair **made)
{
    struct sb_fair *const fair = calloc(1, sizeof *fair);
    struct fair_reading reading = { .options = options, .names = names, .error = error, .fair = fair };
    enum sb_status status = fair_check_name(law, error);

    if (!fair)
        return sb_error_memory(error, "the intended law");
    fair->n = n;
    fair->deal = deal;
    fair->names = names;
    if (status == SB_OK)
        status = fair_read(&reading, law);
    const size_t arrangements = status == SB_OK && sb_item_multiset(names) ? sb_item_multiset(names)->arrangements : 0;
    const bool few = n <= SB_FAIR_LISTED_MOST || (arrangements && arrangements <= SB_FAIR_ARRANGED_MOST);
    const bool listed = (few || fair->order) && !sb_fair_sampled(fair);

    if (status == SB_OK && !listed && !sb_fair_sampled(fair) && !sb_fair_many(fair))
        status = fair_large(&reading, law);
    if (status == SB_OK && listed) {
        status = sb_fair_list(sb_item_multiset(names), fair);
        if (status == SB_NO_MEMORY)
            sb_error_memory(error, "the intended law");
        else if (status)
            sb_error_set(error, SB_INVALID, "`fair = %.*s`: no order of these %zu items is possible: use other items",
                         FAIR_SHOWN, law, n);
    }
    if (status)
        sb_fair_free(fair);
    else
        *made = fair;
    return status;
}
