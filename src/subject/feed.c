/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first field in which two runs differ. */
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

#include <inttypes.h>

static const char differs_none[] = "not given";

void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is)
{
    if (differs->field || (was && is ? strcmp(was, is) == 0 : was == is))
        return;
    differs->field = field;
    snprintf(differs->was, sizeof differs->was, "%s", was ? was : differs_none);
    snprintf(differs->is, sizeof differs->is, "%s", is ? is : differs_none);
}

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is)
{
    if (differs->field || was == is)
        return;
    differs->field = field;
    snprintf(differs->was, sizeof differs->was, "%" PRIu64, was);
    snprintf(differs->is, sizeof differs->is, "%" PRIu64, is);
}

/* Compares schemes. If the shuffles are equal, the field that differs is "draw" or "rng"; otherwise the field is
 * "scheme". */
static void mismatch_scheme(struct sb_mismatch *differs, const struct sb_scheme *was, const struct sb_scheme *is,
                            const char *typed)
{
    if (strcmp(was->name, is->name) == 0)
        return;
    if (strcmp(typed, was->shuffle_name) != 0)
        sb_mismatch_text(differs, "scheme", was->name, is->name);
    sb_mismatch_text(differs, "draw", was->draw_name, is->draw_name);
    sb_mismatch_text(differs, "rng", was->rng.name, is->rng.name);
}

enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error)
{
    if (!differs->field)
        return SB_OK;
    sb_error_set(error, SB_INVALID, "`%s` %.100s: differs from that of '%.200s', %.100s: %s", differs->field,
                 differs->is, path, differs->was, remedy);
    if (error) /* the value may contain a backquote, so it is not between the backquotes above */
        snprintf(error->value, sizeof error->value, "%.95s", differs->is);
    return SB_INVALID;
}

/* ---- feed start ---- */

/* Starts a subject: turns a scheme, a command, a file or a function into a feed, and reads its first permutations. */

static const size_t subject_items = 5; /* default number of items of a callback: a pass covers all orders, soon */

enum { SUBJECT_NAME = 200 }; /* the most bytes of a file's name to store */

/* name of a function for which the caller gives no name */
static const char subject_function[] = "callback";

static const char *subject_kind(const struct sb_subject *subject)
{
    return subject->scheme ? "scheme" : subject->shuffle ? "callback" : subject->command ? "command" : "file";
}

char *sb_subject_name(const struct sb_subject *subject)
{
    if (subject->command)
        return sb_command_name(subject->command);
    if (subject->file)
        return sb_sanitize_text(strcmp(subject->file, "-") == 0 ? "standard input" : subject->file, SUBJECT_NAME);
    if (subject->scheme)
        return strdup(subject->scheme);
    return strdup(subject->name ? subject->name : subject_function);
}

/* Sets *recorded to whether the file can be read again from its start. This is true for an existing regular
 * file, except standard input. */
static enum sb_status subject_recorded(const char *file, struct sb_error *error, bool *recorded)
{
    struct stat about = { .st_mode = 0 };
    bool there;
    int number;

    *recorded = false;
    if (strcmp(file, "-") == 0)
        return SB_OK;
    number = sb_file_status(file, false, &there, &about);
    if (number && sb_fault_kind(number) == SB_FAULT_PASSING)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", file, strerror(number));
    *recorded =
        /* if the file is missing, the error is reported when the file is opened */
        number == 0 && there && S_ISREG(about.st_mode);
    return SB_OK;
}

static enum sb_status subject_values(const struct sb_subject *subject, struct sb_error *error)
{
    if (!(subject->timeout >= 0))
        return sb_error_set(error, SB_INVALID, "`timeout = %g` must be above 0 seconds, or 0 for 60", subject->timeout);
    if ((subject->cwd || subject->once) && !subject->command)
        return sb_error_set(error, SB_INVALID, "`%s`: only goes with a command: leave it out",
                            subject->cwd ? "cwd" : "once");
    return sb_scheme_defaults_check(subject->draw, subject->rng, error);
}

static enum sb_status subject_form(const struct sb_subject *subject, struct sb_error *error)
{
    const char *const base = subject->base, *const input = subject->input;

