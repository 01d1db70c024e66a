/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes: a shuffle, its draw and its generator, written SHUFFLE[:P][/DRAW[:W][/RNG]]. */
#ifndef SB_SUBJECT_SUBJECT_H
#define SB_SUBJECT_SUBJECT_H

#include "exact/engine.h"
#include "rng/rng.h"
#include "statistic/statistic.h"

#include <sys/types.h>
#include <time.h>

enum { SB_SCHEME_ROOM = 192 }; /* bytes that are enough for any scheme's name */

struct sb_scheme {
    struct sb_shuffle shuffle;
    struct sb_draw draw;
    struct sb_rng rng;
    char name[SB_SCHEME_ROOM];         /* name of the whole scheme; leaves out the defaults `ideal` and `philox` */
    char shuffle_name[SB_SCHEME_ROOM]; /* name of the shuffle with its parameter, such as "sort-by-key:53" */
    char draw_name[SB_SCHEME_ROOM];    /* name of the draw with its parameter */
};

/* Parses a scheme. `draw` and `rng` replace the parts that the scheme leaves out; NULL stands for "ideal" or "philox".
 * Error: SB_INVALID if a name is unknown (the error line suggests other names), a parameter is out of range, or the
 * draw needs more bits than the generator's words have. */
enum sb_status sb_scheme_parse(const char *text, const char *draw, const char *rng, struct sb_error *error,
                               struct sb_scheme *scheme);

/* Checks `draw` and `rng`, the defaults for schemes that name no draw or no generator. Each may be NULL.
 * Error: SB_INVALID. */
enum sb_status sb_scheme_defaults_check(const char *draw, const char *rng, struct sb_error *error);

/* Checks that the scheme can deal `deal` of n items. An exact draw requires a generator with at least n
 * different words. A shuffle that draws until an answer is new requires enough possible answers. Errors:
 * SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_check(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error);

/* Makes the request with which the exact engines compute the law of a scheme. Uses only these options:
 * threads, stop and progress. The request borrows all pointers. */
struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_request *options);

/* Checks the numbers in the options, and replaces 0 by the default where 0 stands for a default. n may be up to
 * SB_COMPUTED_MOST or, in a request to deal, SB_ITEMS_MOST. Error: SB_INVALID. */
enum sb_status sb_options_settle(const struct sb_request *options, struct sb_error *error, struct sb_request *settled);

/* The difference between a requested run and a saved run. The caller compares one field after another. The struct keeps
 * the name of the first field that differs, and both values, for example "seed", 1 and 2. */

enum { SB_MISMATCH_ROOM = 208 };

/* Initialise the struct with zeroes. */
struct sb_mismatch {
    const char *field;                                /* name of the field; NULL: no difference so far; static */
    char was[SB_MISMATCH_ROOM], is[SB_MISMATCH_ROOM]; /* the two values, truncated if long */
};

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is);

/* Compares whole texts, but keeps only the part that fits. A text of NULL means that the field has no value. */
void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is);

/* If there is a difference from the run saved at `path`, writes the error line and returns SB_INVALID;
 * otherwise returns SB_OK. */
enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error);

struct sb_stream;

enum { SB_LINE_TIME = 32 }; /* bytes of a time */

/* Finds the deck in each line of a text. */
struct sb_lines {
    /* Replaces each complete line in the `length` bytes of the text by its deck and blanks, and returns the length of
     * these lines. The bytes begin a line, and text[length] can be changed. `ended`: whether the last line is complete
     * without a line end, too. */
    size_t (*replace)(struct sb_lines *self, char text[], size_t length, bool ended, double deadline);
    /* Copies the time that stands in a line of the last bytes; leaves `when` unchanged if there is none. */
    void (*when)(const struct sb_lines *self, uint64_t line, char when[SB_LINE_TIME]);
    void (*free)(struct sb_lines *self);
    struct sb_error error; /* to be reported after all lines before the error */
};

