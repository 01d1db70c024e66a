/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watch is a gate without an end. It reads and tallies permutations as long as they come. Meanwhile it raises
 * alarms, and writes metrics and a file of the evidence.
 *
 * Alarms are raised by the gate or, if the option `window` is set, by an e-detector (fit/sequential.h), which finds
 * changes that begin late. Both raise alarms only at looks, and looks take place after fixed numbers of permutations.
 * So the same stream has the same alarms on every machine, however often the watch was interrupted. Metrics and
 * checkpoints follow the clock, and do not affect alarms. Memory: the tallies, and a table of fixed size for decks;
 * with the e-detector, also a copy of the tallies for each of its levels.
 */
#include "study/watch/watch.h"
#include "core/system.h"
#include "core/text.h"
#include "study/gate/gate_run.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

/* The most items for which the n^2 cells of positions and successors are tested if the option `window` is set. The
 * detector keeps 40 copies of all counts, and reads some of these copies at every look. With more items, the detector
 * would take longer to read these counts than the watch takes to read the permutations. */
enum { SELECT_WINDOW_ITEMS_MOST = 128 };

enum { WATCH_OUTLIERS_STEP = 1024 }; /* permutations from one look at outliers to the next */

/* Opens the tallies of the statistics. If there is resumed evidence, the statistics are those of the resumed
 * evidence. */
static enum sb_status select_tallies(struct sb_watch_run *run, size_t n, size_t deal)
{
    const struct sb_request *const options = run->options;
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    unsigned what = options->increments ? SB_TALLIES_INCREMENTS : 0;
    const struct sb_multiset *const multiset = sb_item_multiset(run->groups ? run->groups : run->feed->names);
    size_t count = 0;
    enum sb_status status = SB_OK;

    if (!type)
        return sb_error_memory(run->error, "the watch's tallies");
    if (!run->saved) {
        count = sb_selection_choose(multiset, n, deal, options->profile, &run->terms, type);
        count = run->fair ? sb_gate_fair_known(run->fair, &run->terms, type, count) : count;
    } else if (sb_snapshot_types(&run->saved->snapshot, type, &count))
        status = sb_error_set(run->error, SB_IO,
                              "'%.200s' has statistics that version %s does not know: use the version that "
                              "wrote it, or name another file",
                              options->save, SB_VERSION);
    if (!multiset && sb_selection_repeats(NULL, n, deal, type[0]))
        what |= SB_TALLIES_REPEATS_PART;
    if (run->saved ? run->saved->snapshot.watched : !multiset && !run->fair && sb_selection_replays(n, deal))
        what |= SB_TALLIES_REPLAY;
    if (run->saved ? run->saved->snapshot.bet : sb_selection_bets(multiset, n, deal, type[0]))
        what |= SB_TALLIES_BETTOR_ROUNDS;
    if (!run->saved || run->saved->snapshot.outliers.present)
        what |= SB_TALLIES_OUTLIERS_ROUNDS;
    if (options->window && n > SELECT_WINDOW_ITEMS_MOST)
        what |= SB_TALLIES_COARSE;
    if (status == SB_OK && run->fair)
        status = sb_tallies_open_fair(run->fair, multiset, type, count, what, run->error, &run->tallies);
    else if (status == SB_OK)
        status = sb_tallies_open(multiset, n, deal, type, count, what, run->error, &run->tallies);
    if (status == SB_OK && run->saved && !sb_outliers_saved_fit(&run->saved->snapshot.outliers, &run->tallies))
        sb_tallies_leave_outliers(&run->tallies);
    free(type);
    return status;
}

static enum sb_status select_levels(struct sb_watch_run *run)
{
    const struct sb_gate *const gate = &run->watch->gate;
    double *const weight = calloc(gate->lines_count + 1, sizeof *weight);
    enum sb_status status = SB_NO_MEMORY;

    for (size_t i = 0; weight && i < gate->lines_count; i++)
        weight[i] = gate->line[i].weight;
    if (weight)
        status = sb_detector_open(run->tallies.tally, run->tallies.count, weight, run->options->alpha, &run->detector);
    free(weight);
    return status ? sb_error_memory(run->error, "the levels of a watch") : SB_OK;
}

/* Opens the tallies for this n. The tallies start with the resumed evidence, if there is any. Errors:
 * SB_INVALID, SB_IO, SB_TOO_LARGE, SB_NO_MEMORY. */
