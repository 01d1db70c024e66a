/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of an outside shuffle, the peer, by trying every answer to each question of the
 * peer. A path is a series of answers that leads to a deck.
 *
 * A path whose questions have the bounds b1, b2, ... has probability 1/(b1 b2 ...). The oracle first
 * estimates from random paths how many paths there are (Knuth, doi:10.1090/S0025-5718-1975-0373371-6). The
 * oracle refuses a peer whose deck depends on anything but the answers. So each run must repeat the questions
 * on its path. At the end the oracle repeats many paths, which must lead to the same decks as before.
 *
 * Cost: one shuffle for each path, and k + 1 more if k > 0 questions of the path ask for a number in [0, 1). At
 * the end, up to 1024 more shuffles.
 */
#include "exact/oracle.h"

#include "core/text.h"

/* ---- questions and answers as one short line of text for people ---- */

enum { TRANSCRIPT_ROOM = 200 };

/* Text such as "draw 3: 1, random: 0.25, deck 0 2 1". For a long run, only the end is shown. */
struct transcript {
    char text[TRANSCRIPT_ROOM];
};

enum { WORDS_QUESTIONS = 7 }; /* a line shows at most this many questions, the last ones of a path */

struct words_line {
    struct transcript transcript;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void words_add(struct words_line *line, const char *format, ...)
{
    char *const text = line->transcript.text;
    va_list arguments;

    va_start(arguments, format);
    const int length = sb_decimal_format_list(text + line->used, TRANSCRIPT_ROOM - line->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->used += (size_t)length;
    if (line->used >= TRANSCRIPT_ROOM)
        line->used = TRANSCRIPT_ROOM - 1;
}

static void words_question(struct words_line *line, const struct sb_question *question)
{
    if (question->number)
        words_add(line, "random");
    else
        words_add(line, "draw %u", question->bound);
}

/* Shows the first `answered` questions of the run's path with their answers. Then shows the question `next`
 * or, if `next` is NULL, the deck. */
static struct transcript transcript_of(const struct sb_oracle_run *run, size_t answered, const struct sb_question *next,
                                       const sb_item deck[])
{
    struct words_line line = { .used = 0 };
    const size_t from = answered > WORDS_QUESTIONS ? answered - WORDS_QUESTIONS : 0;

    if (from > 0)
        words_add(&line, "... ");
    for (size_t i = from; i < answered; i++) {
        const struct sb_question *const question = &run->path[i];

        words_question(&line, question);
        if (question->number)
            words_add(&line, ": %.4g, ", sb_oracle_run_number(run, i));
        else
            words_add(&line, ": %u, ", question->answer);
    }
    if (next) {
        words_question(&line, next);
        return line.transcript;
    }
    words_add(&line, "deck");
    for (size_t i = 0; i < run->oracle->n; i++)
        words_add(&line, " %u", deck[i]);
    return line.transcript;
}

/* If the run has strayed from its path, shows the questions that were on the path, and then the question or
 * deck that differs from the path. Otherwise shows the whole run. */
static struct transcript transcript_now(const struct sb_oracle_run *run)
{
    if (!run->strayed)
        return transcript_of(run, run->length, NULL, run->deck);
    return transcript_of(run, run->passed, run->stray.bound ? &run->stray : NULL, run->deck);
}

/* Shows the original path up to the question that the run did not repeat. If the run repeated all questions,
 * shows the whole path and the deck of `rank`. */
static struct transcript transcript_before(const struct sb_oracle_run *run, size_t rank)
{
    const size_t n = run->oracle->n, at = run->strayed ? run->passed : run->length;
    sb_item deck[SB_ORACLE_ITEMS_MOST] = { 0 };