struct sb_bytes {
    const char *name;         /* name to show in messages, such as "standard input"; owned */
    const char *unit;         /* what a line of the bytes is in the source, such as "deck"; NULL: a line */
    const char *const *seats; /* [4] what the source calls four hands; static; NULL: nothing */
    /* Whether bytes are lost between the last read and the reads before it, because a log was truncated. Then
     * an incomplete line or record from before the gap does not continue. Each read sets this. */
    bool gap;
    /*
     * Waits for bytes and reads 1..room of them. At the end of the bytes, sets *got to 0. Waits at most until
     * sb_clock_now() reaches `deadline`. After the deadline the function fails even if there are bytes, so
     * that an endless stream without a permutation also ends. Errors: SB_SUBJECT if the deadline passes, or,
     * at the end of the bytes, if a command failed (exited with an error status, or was killed by a signal);
     * SB_STOPPED if the stop flag is raised; SB_IO.
     */
    enum sb_status (*read)(struct sb_bytes *self, char buffer[], size_t room, double deadline, size_t *got,
                           struct sb_error *error);
    /*
     * Sends text to a command that was started for a dialogue. For all other sources the pointer is NULL. If
     * the command has exited, write() raises SIGPIPE, which the caller must block; the next read() reports
     * the exit. Error: SB_SUBJECT if the command does not read.
     */
    enum sb_status (*write)(struct sb_bytes *self, const char text[], size_t length, struct sb_error *error);
    /* Sets *position to the position in the file that is `behind` bytes before the end of the bytes read so
     * far. The pointer is NULL for sources without positions. */
    void (*position)(const struct sb_bytes *self, uint64_t behind, struct sb_log_position *position);

    /* Whether there is an error behind the position: the user may change the bytes there before the next start. The
     * reader of the bytes sets this flag. */
    bool faulty;
    /* Improves the error in a line of the subject; NULL if the bytes are no such lines. */
    void (*blame_line)(struct sb_stream *stream);
    struct sb_lines *lines; /* the stream replaces each line by its deck, and frees the struct; NULL: it does not */
    void (*free)(struct sb_bytes *self);
};

struct sb_patience {
    double timeout;                    /* seconds without a permutation before giving up; used only in messages */
    const char *awaited;               /* what the subject failed to send, for messages; NULL means "permutation" */
    const volatile sig_atomic_t *stop; /* the stop flag, which ends the wait; may be NULL */
    void (*idle)(void *state);         /* called several times per second while no bytes arrive; may be NULL */
    void *idle_state;
    /*
     * Receives a command's process group while the command runs, and 0 afterwards. A signal handler can
     * kill() the group before it ends the program. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* Opens a file; "-" means standard input. The caller frees *bytes. Errors: SB_INVALID if the file cannot be
 * opened; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience, struct sb_error *error,
                                  struct sb_bytes **bytes);

struct sb_following {
    /* whether to wait at the end of the last file; if false, the bytes end there. In both cases, reading
     * continues from a rotated file to the next file. */
    bool on;
    bool lines; /* whether the end of a file also ends an incomplete line */
    /* The position to start from. If there is no position, or its file is lost, reading starts at the
     * beginning of the file at the path. */
    struct sb_log_position from;
    /* a flag; if it is nonzero, the follower opens the file again and clears the flag; may be NULL */
    volatile sig_atomic_t *reopen;
    sb_overheard *tell; /* receives messages: what the follower waits for or has lost; may be NULL */
    void *state;
    uint64_t *gaps; /* counts how often bytes were lost, or may have been; may be NULL */
};

/* Opens a file with a position. The path is borrowed. The caller frees *bytes. If following->on is true, the file need
 * not exist yet. Errors: SB_INVALID if the file cannot be opened or is not a regular file; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes);

/* A command to start. All pointers are borrowed until the bytes are freed. */
struct sb_command_start {
    const char *const *argv; /* the program and its arguments, then NULL */
    const char *cwd;         /* the folder to start in; NULL: the current folder */
    bool once;               /* whether to start the command anew when it has exited with status 0 */
    size_t record;           /* with `once`: bytes of a permutation if the output is binary; 0: it is text */
    bool dialogue;           /* whether the command has an input, to which write() sends and which free() closes */
};

/* Starts a program, without a shell. The command has its own process group, which free() kills. The bytes end when the
 * command has exited and no process holds its output open; with `once` they only end with an error. read() relays the
 * command's standard error. Errors: SB_SUBJECT if the command cannot be started; SB_NO_MEMORY. */
enum sb_status sb_bytes_open_command(const struct sb_command_start *start, const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes);

/* Returns the name of a command: its words separated by blanks, made safe to show, and truncated if long. The
 * caller frees the name. NULL if memory runs out. */
char *sb_command_name(const char *const command[]);