static enum sb_status watch_select(struct sb_watch_run *run, size_t n, size_t deal)
{
    struct sb_gate *const gate = &run->watch->gate;
    struct sb_gate made = { .name = NULL };
    const struct sb_item_names *const names = run->groups ? run->groups : run->feed->names;
    enum sb_status status = sb_selection_check(sb_item_multiset(names), n, deal, run->options->profile,
                                               run->options->increments, run->error);

    if (status == SB_OK && run->options->fair)
        status = sb_gate_fair_open(run->options, n, deal, run->feed->names, run->error, &run->fair);
    if (status == SB_OK)
        status = select_tallies(run, n, deal);
    if (status)
        return status;
    if (sb_gate_open(&run->terms, run->tallies.tally, run->tallies.count, &made) ||
        sb_gate_leave_out(run->fair, n, deal, &made) || sb_gate_fair_keep(run->fair, false, &made)) {
        sb_gate_close(&made);
        return sb_error_memory(run->error, "the watch's statistics");
    }
    made.name = gate->name;
    made.title = gate->title;
    made.kind = gate->kind;
    made.chained = gate->chained;
    made.n = n;
    made.deal = deal;
    made.watched = run->tallies.repeat;
    *gate = made;
    run->watch->compared = made.watched ? UINT64_C(1) << SB_REPEATS_PART : 0;
    run->ready = true;
    if (run->options->window)
        status = select_levels(run);
    return status || !run->saved ? status : sb_watch_resume(run);
}

/* The same for resumed evidence. Its sets and hands have names before the first line comes. */
static enum sb_status watch_select_saved(struct sb_watch_run *run)
{
    struct sb_grouping named = run->subject->grouping;
    const struct sb_grouping *const grouping = &named;
    size_t n = run->saved->asked.n, dealt = grouping->sets ? run->saved->asked.deal : 0;
    enum sb_status status = SB_OK;

    named.seats = run->saved->seats ? sb_bridge_hands : NULL;
    if (sb_grouping_is(grouping)) {
        status = sb_grouping_settle(grouping, &n, &dealt, run->error);
        if (status == SB_OK)
            status = sb_grouping_names(grouping, NULL, n, dealt, run->error, &run->groups);
    }
    return status ? status : watch_select(run, n, run->saved->deal);
}

/* A file to read or write, and the option that names it. */
struct check_file {
    const char *what, *path; /* `path` is NULL if the file was not requested */
    bool written;
};

/* If the file exists, checks that it is a regular file, because the watch replaces the file. */
static enum sb_status check_target(const struct check_file *file, struct sb_error *error)
{
    struct stat about;
    bool there;

    if (!file->written || sb_file_status(file->path, false, &there, &about) || !there || S_ISREG(about.st_mode))
        return SB_OK; /* if sb_file_status() failed, a later call fails, too, and reports an error */
    return sb_error_set(error, SB_INVALID, "'%.200s' is no file, and cannot be replaced: name another", file->path);
}

static enum sb_status check_folder(const struct check_file *file, struct sb_error *error)
{
    const char *const slash = strrchr(file->path, '/');
    const int length = slash ? (int)(slash - file->path) : 0;
    char folder[PATH_MAX];
    struct stat there;

    if (length == 0 || snprintf(folder, sizeof folder, "%.*s", length, file->path) >= PATH_MAX ||
        stat(folder, &there) == 0 || errno != ENOENT)
        return SB_OK;
    return sb_error_set(error, SB_IO, "cannot %s '%.200s': there is no folder '%.200s': make it, or name another file",
                        file->written ? "write" : "read", file->path, folder);
}

static bool check_same(const char *path, const char *other)
{
    struct stat one, two;
    bool first, second;

    return strcmp(path, other) == 0 ||
           (sb_file_status(path, false, &first, &one) == 0 && sb_file_status(other, false, &second, &two) == 0 &&
            first && second && one.st_dev == two.st_dev && one.st_ino == two.st_ino);
}

static enum sb_status check_files(const struct sb_subject *subject, const struct sb_request *options,
                                  struct sb_error *error)
{
    const bool reads = subject->file && strcmp(subject->file, "-") != 0;
    const struct check_file file[] = {
        { .what = "what is watched,", .path = reads ? subject->file : NULL },
        { .what = "`save`", .path = options->save, .written = true },
        { .what = "`metrics`", .path = options->metrics, .written = true },
    };

    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        enum sb_status status = SB_OK;

        if (!file[i].path)
            continue;
        for (size_t j = 0; j < i; j++)
            if (file[j].path && check_same(file[i].path, file[j].path))
                return sb_error_set(error, SB_INVALID, "%s '%.150s' and %s '%.150s' are one file: name another",
                                    file[j].what, file[j].path, file[i].what, file[i].path);
        status = check_target(&file[i], error);
        if (status == SB_OK && (file[i].written || options->follow))
            status = check_folder(&file[i], error);
        if (status)
            return status;
    }
    return SB_OK;
}

