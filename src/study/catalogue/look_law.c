/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffles by the law: the likeliest candidate that the permutations do not reject, and all such
 * candidates that are at most 1,000 times less likely.
 *
 * A candidate is rejected if the permutations are not typical of its law (look_typical.h), or if the e-value of
 * the statistics that use no faulty shuffle's law is more than 1,000 times the candidate's likelihood ratio. The
 * quotient of e-value and likelihood ratio is an e-process under the candidate's law. So by Ville's inequality,
 * this second test ever rejects the true shuffle with probability at most 1/1000.
 *
 * All forms of one shuffle are the same bug, and a few permutations often cannot distinguish the forms. So only
 * the most probable form of each shuffle is named.
 */
#include "study/catalogue/look.h"

/* a smaller difference of two ln_e counts as zero, because each is a sum of rounded logarithms */
static const double law_ln_same = 1e-6;

enum { LAW_SIMULATED = 6 }; /* the most candidates whose laws are simulated */

/* The candidates that the permutations do not reject, the likeliest first. */
struct law_found {
    const struct sb_catalogue *catalogue;
    const struct sb_look_seen *seen;
    double ln_least;  /* a candidate with a smaller ln_e is rejected */
    size_t simulated; /* number of simulations so far */
    size_t count;
    const struct sb_candidate **candidate; /* [count]; owned */
};

static bool law_is_of(const struct sb_candidate *candidate, const char *scheme)
{
    return strcmp(candidate->scheme, scheme) == 0;
}

static unsigned law_variant(const struct sb_candidate *candidate)
{
    char name[SB_CATALOGUE_NAME];
    unsigned variant = SB_VARIANTS - 1;

    while (variant && strcmp(candidate->name, sb_catalogue_name(candidate->scheme, variant, name)) != 0)
        variant--;
    return variant;
}

static enum sb_status law_ranks(const struct sb_evidence *evidence, const struct sb_candidate *candidate, bool *typical)
{
    double *const p = calloc(evidence->cells, sizeof *p);

    if (!p)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < evidence->cells; i++)
        p[i] = candidate->worth[i] == SB_WORTH_IMPOSSIBLE
                   ? 0
                   : exp((double)candidate->worth[i] * SB_WORTH_UNIT) / (double)evidence->cells;
    *typical = sb_typical_of_law(evidence, p);
    free(p);
    return SB_OK;
}

static bool law_repeats(const struct law_found *found, const struct sb_candidate *candidate)
{
    for (size_t i = 0; i < found->count; i++)
        if (law_is_of(candidate, found->candidate[i]->scheme) &&
            fabs(candidate->ln_e - found->candidate[i]->ln_e) <= law_ln_same)
            return true;
    return false;
}

static enum sb_status law_try(struct law_found *found, const struct sb_candidate *candidate)
{
    bool typical = law_repeats(found, candidate);
    enum sb_status status = SB_OK;

    if (!typical && candidate->of == SB_COUNTS_RANKS) {
        status = law_ranks(found->seen->evidence, candidate, &typical);
    } else if (!typical && found->simulated < LAW_SIMULATED) {
        found->simulated++;
        status = sb_typical_of_scheme(found->seen, candidate->scheme, law_variant(candidate), &typical);
    }
    if (status == SB_OK && typical)
        found->candidate[found->count++] = candidate;
    return status;
}

/* The likeliest comes first; equally likely ones stay in the order of the catalogue. */
static int law_compare(const void *a, const void *b)
{
    const struct sb_candidate *const one = *(const struct sb_candidate *const *)a;
    const struct sb_candidate *const two = *(const struct sb_candidate *const *)b;

    return one->ln_e != two->ln_e ? (one->ln_e < two->ln_e) - (one->ln_e > two->ln_e) : (one > two) - (one < two);
}

static enum sb_status law_find(struct law_found *found)
{
    const size_t count = found->catalogue->count;
    enum sb_status status = SB_OK;

    for (size_t k = 0; k < count; k++)
        found->candidate[k] = &found->catalogue->candidate[k];
    qsort(found->candidate, count, sizeof found->candidate[0], law_compare);
    for (size_t k = 0; k < count && status == SB_OK; k++) { /* those that are found move to the front */
        const struct sb_candidate *const candidate = found->candidate[k];

        if (candidate->ln_e <= 0 || candidate->ln_e < found->ln_least ||
            (found->count && candidate->ln_e < found->candidate[0]->ln_e - SB_LOOK_LN_AGAINST))
            break;
        status = law_try(found, candidate);
    }
    return status;
}