/*
 * Parses permutations from bytes, as text or binary. The parser never guesses: every violation of the format
 * is an error. The error line names the place (the line; in binary input, the permutation and the byte), what
 * is wrong, and the remedy.
 *
 * Text has a permutation per line. Blanks and punctuation separate integers. Blank lines are skipped, and #
 * begins a comment. Words are errors, with two exceptions: a title at the start of each line (deck: 0 2 1)
 * and a label before each integer (card0 card2 card1). Three other things are errors: a letter directly after
 * a digit, a sign or a point beside a digit, and control bytes other than tab, LF, and CR before LF. Binary
 * input has items one after another, little-endian, without a header.
 */

/* Returns the bytes of an item of binary input, "u8", "u16" or "u32"; 0 for all else. */
size_t sb_input_width(const char *input);

/* Returns how many seconds to wait for the next permutation; may be infinite. */
static inline double sb_subject_timeout(const struct sb_subject *subject)
{
    return subject->timeout > 0 ? subject->timeout : 60;
}

enum {
    SB_LINE_MOST = 1 << 27, /* the most bytes of a line: 13 for each of SB_ITEMS_MOST items */
};

/* Checks that the subject's options of a stream do not contradict each other, as far as this is possible before there
 * are bytes. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_stream_check(const struct sb_subject *subject, struct sb_error *error);

/* Makes a feed of a stream that is read as the subject says. Takes ownership of `bytes`, even after a failure. Errors:
 * those of sb_stream_check(). next() returns SB_SUBJECT for anything that is not a permutation, and the errors of
 * bytes->read(). */
enum sb_status sb_stream_new(struct sb_bytes *bytes, const struct sb_subject *subject, struct sb_error *error,
                             struct sb_feed **feed);

/* Checks the options that say where the deck is in a line. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_text_stages_check(const struct sb_subject *subject, struct sb_error *error);

/* If the input is text, puts the stage that decompresses before *bytes, and sets how its lines are read. `stop` is the
 * stop flag, or NULL. Call sb_text_stages_check() first. Frees *bytes after a failure. Error: SB_NO_MEMORY. */
enum sb_status sb_text_stages_add(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                                  struct sb_error *error, struct sb_bytes **bytes);

/* Returns what a regular file is if its bytes are no lines with a deck each, such as "gzip data"; otherwise NULL. */
const char *sb_file_converted(const char *path, const struct sb_subject *subject);

struct sb_mismatch;

struct sb_waiting {
    const volatile sig_atomic_t *stop;
    void (*idle)(void *state); /* called several times per second while no bytes arrive; may be NULL */
    void *idle_state;
    /* whether the feed of a file keeps track of the position in the file; if true, the feed starts at
     * `following.from` and may continue when the file grows */
    bool positions;
    struct sb_following following;
};

/* Starts the subject without waiting. The feed's n and deal may be 0 until the first permutations arrive. For a chained
 * subject, the feed's permutations are the increments. The caller frees the feed. Errors: those of sb_gate_new(). */
enum sb_status sb_feed_start(const struct sb_subject *subject, const struct sb_waiting *waiting, struct sb_error *error,
                             struct sb_feed **feed);

/* Waits for the first permutations, and takes at most `most` of them. They are then in feed->items, and determine n.
 * Errors: those of sb_gate_new(). */
enum sb_status sb_feed_first(struct sb_feed *feed, uint64_t most, struct sb_error *error);

/* Does what sb_feed_start() and sb_feed_first() do. The caller frees the feed. */
enum sb_status sb_feed_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop, uint64_t most,
                            struct sb_error *error, struct sb_feed **feed);

/* Returns the name that a feed of the subject would have; for a scheme, its text. The caller frees the name. NULL if
 * memory runs out. */
char *sb_subject_name(const struct sb_subject *subject);

/* Returns a hash of a command's words and of the folder in which it starts (FNV-1a, 64 bits), which identifies
 * the command even if its stored name is truncated. Returns 0 for other subjects. */
uint64_t sb_subject_words(const struct sb_subject *subject);

/* Compares the subject with a saved subject, which had this kind, name and hash of words. If there is a difference,
 * *differs receives both values. The name of the field in *differs is "draw", "rng" or the subject's kind. Errors:
 * SB_INVALID if a scheme cannot be parsed; SB_NO_MEMORY. */
enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name, uint64_t words,
                                  struct sb_error *error, struct sb_mismatch *differs);