    if (input && strcmp(input, "text") != 0 && !sb_input_width(input))
        return sb_error_set(error, SB_INVALID, "unknown input '%s': use text, u8, u16 or u32", input);
    if (base && strcmp(base, "0") != 0 && strcmp(base, "1") != 0)
        return sb_error_set(error, SB_INVALID, "unknown base '%s': items count from 0 or from 1", base);
    /* evidence that is only viewed has no stream, and its regular expression is a stranger's */
    return subject->command || subject->file ? sb_text_stages_check(subject, error) : SB_OK;
}

static enum sb_status subject_bytes(const struct sb_subject *subject, const struct sb_waiting *waiting,
                                    const struct sb_patience *patience, struct sb_error *error, struct sb_bytes **bytes)
{
    const bool text = !sb_input_width(subject->input);
    struct sb_following following = waiting->following;
    bool recorded = following.on;
    const enum sb_status status =
        waiting->positions && !following.on ? subject_recorded(subject->file, error, &recorded) : SB_OK;

    if (status)
        return status;
    const char *const converted = recorded && text ? sb_file_converted(subject->file, subject) : NULL;

    if (converted) {
        if (following.on) {
            sb_error_set(error, SB_INVALID,
                         "%.200s is %s, which does not grow: follow the log that is written, or name this file "
                         "without following it",
                         subject->file, converted);
            return SB_INVALID;
        }
        recorded = false; /* a position in such data cannot be resumed */
    }
    if (strcmp(subject->file, "-") == 0 || !waiting->positions || !recorded)
        return sb_bytes_open_file(subject->file, patience, error, bytes);
    following.lines = text;
    if (subject->free) {
        sb_error_set(error, SB_INVALID,
                     "`free`: where permutations end in a file that is gone on with is known by its lines "
                     "alone: leave it out, or use '-'");
        return SB_INVALID; /* explicit for static analysers */
    }
    return sb_bytes_open_follow(subject->file, &following, patience, error, bytes);
}

static enum sb_status subject_label(const struct sb_subject *subject, char *name, bool replays, struct sb_error *error,
                                    struct sb_feed *feed)
{
    feed->name = name;
    feed->kind = subject_kind(subject);
    feed->replays = replays;
    if (!name)
        return sb_error_memory(error, "a subject");
    return subject->cards && !feed->names ? sb_item_names_new(subject->cards, error, &feed->names) : SB_OK;
}

/* Sets *n to the number of items of a scheme or a function: the number of names, or else `usual` if the subject
 * leaves n out. */
static enum sb_status subject_items_count(const struct sb_subject *subject, size_t usual, struct sb_error *error,
                                          size_t *n)
{
    *n = subject->n || subject->cards ? subject->n : usual;
    return subject->cards ? sb_item_names_count(subject->cards, error, n) : SB_OK;
}

static enum sb_status subject_stream(const struct sb_subject *subject, const struct sb_waiting *waiting,
                                     struct sb_error *error, struct sb_feed **feed)
{
    struct sb_subject own = *subject;
    struct sb_bytes *bytes;
    enum sb_status status = subject_form(subject, error);
    const struct sb_command_start start = {
        .argv = subject->command,
        .cwd = subject->cwd,
        .once = subject->once,
        .record = sb_input_width(subject->input) * (subject->deal ? subject->deal : subject->n),
    };
    const struct sb_patience patience = {
        .timeout = sb_subject_timeout(subject),
        .stop = waiting->stop,
        .idle = waiting->idle,
        .idle_state = waiting->idle_state,
        .group = subject->group,
    };

    if (status == SB_OK)
        status = subject->command ? sb_bytes_open_command(&start, &patience, subject->overheard,
                                                          subject->overheard_state, error, &bytes)
                                  : subject_bytes(subject, waiting, &patience, error, &bytes);
    if (status)
        return status;
    if (subject->file)
        status = subject_recorded(subject->file, error, &own.recorded);
    char *const name = status ? NULL : strdup(bytes->name);
    if (status) {
        bytes->free(bytes);
        return status;
    }
    status = sb_text_stages_add(subject, waiting->stop, error, &bytes);
    if (status == SB_OK)
        status = sb_stream_new(bytes, &own, error, feed);
    if (status) {
        free(name);
        return status;
    }
    return subject_label(subject, name, own.recorded, error, *feed);
}

/* Reports an error if the caller has set options for reading a stream, because this kind of subject is not a stream. */
static bool subject_reads(const struct sb_subject *subject, const char *name, const char *kind, struct sb_error *error)
{
    const bool reads = subject->free || subject->input || subject->base || subject->field || subject->separator ||
                       subject->match || subject->json_path;

    if (reads)
        sb_error_set(error, SB_INVALID, "%s: how a stream is read does not go with %s", name, kind);
    return reads;
}