/* Returns the most probable form of the shuffle, if the weights are taken as the prior probabilities of the forms. */
static const struct sb_candidate *law_form(const struct law_found *found, const char *scheme)
{
    const struct sb_candidate *form = NULL;

    for (size_t i = 0; i < found->count; i++) {
        const struct sb_candidate *const other = found->candidate[i];

        if (law_is_of(other, scheme) && (!form || other->ln_e + log(other->weight) > form->ln_e + log(form->weight)))
            form = other;
    }
    return form;
}

/* Returns the first plain name of the law, or the candidate's name if none is plain. */
static const char *law_plain(const struct sb_candidate *candidate)
{
    const char *plain = strchr(candidate->name, ',') ? NULL : candidate->name;

    for (size_t i = 0; i < candidate->equivalents && !plain; i++)
        if (!strchr(candidate->equivalent[i], ','))
            plain = candidate->equivalent[i];
    return plain ? plain : candidate->name;
}

/* Adds the candidate's names, except `named`, to the equivalents. */
static enum sb_status law_also(const struct sb_candidate *candidate, const char *named,
                               struct sb_looks_like *looks_like)
{
    enum sb_status status = named == candidate->name ? SB_OK : sb_catalogue_look_also(candidate->name, looks_like);

    for (size_t i = 0; i < candidate->equivalents && status == SB_OK; i++)
        if (named != candidate->equivalent[i])
            status = sb_catalogue_look_also(candidate->equivalent[i], looks_like);
    return status;
}

static bool law_level_cells(const int64_t worth[], size_t cells)
{
    int64_t same = SB_WORTH_IMPOSSIBLE;

    for (size_t i = 0; i < cells; i++) {
        if (worth[i] == SB_WORTH_IMPOSSIBLE)
            continue;
        if (same != SB_WORTH_IMPOSSIBLE && worth[i] != same)
            return false;
        same = worth[i];
    }
    return true;
}

/* Returns whether all possible permutations have the same probability under the candidate. Worths are rounded alike. */
static bool law_level(const struct sb_candidate *candidate, size_t n)
{
    bool level = true;

    if (candidate->of >= SB_VIEWS)
        return law_level_cells(candidate->worth, sb_catalogue_cells(n, candidate->of));
    for (size_t i = 1; i < n; i++)
        level = level && law_level_cells(candidate->worth + sb_deck_draws_cell(i, 0), i + 1);
    return level;
}

bool sb_catalogue_look_series(const char *name, const char *other)
{
    char text[SB_CATALOGUE_NAME];
    struct sb_scheme one, two;

    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, ","), name);
    if (sb_scheme_parse(text, NULL, NULL, NULL, &one))
        return false;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(other, ","), other);
    if (sb_scheme_parse(text, NULL, NULL, NULL, &two))
        return false;
    return one.shuffle.parameter != two.shuffle.parameter &&
           (one.shuffle.type == two.shuffle.type || (one.shuffle.type->form && two.shuffle.type->form));
}

static double law_near(const struct sb_catalogue *catalogue, const char *scheme)
{
    double ln_near = -HUGE_VAL;

    for (size_t k = 0; k < catalogue->count; k++)
        if (sb_catalogue_look_series(scheme, catalogue->candidate[k].scheme))
            ln_near = fmax(ln_near, catalogue->candidate[k].ln_e);
    return ln_near;
}

bool sb_catalogue_look_is_of(const char *name, const char *scheme)
{
    const size_t length = strlen(scheme);

    return strncmp(name, scheme, length) == 0 && (name[length] == '\0' || name[length] == ',');
}

/* Whether the other candidate is a form of a shuffle that has this law. */
static bool law_is_form(const struct sb_candidate *law, const struct sb_candidate *other)
{
    bool is = law_is_of(other, law->scheme);

    for (size_t i = 0; i < law->equivalents; i++)
        is = is || sb_catalogue_look_is_of(law->equivalent[i], other->scheme);
    return is;
}

static enum sb_status law_name(const struct law_found *found, struct sb_looks_like *looks_like)
{
    const struct sb_candidate *const form = law_form(found, found->candidate[0]->scheme);
    /* permutations that the catalogue has not tallied are taken to be like those that it has */
    const uint64_t decks = found->catalogue->decks;
    const double times = decks ? (double)found->seen->evidence->total / (double)decks : 1;
    const char *const plain = law_plain(form);
    enum sb_status status = strchr(plain, ',') ? sb_catalogue_look_named(form->scheme, law_variant(form), looks_like)
                                               : sb_catalogue_look_named(plain, 0, looks_like);