    if (at < run->length)
        return transcript_of(run, at, &run->path[at], run->deck);
    sb_permutation_unrank(n, n, rank, deck);
    return transcript_of(run, at, NULL, deck);
}

/* ---- the law ---- */

enum {
    ORACLE_PROBES = 64,
    ORACLE_AGAIN = 1024, /* the largest number of paths to repeat at the end */
    /* the fewest runs at the end; if there are fewer paths, some paths are repeated several times */
    ORACLE_AGAIN_LEAST = 64,
};

/* A path and its deck, kept to repeat the path at the end. */
struct oracle_leaf {
    struct sb_oracle_branch last;
    size_t rank;
};

struct oracle_work {
    const struct sb_oracle *oracle;
    struct sb_error *error;
    struct sb_oracle_run run;
    struct sb_oracle_tree tree;
    struct sb_evidence *evidence;
    struct sb_inquiry *inquiry; /* evidence->inquiry */
    double expected;            /* estimated number of paths */
    uint64_t seen;              /* number of paths with a deck so far */
    uint64_t stride;            /* every stride-th of these paths is kept */
    size_t kept;
    struct oracle_leaf leaf[ORACLE_AGAIN];
};

uint32_t sb_oracle_cells(size_t n)
{
    uint32_t cells = 1;

    for (uint32_t k = 2; k <= n; k++) {
        uint32_t a = cells, b = k;

        while (b) {
            const uint32_t rest = a % b;

            a = b;
            b = rest;
        }
        cells *= k / a;
    }
    return cells;
}

/* Reports that a path, repeated with the same answers, gave a different result. What else the result depends on is not
 * known, so the line accuses nothing of it. */
static enum sb_status oracle_moody(const struct oracle_work *work, size_t rank)
{
    const struct sb_oracle_run *const run = &work->run;

    return sb_error_set(
        work->error, SB_SUBJECT,
        "%s: %s, so it depends on something else, such as random numbers from another source or earlier "
        "shuffles: first '%s', then '%s'",
        work->oracle->peer->name,
        run->length || run->asked ? "the same answers do not lead to the same shuffle"
                                  : "it asks for no draw, but its decks differ",
        transcript_before(run, rank).text, transcript_now(run).text);
}

/* Reports that there are too many paths. If questions for numbers are the cause, also reports what may help.
 * With two cells for each number, there would be about `coins` paths. */
static enum sb_status oracle_refuse(const struct oracle_work *work, bool numbers, double coins)
{
    const struct sb_oracle *const oracle = work->oracle;
    char instead[200] = "", coin[100] = "";

    if (numbers && oracle->cells > 2 && coins <= (double)oracle->paths_most)
        sb_decimal_format(coin, sizeof coin, ", or use `cells=2` (about %.0f series) if it is but a coin", coins);
    if (numbers)
        snprintf(instead, sizeof instead, "; each 'random' has %u answers: ask 'draw K' in its place%s", oracle->cells,
                 coin);
    return sb_error_set(
        work->error, SB_TOO_LARGE,
        "%.120s: about %.2g series of answers lie ahead at `n = %zu` and no more than %.12g are asked for: "
        "use a smaller n, or `paths`%s",
        oracle->peer->name, work->expected, oracle->n, (double)oracle->paths_most, instead);
}

static enum sb_status oracle_probe(struct oracle_work *work)
{
    struct sb_oracle_run *const run = &work->run;
    double coins = 0;
    bool numbers = false;

    for (int k = 0; k < ORACLE_PROBES; k++) {
        double product = 1, tosses = 1;

        run->length = 0;
        const enum sb_status status = sb_oracle_run_once(run, SB_ORACLE_RANDOM, SB_ORACLE_MIDDLE, work->error);
        if (status)
            return status;
        for (size_t i = 0; i < run->length; i++) {
            product *= run->path[i].bound;
            tosses *= run->path[i].number ? 2 : run->path[i].bound;
        }
        numbers = numbers || run->numbers;
        work->expected += product / ORACLE_PROBES;
        coins += tosses / ORACLE_PROBES;
    }
    return work->expected <= (double)work->oracle->paths_most ? SB_OK : oracle_refuse(work, numbers, coins);
}

static enum sb_status oracle_count(struct oracle_work *work)
{
    const struct sb_oracle_run *const run = &work->run;
    struct sb_evidence *const evidence = work->evidence;
    uint64_t narrow = 1;
    bool fits = evidence->counts.form != SB_NUMBERS_WIDE;
    mpz_t wide, one;