static enum sb_status subject_scheme(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                                     struct sb_error *error, struct sb_feed **feed)
{
    struct sb_request options;
    enum sb_status status;

    if (subject->chained)
        return sb_error_set(error, SB_INVALID, "%s: a scheme shuffles a new deck each time: leave `chained` out",
                            subject->scheme);
    if (subject_reads(subject, subject->scheme, "a scheme", error))
        return SB_INVALID;
    sb_request_init(&options, SB_DEAL);
    status = subject_items_count(subject, options.n, error, &options.n);
    if (status)
        return status;
    options.deal = subject->deal;
    options.seed = subject->seed;
    options.draw = subject->draw;
    options.rng = subject->rng;
    options.stop = stop;
    status = sb_scheme_feed(subject->scheme, &options, error, feed);
    return status ? status : subject_label(subject, (*feed)->name, true, error, *feed);
}

static enum sb_status subject_callback(const struct sb_subject *subject, struct sb_error *error, struct sb_feed **feed)
{
    const char *const name = subject->name ? subject->name : subject_function;
    size_t n = subject_items;
    enum sb_status status = subject_items_count(subject, subject_items, error, &n);
    struct sb_subject settled = *subject;

    if (status == SB_OK && subject_reads(subject, name, "a function", error))
        status = SB_INVALID;
    if (status == SB_OK && subject->deal > n)
        status = sb_error_deal(error, subject->deal, n);
    settled.name = name;
    settled.n = n;
    settled.deal = subject->deal ? subject->deal : n;
    if (status == SB_OK)
        status = sb_callback_new(&settled, error, feed);
    return status ? status : subject_label(subject, strdup(name), false, error, *feed);
}

enum sb_status sb_feed_check(const struct sb_feed *feed, struct sb_error *error)
{
    if (feed->count == 0)
        return sb_error_set(error, SB_SUBJECT, "%s: ended without a permutation: %s, one a line", feed->name,
                            feed->replays ? "name a file that has some" : "print some");
    const bool scheme = strcmp(feed->kind, "scheme") == 0;

    if (sb_item_multiset(feed->names) && feed->names->multiset->kinds == 1)
        return sb_error_set(error, scheme ? SB_INVALID : SB_SUBJECT,
                            "%s: all cards are equal, so there is one arrangement only, and nothing to test: name "
                            "cards that differ in `cards`",
                            feed->name);
    if (feed->n >= 2)
        return SB_OK;
    if (scheme)
        return sb_error_set(error, SB_INVALID, "%s: a single item, and nothing to test: use two items or more",
                            feed->name);
    return sb_error_set(error, SB_SUBJECT,
                        "%s: a single item: print all items of a permutation in one line, or say `free` `n=N`",
                        feed->name);
}

/* Sets how many items a line of sets or hands has, and of how many. */
static enum sb_status subject_grouped(struct sb_subject *subject, struct sb_error *error)
{
    enum sb_status status = SB_OK;

    if (subject->grouping.kinds)
        status = sb_kinds_check(&subject->grouping, subject->cards, &subject->n, error);
    if (status || !sb_grouping_is(&subject->grouping))
        return status;
    if (subject->chained)
        return sb_error_set(error, SB_INVALID,
                            "`chained`: the steps from one set to the next are not known: leave `chained` out");
    if (subject->cards)
        status = sb_item_names_count(subject->cards, error, &subject->n);
    if (status == SB_OK && subject->grouping.sets && !subject->grouping.hands && subject->deal && !subject->n)
        status = sb_error_set(error, SB_INVALID, "`sets`: say of how many items a set is drawn, `n=N`");
    if (status == SB_OK)
        status = sb_grouping_settle(&subject->grouping, &subject->n, &subject->deal, error);
    subject->ordered = true; /* the order within a set says nothing */
    return status;
}

enum sb_status sb_feed_start(const struct sb_subject *asked, const struct sb_waiting *waiting, struct sb_error *error,
                             struct sb_feed **feed)
{
    struct sb_subject own = *asked;
    const struct sb_subject *subject = &own;
    struct sb_feed *made = NULL;
    const int given = !!subject->scheme + !!subject->command + !!subject->file + !!subject->shuffle;
    const char *wrong = NULL;
    enum sb_status status;