    if (status == SB_OK)
        status = law_also(form, plain, looks_like);
    looks_like->ln_e = times * form->ln_e;
    looks_like->ln_near = times * law_near(found->catalogue, form->scheme);
    looks_like->ln_tried = log((double)found->catalogue->count);
    looks_like->level = law_level(form, found->seen->evidence->n);
    for (size_t i = 0; i < found->count && status == SB_OK; i++) {
        const struct sb_candidate *const other = found->candidate[i];
        const bool same = fabs(other->ln_e - form->ln_e) <= law_ln_same;

        if (other == form)
            continue;
        if (law_is_form(form, other)) {
            looks_like->forms = looks_like->forms || !same;
            status = same ? law_also(other, NULL, looks_like) : SB_OK;
        } else if (other == law_form(found, other->scheme)) {
            looks_like->level = looks_like->level || law_level(other, found->seen->evidence->n);
            status = sb_catalogue_look_other(law_plain(other), looks_like);
        }
    }
    return status;
}

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e, const struct sb_look_seen *seen,
                                     struct sb_looks_like *looks_like)
{
    struct law_found found = {
        .catalogue = catalogue,
        .seen = seen,
        .ln_least = ln_e - SB_LOOK_LN_AGAINST,
        .candidate = calloc(catalogue->count + 1, sizeof *found.candidate),
    };
    enum sb_status status = found.candidate ? law_find(&found) : SB_NO_MEMORY;

    if (status == SB_OK && found.count)
        status = law_name(&found, looks_like);
    free(found.candidate);
    return status;
}

bool sb_catalogue_look_refutes(const struct sb_catalogue *catalogue, const char *name, double ln_e)
{
    for (size_t k = 0; catalogue && k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];
        bool named = strcmp(candidate->name, name) == 0;

        for (size_t i = 0; i < candidate->equivalents; i++)
            named = named || strcmp(candidate->equivalent[i], name) == 0;
        if (named && (candidate->of == SB_COUNTS_RANKS || candidate->ln_e < ln_e - SB_LOOK_LN_AGAINST))
            return true;
    }
    return false;
}

static const char look_draw_cause[] =
    "The number of random words is no multiple of the number of answers, so some answers have one word more "
    "than others. The fewer bits a word has, the more this matters.";
static const char look_draw_fix[] = "span = number of words - number of words mod k\n"
                                    "repeat\n"
                                    "    u = next word\n"
                                    "until u < span\n"
                                    "draw(k) = u mod k\n";

static enum sb_status look_append(const char *name, char ***list, size_t *count)
{
    char **const longer = realloc(*list, (*count + 1) * sizeof *longer);

    if (!longer)
        return SB_NO_MEMORY;
    *list = longer;
    longer[*count] = strdup(name);
    return longer[(*count)++] ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like)
{
    return look_append(name, &looks_like->equivalent, &looks_like->equivalents);
}

enum sb_status sb_catalogue_look_other(const char *name, struct sb_looks_like *looks_like)
{
    bool listed = sb_catalogue_look_series(name, looks_like->scheme);

    for (size_t i = 0; i < looks_like->others && !listed; i++)
        listed = sb_catalogue_look_series(name, looks_like->other[i]);
    if (listed)
        return SB_OK;
    return look_append(name, &looks_like->other, &looks_like->others);
}

enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant, struct sb_looks_like *looks_like)
{
    struct sb_scheme parsed, fair;
    struct sb_error error;

    *looks_like = (struct sb_looks_like) {
        .asked = true,
        .scheme = strdup(scheme),
        .form = sb_catalogue_forms[variant],
    };
    if (!looks_like->scheme)
        return SB_NO_MEMORY;
    if (sb_scheme_parse(scheme, NULL, NULL, &error, &parsed) ||
        sb_scheme_parse("fisher-yates", NULL, NULL, &error, &fair))
        return SB_OK;
    if (parsed.draw.type->law) {
        looks_like->title = parsed.draw.type->title;
        looks_like->cause = look_draw_cause;
        looks_like->fix = look_draw_fix;
        return SB_OK;
    }
    looks_like->title = parsed.shuffle.type->title;
    looks_like->cause = parsed.shuffle.type->why;
    looks_like->fix = fair.shuffle.type->pseudocode;
    return SB_OK;
}