/* Checks the request to a watch as far as possible before the watch starts. A watch may replace its files for years.
 * No file may be both read and written, and no two outputs may go to one file: the content would be lost at the first
 * checkpoint. SB_INVALID; SB_IO if a folder is missing. */
static enum sb_status watch_check(const struct sb_subject *subject, const struct sb_request *options,
                                  struct sb_error *error)
{
    if (options->follow && (!subject->file || strcmp(subject->file, "-") == 0))
        return sb_error_set(error, SB_INVALID, "only a file can be followed: name a file, or leave `follow` out");
    if (options->save && subject->file && subject->chained)
        return sb_error_set(error, SB_INVALID,
                            "`chained` does not go with `save` and a file: the step between what was read "
                            "before and after would be lost: use `increments`, or leave `save` out");
    return options->fair && sb_fair_check(options, error) ? SB_INVALID : check_files(subject, options, error);
}

/* Notes where the input has the least likely deck, if it is one of these decks. */
static void watch_note_odd(const struct sb_watch_run *run, const struct sb_outliers *outliers, const sb_item items[],
                           struct sb_watch_odd *odd)
{
    const struct sb_outlier *const worst = sb_outliers_worst(outliers);
    const struct sb_feed *const feed = run->feed;

    if (!worst || !feed->where || worst->number <= run->watch->total)
        return;
    odd->deck = worst->number;
    feed->where(feed, items + (worst->number - run->watch->total - 1) * feed->deal, odd->where, sizeof odd->where);
}

static enum sb_status watch_tally(void *state, const sb_item items[], size_t count)
{
    struct sb_watch_run *const run = state;

    sb_tallies_add(&run->tallies, items, count);
    watch_note_odd(run, run->tallies.outliers, items, &run->odd);
    watch_note_odd(run, run->tallies.step_outliers, items, &run->odd_step);
    run->watch->total += count;
    run->watch->last = (double)time(NULL);
    return SB_OK;
}

static enum sb_status watch_save(void *state)
{
    struct sb_watch_run *const run = state;
    const enum sb_status status = run->begun ? SB_OK : sb_watch_first_save(run);

    run->begun = true;
    sb_watch_idle(run);
    return status;
}

static enum sb_status watch_look_window(struct sb_watch_run *run)
{
    const struct sb_tally *const tally = run->tallies.tally;
    const uint64_t alarms = run->watch->alarms;
    enum sb_status status = SB_OK;

    sb_tallies_read(&run->tallies);
    const bool alarm = sb_detector_look(&run->detector, tally, run->watch->total);

    if (alarm)
        status = sb_watch_raise(run);
    if (run->watch->alarms > alarms)
        sb_detector_silence(&run->detector, run->watch->total);
    if (run->watch->alarms > alarms || run->watch->total % SB_BETTOR_ROUND == 0) { /* names no deck before an alarm */
        sb_outliers_forget(run->tallies.outliers);
        sb_outliers_forget(run->tallies.step_outliers);
        sb_replay_forget(run->tallies.replay);
    }
    sb_detector_start(&run->detector, tally, run->watch->total);
    return status;
}

/* The first look of a gate after `total` permutations. */
static uint64_t watch_gate_look(uint64_t total)
{
    uint64_t look = 0;

    while (look <= total)
        look = sb_gate_next_look(look);
    return look;
}

/* Returns the number of permutations at which the next look is due. Looks are due at the same numbers whether
 * or not the watch was interrupted. Outliers have looks of their own, for after years the gate's come late. */
static uint64_t watch_next_look(const struct sb_watch_run *run)
{
    const uint64_t total = run->watch->total, soon = (total / WATCH_OUTLIERS_STEP + 1) * WATCH_OUTLIERS_STEP;

    if (run->options->window)
        return sb_detector_next_look(total);
    const uint64_t look = watch_gate_look(total);

    return (run->tallies.outliers || run->tallies.step_outliers) && soon < look ? soon : look;
}

/* Whether outliers alone may raise an alarm. */
static bool watch_outliers_reach(const struct sb_watch_run *run)
{
    struct sb_outliers *const family[] = { run->tallies.outliers, run->tallies.step_outliers };
    bool reach = false;

    for (size_t f = 0; f < sizeof family / sizeof family[0] && run->watch->alarms == 0; f++) {
        if (!family[f])
            continue;
        sb_outliers_read(family[f]);
        reach = reach || family[f]->ln_e + log(sb_outlier_share) >= -log(run->terms.alpha);
    }
    return reach;
}