/* Checks that the feed has read a permutation, and that n is at least 2. Error: SB_SUBJECT. */
enum sb_status sb_feed_check(const struct sb_feed *feed, struct sb_error *error);

/* Checks that the subject's options agree with each other, as far as this is possible before the start.
 * Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error);

/* A scheme as a feed. The feed returns exactly the decks that a report tallies for the same scheme, n and
 * seed. The feed never ends. */

/* The decks to deal. The feed copies the scheme. The stop flag may be NULL, and must outlive the feed. */
struct sb_dealt {
    const struct sb_scheme *scheme; /* the scheme, which must have passed sb_scheme_check() for n items */
    size_t n, deal;                 /* deal <= n */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* the stop flag, which is checked even during a long shuffle */
    /* bits of each deck's own random seed, 1 to 64, all of which `seed` determines; 0: `seed` is that of all decks */
    unsigned bits;
};

/* Makes a feed, which the caller frees. Errors: SB_INVALID if the generator refuses the seed; SB_NO_MEMORY. next()
 * returns SB_BROKEN if the generator repeats the same few words, so that a shuffle would never end. */
enum sb_status sb_dealt_new(const struct sb_dealt *dealt, struct sb_error *error, struct sb_feed **feed);

/* Parses a scheme and makes a feed of its decks; or, if options->fair is set and the text is NULL, a feed of that law.
 * Uses only these options: n, deal, seed, draw, rng, cards, fair and stop. With the same options, sb_reports_new()
 * tallies the same decks. The feed's name is that of the scheme; NULL: memory ran out. The caller frees the feed.
 * Errors: SB_INVALID, SB_NO_MEMORY; those of sb_fair_new(). */
enum sb_status sb_scheme_feed(const char *text, const struct sb_request *options, struct sb_error *error,
                              struct sb_feed **feed);

/* Checks that the option `fair`, which must be set, names a law, a scheme or a file, and that no option excludes it.
 * SB_INVALID. */
enum sb_status sb_fair_check(const struct sb_request *options, struct sb_error *error);

/* Reads the law that a shuffle of n items is meant to have, of which the first `deal` are seen. `names` may be NULL.
 * Uses only these options: threads, stop and progress. The caller frees *made with sb_fair_free(). SB_INVALID,
 * SB_TOO_LARGE, SB_IO, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_fair_new(const char *law, const struct sb_request *options, size_t n, size_t deal,
                           const struct sb_item_names *names, struct sb_error *error, struct sb_fair **made);

struct sb_matrix_file {
    char *name; /* name to show in messages; owned */
    size_t n, deal;
    uint64_t total;  /* number of shuffles, which equals the sum of each column */
    uint64_t *count; /* [n * deal], a row per item; owned */
    /* the titles of the rows; owned; NULL: rows count from 1, or have no titles */
    struct sb_item_names *names;
};

/*
 * Reads a file with a line per item. Each line has a count per position; commas, semicolons, tabs or blanks
 * separate the counts. Skips a line of titles and a column of names. `deal` is the number of positions, which
 * is at most the number of items; 0 means the number of items. The path "-" means standard input. The caller
 * closes the matrix. Errors: SB_INVALID if the file cannot be opened, is not a matrix of this form, or has a
 * row or a column of sums (the error line names the place); SB_IO, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_matrix_file_read(const char *path, size_t deal, const volatile sig_atomic_t *stop,
                                   struct sb_error *error, struct sb_matrix_file *matrix);

/* Frees the memory of a matrix. A second call for the same matrix, and a zeroed matrix, are allowed. */
void sb_matrix_file_close(struct sb_matrix_file *matrix);

/* A table with a column of counts. */
struct sb_count_file {
    char *name; /* name to show in messages; owned */
    size_t rows;
    char **label;    /* [rows] what was counted; owned, as are its texts */
    uint64_t *count; /* [rows]; owned */
    double *p;       /* [rows] probabilities, which add up to 1; owned; NULL: the table has none */
    size_t *line;    /* [rows] line number in the file; owned */
    uint64_t total;  /* sum of the counts */
    /* whether the label of a row had several fields, which it now has with blanks between: an order such as 2,3,1 */
    bool joined;
};