    if (given != 1)
        wrong = "a subject is a scheme, a command, a file or a function: give one of them";
    else if (subject->command && !subject->command[0])
        wrong = "the command is empty: give a program and its arguments";
    else if (subject->n == 1)
        wrong = "`n = 1`: there is only one order, and nothing to test: use n >= 2";
    if (wrong) {
        sb_error_set(error, SB_INVALID, "%s", wrong);
        return SB_INVALID; /* explicit for static analysers, which see only this source file */
    }
    status = subject_values(subject, error);
    if (status == SB_OK)
        status = subject_grouped(&own, error);
#ifdef __wasi__
    if (status == SB_OK && subject->command)
        status = sb_web_function(&own, error);
#endif
    if (status)
        return status;
    status = subject->scheme    ? subject_scheme(subject, waiting->stop, error, &made)
             : subject->shuffle ? subject_callback(subject, error, &made)
                                : subject_stream(subject, waiting, error, &made);
    if (status == SB_OK && made && sb_grouping_is(&subject->grouping)) /* `made`: for static analysers */
        status = sb_groups_new(made, &subject->grouping, error, &made);
    else if (status == SB_OK && made && subject->grouping.kinds)
        status = sb_kinds_new(made, subject->grouping.kinds, error, &made);
    else if (status == SB_OK && made && sb_item_multiset(made->names))
        status = sb_ties_new(made, error, &made);
    if (status == SB_OK && subject->chained)
        status = sb_chained_new(made, error, &made);
    if (status)
        sb_feed_free(made);
    else
        *feed = made;
    return status;
}

enum sb_status sb_feed_first(struct sb_feed *feed, uint64_t most, struct sb_error *error)
{
    const enum sb_status status = sb_feed_next(feed, most, error);

    return status ? status : sb_feed_check(feed, error);
}

enum sb_status sb_feed_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop, uint64_t most,
                            struct sb_error *error, struct sb_feed **feed)
{
    const struct sb_waiting waiting = { .stop = stop };
    struct sb_feed *made = NULL;
    enum sb_status status = sb_feed_start(subject, &waiting, error, &made);

    if (status == SB_OK)
        status = sb_feed_first(made, most, error);
    if (status)
        sb_feed_free(made);
    else
        *feed = made;
    return status;
}

enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error)
{
    enum sb_status status = subject_values(subject, error);
    struct sb_subject own = *subject;

    if (status == SB_OK)
        status = subject_grouped(&own, error);
    if (status == SB_OK && !subject->scheme)
        status = subject_form(&own, error);
    if (status == SB_OK && (subject->command || subject->file))
        status = sb_stream_check(&own, error);
    return status;
}

/* ---- subject differs ---- */

/* Compares a subject with a saved subject. */

uint64_t sb_subject_words(const struct sb_subject *subject)
{
    uint64_t hash = subject->command ? SB_HASH_EMPTY : 0;

    for (size_t i = 0; subject->command && subject->command[i]; i++)
        hash = sb_hash_add(hash, subject->command[i],
                           strlen(subject->command[i]) + 1); /* hashes the word including its terminating 0 */
    return subject->command && subject->cwd ? sb_hash_add(hash, subject->cwd, strlen(subject->cwd) + 1) : hash;
}

enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name, uint64_t words,
                                  struct sb_error *error, struct sb_mismatch *differs)
{
    const char *const own = subject_kind(subject);
    char was[SB_MISMATCH_ROOM], *is;
    enum sb_status status;

    if (subject->scheme && strcmp(kind, "scheme") == 0) {
        struct sb_scheme saved, asked;

        status = sb_scheme_parse(name, NULL, NULL, error, &saved);
        if (status == SB_OK)
            status = sb_scheme_parse(subject->scheme, subject->draw, subject->rng, error, &asked);
        if (status == SB_OK)
            mismatch_scheme(differs, &saved, &asked, subject->scheme);
        return status;
    }
    is = sb_subject_name(subject);
    if (!is)
        return sb_error_memory(error, "a subject");
    snprintf(was, sizeof was, "%s %s", kind, name);
    sb_mismatch_text(differs, own, strcmp(kind, own) == 0 ? name : was, is);
    if (sb_subject_words(subject) != words)
        sb_mismatch_text(differs, own, "one with other words, or in another folder", is);
    free(is);
    return SB_OK;
}