    for (size_t i = 0; i < run->length && fits; i++)
        fits = !__builtin_mul_overflow(narrow, (uint64_t)run->path[i].bound, &narrow);
    if (fits && sb_exact_add(evidence, run->rank, 1, narrow))
        return SB_OK;
    if (evidence->counts.form != SB_NUMBERS_WIDE && sb_exact_widen(evidence))
        return SB_NO_MEMORY;
    mpz_init_set_ui(wide, 1);
    mpz_init_set_ui(one, 1);
    for (size_t i = 0; i < run->length; i++)
        mpz_mul_ui(wide, wide, run->path[i].bound);
    sb_exact_add_wide(evidence, run->rank, one, wide);
    mpz_clears(wide, one, NULL);
    return SB_OK;
}

/* Keeps a path for repetition, or skips it. Starts by keeping every path. Each time the array is full, drops
 * every second path in the array, and from then on keeps half as many of the new paths. */
static void oracle_keep(struct oracle_work *work, struct sb_oracle_branch last)
{
    if (work->seen++ % work->stride)
        return;
    if (work->kept == ORACLE_AGAIN) {
        work->kept = ORACLE_AGAIN / 2;
        work->stride *= 2;
        for (size_t i = 0; i < work->kept; i++)
            work->leaf[i] = work->leaf[2 * i];
    }
    work->leaf[work->kept++] = (struct oracle_leaf) { last, work->run.rank };
}

/* Runs the path again with its numbers elsewhere in their cells: the numbers of the first `high` questions at the high
 * ends, and the others at `end`. Sets *other to whether the deck or the questions change. */
static enum sb_status oracle_try(struct oracle_work *work, size_t high, enum sb_oracle_end end, size_t rank,
                                 bool *other)
{
    struct sb_oracle_run *const run = &work->run;

    run->high = high;
    const enum sb_status status = sb_oracle_run_once(run, SB_ORACLE_NONE, end, work->error);

    *other = status == SB_OK && (run->cut || run->strayed || run->rank != rank);
    return status;
}

static void oracle_example(struct oracle_work *work, size_t rank)
{
    const struct transcript then = transcript_now(&work->run);

    work->run.end = SB_ORACLE_MIDDLE;
    work->run.high = 0;
    snprintf(work->inquiry->example, sizeof work->inquiry->example, "'%s', but '%s'",
             transcript_before(&work->run, rank).text, then.text);
}

/* Sets *tight to whether the deck stays the same when the numbers on its path move within their cells. All numbers
 * start at the low ends. Then one number after another moves to the high end. If all of them moved at once, two changes
 * of the deck could cancel out, such as two exchanges of the same items. */
static enum sb_status oracle_tight(struct oracle_work *work, bool *tight)
{
    struct sb_oracle_run *const run = &work->run;
    const size_t rank = run->rank;
    bool other = false, moody;
    enum sb_status status = SB_OK;

    for (size_t high = 0; high <= run->length && status == SB_OK && !other && run->numbers; high++)
        if (high == 0 || run->path[high - 1].number)
            status = oracle_try(work, high, SB_ORACLE_LOW, rank, &other);
    *tight = !other;
    if (status == SB_OK && other) {
        if (!work->inquiry->example[0])
            oracle_example(work, rank);
        status = oracle_try(work, 0, SB_ORACLE_MIDDLE, rank, &moody);
        if (status == SB_OK && moody)
            status = oracle_moody(work, rank);
    }
    run->high = 0;
    return status;
}

static enum sb_status oracle_path(struct oracle_work *work, struct sb_oracle_branch branch)
{
    struct sb_oracle_run *const run = &work->run;
    struct sb_oracle_branch last;
    bool tight;

    sb_oracle_tree_path(&work->tree, branch, run);
    enum sb_status status = sb_oracle_run_once(run, SB_ORACLE_FIRST, SB_ORACLE_MIDDLE, work->error);
    if (status)
        return status;
    if (run->strayed)
        return oracle_moody(work, 0);
    if (run->numbers)
        work->inquiry->cells = work->oracle->cells;
    if (sb_oracle_tree_add(&work->tree, run, branch, &last))
        return sb_error_memory(work->error, "so many questions");
    if (run->cut) {
        work->inquiry->cut += run->length == work->oracle->draws_most;
        return SB_OK;
    }
    status = oracle_tight(work, &tight);
    if (status)
        return status;
    if (!tight) {
        work->inquiry->loose++;
        return SB_OK;
    }
    oracle_keep(work, last);
    return oracle_count(work) ? sb_error_memory(work->error, "the exact law") : SB_OK;
}

/* Returns how many paths there will probably be, after `done` paths. Past twice the estimate, the shuffle has a loop
 * that rejects: random answers leave it soon, so that the estimate is too low, and the walk goes on to its limit. */
static double oracle_ahead(const struct oracle_work *work, uint64_t done)
{
    const double known = (double)done + (double)work->tree.waiting, most = (double)work->oracle->paths_most;

    return (double)done > 2 * work->expected ? most : fmin(most, fmax(work->expected, known));
}

static void oracle_progress(const struct oracle_work *work, uint64_t done)
{
    const struct sb_oracle *const oracle = work->oracle;

    if (oracle->progress)
        oracle->progress(oracle->progress_state, oracle->peer->name, done,
                         (uint64_t)fmin(oracle_ahead(work, done), 0x1p63));
}

/* Follows every path, as far as the limits allow. If the stop flag is raised after the first result, this is
 * not an error. */
static enum sb_status oracle_walk(struct oracle_work *work)
{
    const struct sb_oracle *const oracle = work->oracle;
    struct sb_oracle_branch branch = { SB_ORACLE_ROOT, 0 };
    struct sb_inquiry *const inquiry = work->inquiry;
    bool more = true;