/*
 * Reads a table: in each row a label, a count and perhaps a probability or an expected count, separated by tabs,
 * semicolons, commas or blanks. A first line without numbers names the columns. The path "-" means standard input. The
 * caller closes the table. Errors: SB_INVALID if the file cannot be opened, has another form, equal labels or a row of
 * sums; SB_IO, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_count_file_read(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                  struct sb_count_file *file);

void sb_count_file_close(struct sb_count_file *file);

/* Labels that are orders. Zeroed: they are none. */
struct sb_count_orders {
    size_t n, k;    /* k of n items */
    sb_item *items; /* [rows * k]; the caller frees it */
};

/* Reads the labels of a table as orders of all items or, with `deal`, of so many of them; n is 0 if it is not given.
 * *names are the names of the items, or NULL; then this may become names that the labels show. *orders is zeroed, and
 * stays so if the labels are no such orders. SB_INVALID: another n; SB_TOO_LARGE; SB_NO_MEMORY. */
enum sb_status sb_count_orders_read(const struct sb_count_file *file, size_t n, size_t deal,
                                    struct sb_item_names **names, struct sb_error *error,
                                    struct sb_count_orders *orders);

/* Makes a peer whose function receives n items of `size` bytes in each call; size 0 means 2. The name is
 * borrowed. The caller frees the peer. Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state, size_t n, size_t size,
                                     struct sb_error *error, struct sb_peer **peer);

#ifndef __wasi__ /* there are no processes */

struct sb_process {
    pid_t id;     /* id of the process, and of the group that it leads */
    int in;       /* non-blocking descriptor of the process's standard input; -1 if the input is empty or closed */
    int out, err; /* descriptors of the process's standard output and error; -1 after closing */
};

/* Starts the program command[0] in the folder `cwd`; NULL follows the last argument, and a `cwd` of NULL is the
 * current folder. If `dialogue` is true, the process gets a pipe as its input; otherwise the input is empty.
 * Returns 0 or an errno. */
int sb_process_start(const char *const command[], const char *cwd, bool dialogue, struct sb_process *process);

/* Starts a program as the leader of a process group, with these descriptors as its input, output and standard error.
 * -1: the input is empty, or the output is that of this program. Returns 0 or an errno. */
int sb_process_spawn(const char *const command[], const char *cwd, int in, int out, int err, pid_t *id);

void sb_process_close(int *descriptor);

/* Whether the process has exited. If so, sets si_code and si_status of *end, as waitid() does. If the calling program
 * ignores SIGCHLD, the status is lost, and si_pid is 0. */
bool sb_process_ended(const struct sb_process *process, siginfo_t *end);

/* Ends the process and all other processes of its group, and closes the descriptors. Takes at most a second. Returns
 * false if a process that has left the group, or runs as another user, still holds the standard output or error. */
bool sb_process_end(struct sb_process *process);

#else

/* Replaces the command of a subject by the host's function of this name (src/web/functions.c). Error: SB_INVALID. */
enum sb_status sb_web_function(struct sb_subject *subject, struct sb_error *error);

#endif

/*
 * A program at the other end of two pipes as a peer, that is, a shuffle that requests its draws from the
 * library. Each line is a message:
 *
 *   we      start            shuffle a fresh deck
 *   peer    draw K           requests an integer in 0..K-1, 1 <= K < 2^32
 *   peer    random           requests a number in [0, 1)
 *   we      2, 0.25          the answer
 *   peer    deck 2 0 1       the result: the item at each position
 *
 * The items are numbered from 0 in all decks, or from 1 in all decks. To end the peer, we close its input.
 */

/* Starts the command. The caller frees the peer, in the same thread. Errors: those of sb_bytes_open_command(). */
enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error,
                                    struct sb_peer **peer);

/* Makes a peer of bytes that someone else has opened, and that can be written to; takes ownership of the
 * bytes, even after a failure. Error: SB_NO_MEMORY. */
enum sb_status sb_command_peer_new(struct sb_bytes *bytes, double timeout, struct sb_error *error,
                                   struct sb_peer **peer);

/* Keeps a thread and its peer on one processor. The thread and the peer take turns and never work at the same time. On
 * two processors, each change of turn would have to wake up the other processor. On an idle machine this takes ten
 * times as long as a context switch. */

struct sb_cpu_affinity; /* the thread's previous affinity */

/* Keeps this thread, and the processes that this thread starts later, on the current processor. Returns NULL
 * if this is not possible; the caller can ignore the failure. */
struct sb_cpu_affinity *sb_cpu_affinity_begin(void);

/* Restores the previous affinity of the thread, but not of the processes that the thread started. `affinity` may
 * be NULL. */
void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity);

#endif