static enum sb_status watch_look(void *state)
{
    struct sb_watch_run *const run = state;

    run->loop.look = watch_next_look(run);
    if (run->options->window)
        return watch_look_window(run);
    if (watch_gate_look(run->watch->total - 1) != run->watch->total && !watch_outliers_reach(run))
        return SB_OK;
    enum sb_status status = sb_watch_refresh(run);

    if (status == SB_OK && run->watch->gate.verdict == SB_VERDICT_FAIL && run->watch->alarms == 0)
        status = sb_watch_raise(run);
    return status;
}

/* Waits for the first permutation, which determines n. Does not wait if a saved file determines n. */
static enum sb_status watch_begin(struct sb_watch_run *run)
{
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sb_feed *const feed = run->feed;
    enum sb_status status;

    if (run->ready || run->loop.ended)
        return SB_OK;
    status = sb_feed_next(feed, 1, run->error);
    if (status == SB_STOPPED || (status == SB_OK && feed->count == 0 && stop && *stop)) {
        run->loop.interrupted = run->loop.ended = true;
        return SB_OK;
    }
    if (status == SB_OK)
        status = sb_feed_check(feed, run->error);
    return status ? status : watch_select(run, feed->n, feed->deal);
}

/* If the run was rejected as a repeated run, forgets its fingerprint. If the run ended before any permutation
 * was tallied, reports this. */
static void watch_recognised(struct sb_watch_run *run, enum sb_status status)
{
    struct sb_fingerprint *const fingerprint = &run->fingerprint;
    char line[512];

    if (run->recogniser.repeated) {
        *fingerprint = (struct sb_fingerprint) { .decks = 0 };
        run->tallies.step.begun = false;
    } else if (status == SB_OK && fingerprint->adds && fingerprint->decks &&
               fingerprint->decks < SB_FINGERPRINT_DECKS) {
        snprintf(line, sizeof line,
                 "%.100s: %s after %zu permutation%s, which add nothing to '%.200s': the first %d of a run "
                 "that adds to earlier ones only serve to recognise it",
                 run->feed->name, run->loop.interrupted ? "stopped" : "ended", fingerprint->decks,
                 fingerprint->decks == 1 ? "" : "s", run->options->save, SB_FINGERPRINT_DECKS);
        sb_watch_tell(run, line);
    }
}

static enum sb_status watch_go_on(struct sb_watch_run *run)
{
    static const struct sb_run_hooks hooks = {
        .tally = watch_tally,
        .save = watch_save,
        .look = watch_look,
    };
    struct sb_run *const loop = &run->loop;
    const uint64_t limit = run->options->limit;
    enum sb_status status = watch_begin(run);

    loop->hooks = &hooks;
    loop->total = run->watch->total;
    loop->look = watch_next_look(run);
    loop->most = limit && limit < INT64_MAX - loop->total ? loop->total + limit : INT64_MAX;
    if (status == SB_OK)
        status = sb_run_loop(loop);
    watch_recognised(run, status);
    run->watch->interrupted = loop->interrupted;
    return status;
}

static enum sb_status watch_learn(void *state, const sb_item items[], size_t count)
{
    const struct sb_watch_run *const run = state;

    sb_bettor_learn(run->tallies.bettor, items, count);
    return SB_OK;
}

/* Skips the permutations that a scheme yielded in earlier runs. A bettor bets in rounds (tally/order.h), and
 * learns again from those skipped permutations that belong to its current round. */
static enum sb_status watch_pass(struct sb_watch_run *run)
{
    static const struct sb_run_hooks skips = { .tally = NULL }, learns = { .tally = watch_learn };
    const uint64_t carried = run->watch->carried;
    struct sb_run pass = { .feed = run->feed, .hooks = &skips, .state = run, .error = run->error };
    enum sb_status status;

    if (!run->subject->scheme)
        return SB_OK;
    pass.most = run->tallies.bettor ? carried - carried % SB_BETTOR_ROUND : carried;
    if (run->feed->skip)
        pass.total = run->feed->skip(run->feed, pass.most);
    status = sb_run_loop(&pass);
    if (status == SB_OK && !pass.ended && run->tallies.bettor) {
        pass.hooks = &learns;
        pass.most = carried;
        status = sb_run_loop(&pass);
    }
    run->loop.interrupted = run->loop.ended = pass.interrupted;
    return status;
}