    for (uint64_t paths = 0;
         more && paths < oracle->paths_most && work->tree.count + oracle->draws_most <= SB_ORACLE_NODES_MOST; paths++) {
        const enum sb_status status = oracle_path(work, branch);

        if (status == SB_STOPPED && work->seen > 0) {
            work->evidence->interrupted = true;
            break;
        }
        if (status)
            return status;
        oracle_progress(work, paths + 1);
        more = sb_oracle_tree_next(&work->tree, &branch);
    }
    inquiry->complete = !more;
    inquiry->paths = work->seen;
    return SB_OK;
}

/* Repeats the kept paths in random order, so that a peer whose decks depend on a hidden counter is detected. */
static enum sb_status oracle_again(struct oracle_work *work)
{
    struct sb_oracle_run *const run = &work->run;
    const size_t times = work->kept < ORACLE_AGAIN_LEAST ? ORACLE_AGAIN_LEAST : work->kept;
    uint64_t state = 1;

    for (size_t i = 0; i < times && work->kept > 0 && !work->evidence->interrupted; i++) {
        const struct oracle_leaf *const leaf = &work->leaf[sb_oracle_random(&state) % work->kept];

        sb_oracle_tree_path(&work->tree, leaf->last, run);
        const enum sb_status status = sb_oracle_run_once(run, SB_ORACLE_NONE, SB_ORACLE_MIDDLE, work->error);
        if (status == SB_STOPPED)
            return SB_OK; /* all paths have been followed already */
        if (status)
            return status;
        if (run->strayed || run->cut || run->rank != leaf->rank)
            return oracle_moody(work, leaf->rank);
    }
    return SB_OK;
}

static enum sb_status oracle_open(struct oracle_work *work)
{
    struct sb_evidence *const evidence = work->evidence;
    const struct sb_oracle *const oracle = work->oracle;

    if (sb_oracle_run_open(oracle, &work->run) || sb_oracle_tree_open(oracle->draws_most, &work->tree) ||
        sb_evidence_open(SB_BY_EXACT, oracle->n, oracle->n, evidence))
        return SB_NO_MEMORY;
    strcpy(evidence->engine, "oracle");
    evidence->inquiry = work->inquiry = calloc(1, sizeof *work->inquiry);
    if (!work->inquiry)
        return SB_NO_MEMORY;
    mpq_init(work->inquiry->unresolved);
    return SB_OK;
}

enum sb_status sb_oracle_law(const struct sb_oracle *oracle, struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    struct oracle_work *work;
    enum sb_status status;

    if (oracle->n > SB_ORACLE_ITEMS_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "`n = %zu` has too many orders to count: use n <= %d", oracle->n,
                            SB_ORACLE_ITEMS_MOST);
    work = calloc(1, sizeof *work);
    if (!work)
        return sb_error_memory(error, "the oracle");
    work->oracle = oracle;
    work->error = error;
    work->stride = 1;
    work->evidence = &made;
    status = oracle_open(work) ? sb_error_memory(error, "the oracle") : oracle_probe(work);
    if (status == SB_OK)
        status = oracle_walk(work);
    if (status == SB_OK)
        status = oracle_again(work);
    sb_oracle_run_close(&work->run);
    sb_oracle_tree_close(&work->tree);
    free(work);
    if (status) {
        sb_evidence_close(&made);
        return status;
    }
    sb_exact_settle(&made, made.inquiry->unresolved);
    *evidence = made;
    return SB_OK;
}