/* Puts the recogniser before the loop if needed. A scheme or a file needs no recogniser, because it resumes at the
 * saved position. A command, a pipe or a function starts a new run, whose permutations are added to the evidence of
 * earlier runs; the recogniser checks that the new run does not repeat an earlier run. */
static void watch_recognise(struct sb_watch_run *run)
{
    if (!run->options->save || run->subject->scheme || run->feed->position)
        return;
    run->fingerprint.adds = run->watch->carried > 0;
    run->recogniser = (struct sb_recogniser) {
        .feed = { .next = sb_recogniser_next },
        .inner = run->feed,
        .stop = run->options->stop,
        .tallies = &run->tallies,
        .own = &run->fingerprint,
        .earlier = &run->fingerprints,
        .name = run->feed->name,
        .path = run->options->save,
    };
    run->loop.feed = &run->recogniser.feed;
}

static enum sb_status watch_start(struct sb_watch_run *run)
{
    const struct sb_request *const options = run->options;
    const struct sb_waiting waiting = {
        .stop = options->stop,
        .idle = sb_watch_idle,
        .idle_state = run,
        .positions = options->follow || options->save,
        .following = {
            .on = options->follow,
            .from = run->saved ? run->saved->position : (struct sb_log_position) { .inode = 0 },
            .reopen = options->reopen,
            .tell = options->tell,
            .state = options->tell_state,
            .gaps = &run->watch->gaps,
        },
    };
    enum sb_status status = sb_feed_start(run->subject, &waiting, run->error, &run->feed);

    if (status)
        return status;
    run->watch->gate.kind = run->feed->kind;
    run->watch->gate.name = strdup(run->feed->name);
    if (run->subject->title)
        run->watch->gate.title = sb_sanitize_text(run->subject->title, SB_TITLE_MOST);
    if (!run->watch->gate.name || (run->subject->title && !run->watch->gate.title))
        return sb_error_memory(run->error, "a subject");
    if (run->saved)
        status = watch_select_saved(run);
    run->loop = (struct sb_run) {
        .feed = run->feed,
        .stop = options->stop,
        .state = run,
        .error = run->error,
    };
    watch_recognise(run);
    return status ? status : watch_pass(run);
}

enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_request *options, struct sb_error *error,
                            struct sb_watch **watch)
{
    struct sb_request usual;
    struct sb_subject own = *subject;
    struct sb_watch_run run = { .subject = &own, .options = options, .error = error, .lock = -1 };
    enum sb_status status = watch_check(&own, options, error);
    bool begun = false;

    if (status)
        return status;
    sb_request_init(&usual, SB_GATE);
    run.terms = (struct sb_gate_terms) {
        .alpha = options->alpha, .delta = options->delta, .exclude = usual.exclude, .limit = usual.limit
    };
    run.watch = calloc(1, sizeof *run.watch);
    if (!run.watch)
        return sb_error_memory(error, "a watch");
    run.watch->window = options->window;
    run.watch->ln_sum = -HUGE_VAL;
    run.watch->gate.terms = run.terms;
    run.watch->gate.tv_high = 1;
    run.checkpoint.due = sb_clock_now() + options->checkpoint;
    own.timeout = own.timeout > 0 ? own.timeout : INFINITY;
    status = sb_watch_read(&run);
    run.watch->gate.chained = own.chained;
    if (status == SB_OK)
        status = watch_start(&run);
    if (status == SB_OK)
        status = sb_watch_first(&run);
    begun = status == SB_OK;
    if (status == SB_OK)
        status = watch_go_on(&run);
    if (begun)
        status = sb_watch_end(&run, status);
    if (status == SB_OK)
        status = sb_watch_conclude(&run);
    run.watch->command = sb_reproduce(options, NULL, options->follow ? NULL : &own, NULL, 0);
    if (status == SB_OK && (!run.watch->command || sb_gate_fair_keep(NULL, run.tallies.weigher, &run.watch->gate)))
        status = sb_error_memory(error, "a watch");
    if (run.lock >= 0)
        close(run.lock);
    sb_saved_free(run.saved);
    sb_detector_close(&run.detector);
    sb_tallies_close(&run.tallies);
    sb_item_names_free(run.groups);
    sb_fair_free(run.fair);
    sb_feed_free(run.feed);
    if (status)
        sb_watch_free(run.watch);
    else
        *watch = run.watch;
    return status;
}

void sb_watch_free(struct sb_watch *watch)
{
    if (!watch)
        return;
    sb_gate_close(&watch->gate);
    sb_gate_close(&watch->alarm);
    free(watch->sentence);
    free(watch->command);
    free(watch);
}
