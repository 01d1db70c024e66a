/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name of a command in results and messages: its words, as far as they fit. */
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_NAME = 100 }; /* the most bytes of a command line to show */

char *sb_command_name(const char *const command[])
{
    char line[COMMAND_NAME + 2] = "";

    for (size_t i = 0; command[i]; i++) {
        const size_t used = strlen(line);

        snprintf(line + used, sizeof line - used, "%s%s", i ? " " : "", command[i]);
    }
    return sb_sanitize_text(line, COMMAND_NAME);
}

/* ---- once output ---- */

/* In text, blank lines and comments are no permutation. In binary output, each byte is part of an item. */

/* Initialise the struct as { .record = ... } at each start. */
struct once_output {
    size_t record;   /* bytes of a permutation if the output is binary; 0: it is text */
    uint64_t length; /* bytes so far, without the byte order mark of text */
    char last;       /* the last byte; 0: no output yet */
    bool spoke;      /* whether there is more than blank lines and comments */
    bool comment;    /* whether the last byte is in a comment */
    bool gzip;       /* whether the output begins as gzip data does */
};

/* Notes the next bytes, at least 1. Removes a byte order mark with which text begins, and returns the length that is
 * left. */
static size_t once_output_take(struct once_output *output, char bytes[], size_t length)
{
    if (output->record) {
        output->length += length;
        output->spoke = true;
        return length;
    }
    const size_t mark = output->length == 0 ? sb_text_mark(bytes, length) : 0;

    length -= mark;
    memmove(bytes, bytes + mark, length);
    if (length == 0)
        return 0;
    output->length += length;
    output->gzip = output->gzip || (!output->spoke && bytes[0] == '\x1f');
    output->last = bytes[length - 1];
    for (size_t i = 0; i < length && !output->spoke; i++)
        if (bytes[i] == '\n' || output->comment)
            output->comment = bytes[i] != '\n';
        else if (bytes[i] == '#')
            output->comment = true;
        else
            output->spoke = !isspace((unsigned char)bytes[i]);
    return length;
}

/* Checks an output that has ended. SB_SUBJECT if there is no permutation or half of one. `name` names the command. */
static enum sb_status once_output_check(const struct once_output *output, const char *name, struct sb_error *error)
{
    if (!output->spoke)
        return sb_error_set(error, SB_SUBJECT, "'%s' ended without a permutation: with `once`, each start prints one",
                            name);
    if (output->gzip)
        return sb_error_set(error, SB_SUBJECT, "'%s' prints gzip data: with `once`, let it print text", name);
    if (output->record && output->length % output->record)
        return sb_error_set(error, SB_SUBJECT,
                            "'%s' ended after %llu bytes, and a permutation has %zu: with `once`, each start prints "
                            "whole ones",
                            name, (unsigned long long)output->length, output->record);
    return SB_OK;
}

/* ---- stderr relay ---- */

/*
 * Relays a command's standard error as safe lines, with a limit on the length of a line. The first lines are
 * relayed at once. Of the others, only the last is relayed, at the end, because it is often the one that says
 * what went wrong. A line ends in a line feed or in a carriage return; progress bars print carriage returns.
 * Empty lines are dropped. Cost: O(length) time, and memory for two lines.
 */

/* Relays a line, made safe to show. If memory runs out, the run continues without this line. */
static void relay_tell(const struct sb_stderr_relay *relay, const char *text)
{
    char *const line = relay->tell ? sb_sanitize_text(text, SB_STDERR_RELAY_LINE) : NULL;

    if (line)
        relay->tell(relay->state, line);
    free(line);
}

static void relay_line(struct sb_stderr_relay *relay)
{
    if (relay->length == 0)
        return;
    relay->line[relay->length] = '\0';
    relay->length = 0;
    if (++relay->lines <= SB_STDERR_RELAY_LINES)
        relay_tell(relay, relay->line);
    else
        memcpy(relay->last, relay->line, sizeof relay->last);
}

void sb_stderr_relay_end(struct sb_stderr_relay *relay)
{
    char text[80];

    relay_line(relay);
    if (relay->lines > SB_STDERR_RELAY_LINES + 1) {
        const uint64_t more = relay->lines - SB_STDERR_RELAY_LINES - 1;

        snprintf(text, sizeof text, "(%llu more line%s, and the last:)", (unsigned long long)more,
                 more == 1 ? "" : "s");
        relay_tell(relay, text);
    }
    if (relay->lines > SB_STDERR_RELAY_LINES)
        relay_tell(relay, relay->last);
    relay->lines = 0;
}

void sb_stderr_relay_take(struct sb_stderr_relay *relay, const char text[], size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' || text[i] == '\r')
            relay_line(relay);
        else if (relay->length <= SB_STDERR_RELAY_LINE)
            relay->line[relay->length++] =
                /* replaces a byte of 0, which would end the line, by another control character; the sanitiser
                 * replaces both in the same way */
                text[i] ? text[i] : '\1';
    }
}

/* ---- command ---- */

/*
 * The bytes of a command, that is, its standard output. The reader also reads the command's standard error, so that
 * neither pipe fills up. At the end the reader checks the exit status. Cost: one poll() and one read() for each piece.
 *
 * A command that deals once can be started anew whenever it has exited: then its outputs follow one another, each with
 * a newline at its end unless it is binary. Cost: a start of the program each, from 1 ms on.
 */

enum {
    COMMAND_SLICE = 100, /* milliseconds between two checks of the stop flag */
    /* milliseconds between two checks whether the command has exited, which poll() does not report */
    COMMAND_END_SLICE = 5,
    COMMAND_ONCE_STEP = 50000, /* nanoseconds between two such checks of a command that deals once */
    COMMAND_PIECE = 4096,      /* the most bytes of standard error to read at once */
    COMMAND_LAST_WORDS =
        /* the most pieces to read after the exit: enough for a full pipe, but not for endless output of other
         * processes */
    64
};

struct command {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_command_start start;
    struct once_output output; /* of the current process; used if it deals once */
    double deadline;           /* the last deadline */
    uint64_t starts;           /* how often the command was started anew since the deadline was another one */
    uint64_t read;             /* how many bytes of output were read since then */
    bool left;                 /* a process that the command started is still running after the end */
    struct sb_process process;
    struct sb_patience patience;
    struct sb_stderr_relay relay;
};

static void command_listen(struct command *command)
{
    char piece[COMMAND_PIECE];
    const ssize_t length = read(command->process.err, piece, sizeof piece);

    if (length > 0)
        sb_stderr_relay_take(&command->relay, piece, (size_t)length);
    else if (length == 0 || errno != EINTR)
        sb_process_close(&command->process.err);
}

static void command_listen_out(struct command *command)
{
    for (int i = 0; i < COMMAND_LAST_WORDS && command->process.err >= 0; i++) {
        struct pollfd end = { .fd = command->process.err, .events = POLLIN };

        if (poll(&end, 1, 0) <= 0)
            break;
        command_listen(command);
    }
    sb_stderr_relay_take(&command->relay, "\n", 1);
}

static int command_start(struct command *command)
{
    const int number =
        sb_process_start(command->start.argv, command->start.cwd, command->start.dialogue, &command->process);

    command->output = (struct once_output) { .record = command->start.record };
    if (number == 0 && command->patience.group)
        *command->patience.group = (sig_atomic_t)command->process.id;
    return number;
}

/* Starts the command anew after it has exited with status 0. If its output is text that lacks a newline at the end,
 * adds the newline to the bytes first. */
static enum sb_status command_start_anew(struct command *command, char buffer[], size_t *got, struct sb_error *error)
{
    struct once_output *const output = &command->output;
    int number;

    if (once_output_check(output, command->bytes.name, error))
        return SB_SUBJECT;
    if (output->last != '\n' && !output->record) {
        buffer[0] = output->last = '\n';
        *got = 1;
        return SB_OK;
    }
    command_listen_out(command);
    if (command->patience.group)
        *command->patience.group = 0;
    command->left = !sb_process_end(&command->process) || command->left;
    number = command_start(command);
    command->starts++;
    return number ? sb_error_set(error, SB_SUBJECT, "cannot start '%s' anew: %s", command->bytes.name, strerror(number))
                  : SB_OK;
}

static enum sb_status command_judge(const struct command *command, const siginfo_t *end, struct sb_error *error)
{
    const char *const name = command->bytes.name;

    if (!end->si_pid)
        return sb_error_set(error, SB_SUBJECT,
                            "cannot tell how '%s' exited: do not ignore SIGCHLD in the program that starts it", name);
    if (end->si_code != CLD_EXITED)
        return sb_error_set(error, SB_SUBJECT, "'%s' was killed by signal %d (%s)", name, end->si_status,
                            strsignal(end->si_status));
    if (end->si_status)
        return sb_error_set(error, SB_SUBJECT, "'%s' exited with status %d%s", name, end->si_status,
                            end->si_status == 127 ? ": is there such a command?" : "");
    return SB_OK;
}

static enum sb_status command_late(const struct command *command, struct sb_error *error)
{
    const char *const name = command->bytes.name;
    const double timeout = command->patience.timeout;
    const char *const awaited = command->patience.awaited ? command->patience.awaited : "permutation";
    siginfo_t end;

    if (command->starts > 1)
        return sb_error_set(error, SB_SUBJECT,
                            "no %s from '%s' within %g s, in %llu starts: with `once`, each start prints one", awaited,
                            name, timeout, (unsigned long long)command->starts);
    if (!sb_process_ended(&command->process, &end)) {
        if (command->process.out < 0)
            return sb_error_set(error, SB_SUBJECT,
                                "'%s' closed its output, but did not end within %g s: let it exit, or raise "
                                "`timeout`",
                                name, timeout);
        if (command->read && !command->patience.awaited)
            return sb_error_set(error, SB_SUBJECT,
                                "no permutation from '%s' within %g s, but %llu bytes that hold none, such as empty "
                                "or skipped lines, a prompt or a line without an end: print one permutation a line",
                                name, timeout, (unsigned long long)command->read);
        return sb_error_set(error, SB_SUBJECT,
                            "no %s from '%s' within %g s: let it flush what it prints, or raise "
                            "`timeout`",
                            awaited, name, timeout);
    }
    if (command_judge(command, &end, error))
        return SB_SUBJECT;
    return sb_error_set(error, SB_SUBJECT,
                        "'%s' ended, but what it started held its output open, without a %s for %g s: "
                        "let it wait for that",
                        name, awaited, timeout);
}

/* Waits at most `wait` milliseconds for either pipe, and reads from both. Sets *got to 0 and returns SB_OK if
 * no output came. */
static enum sb_status command_take(struct command *command, char buffer[], size_t room, int wait, size_t *got,
                                   struct sb_error *error)
{
    struct sb_process *const process = &command->process;
    struct pollfd ends[] = {
        { .fd = process->out, .events = POLLIN }, /* poll() ignores a descriptor of -1 */
        { .fd = process->err, .events = POLLIN },
    };
    ssize_t length;

    *got = 0;
    if (poll(ends, 2, wait) <= 0)
        return SB_OK; /* a timeout, or EINTR; the caller then checks the stop flag and the clock */
    if (ends[1].revents)
        command_listen(command);
    if (!ends[0].revents)
        return SB_OK;
    length = read(process->out, buffer, room);
    if (length < 0 && errno != EINTR)
        return sb_error_set(error, SB_IO, "cannot read from '%s': %s", command->bytes.name, strerror(errno));
    if (length == 0)
        sb_process_close(&process->out);
    if (length > 0)
        *got = command->start.once ? once_output_take(&command->output, buffer, (size_t)length) : (size_t)length;
    return SB_OK;
}

static enum sb_status command_wait(struct command *command, char buffer[], size_t room, double deadline, size_t *got,
                                   struct sb_error *error)
{
    const volatile sig_atomic_t *const stop = command->patience.stop;
    enum sb_status status = SB_OK;

    for (*got = 0; status == SB_OK && *got == 0;) {
        const bool closed = command->process.out < 0;
        const double left = deadline - sb_clock_now();
        const bool often = closed && command->start.once; /* shorter steps, because there are many exits */
        const int slice = often ? 0 : closed ? COMMAND_END_SLICE : COMMAND_SLICE;
        siginfo_t end;

        if (stop && *stop)
            return sb_error_set(error, SB_STOPPED, "stopped while '%s' was read", command->bytes.name);
        if (closed && sb_process_ended(&command->process, &end)) {
            status = command_judge(command, &end, error);
            if (status || !command->start.once)
                return status;
            status = command_start_anew(command, buffer, got, error);
            continue;
        }
        if (!(left > 0))
            return command_late(command, error);
        if (often)
            nanosleep(&(struct timespec) { .tv_nsec = COMMAND_ONCE_STEP }, NULL);
        status = command_take(command, buffer, room, left * 1e3 < slice ? (int)(left * 1e3) + 1 : slice, got, error);
        if (*got == 0 && command->patience.idle)
            command->patience.idle(command->patience.idle_state);
    }
    return status;
}

static enum sb_status command_read(struct sb_bytes *self, char buffer[], size_t room, double deadline, size_t *got,
                                   struct sb_error *error)
{
    struct command *const command = (struct command *)self;
    size_t length;

    if (deadline != command->deadline)
        command->starts = command->read = 0;
    command->deadline = deadline;
    const enum sb_status status = command_wait(command, buffer, room, deadline, &length, error);

    if (status || length == 0) {
        command_listen_out(command);
        sb_stderr_relay_end(&command->relay);
    }
    if (status)
        return status;
    command->read += length;
    *got = length;
    return SB_OK;
}

static enum sb_status command_write(struct sb_bytes *self, const char text[], size_t length, struct sb_error *error)
{
    struct command *const command = (struct command *)self;

    while (length > 0) {
        const ssize_t written = write(command->process.in, text, length);

        if (written < 0 && errno == EAGAIN) /* the pipe is full: the command does not read its input */
            return sb_error_set(error, SB_SUBJECT,
                                "'%s' does not read what it is sent: let it read a line for "
                                "each that it waits for",
                                command->bytes.name);
        if (written < 0 && errno == EPIPE)
            return SB_OK; /* the command has exited: the next read reports this */
        if (written < 0 && errno != EINTR)
            return sb_error_set(error, SB_SUBJECT, "cannot write to '%s': %s", command->bytes.name, strerror(errno));
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return SB_OK;
}

static void command_tell_left(const struct command *command)
{
    char line[512];

    if (!command->left || !command->relay.tell)
        return;
    snprintf(line, sizeof line,
             "'%.300s' has ended, but a process that it started has left its process group and still runs: "
             "end that process",
             command->bytes.name);
    command->relay.tell(command->relay.state, line);
}

static void command_free(struct sb_bytes *self)
{
    struct command *const command = (struct command *)self;

    command->left = !sb_process_end(&command->process) || command->left;
    sb_stderr_relay_end(&command->relay);
    command_tell_left(command);
    if (command->patience.group)
        *command->patience.group = 0;
    free((char *)command->bytes.name);
    free(command);
}

static const char *command_remedy(int number, const char *program)
{
    switch (number) {
    case ENOENT:
        if (program[0] == '-')
            return ": options go before '--', and the command after it";
        if (strchr(program, ' '))
            return ": give its words one by one, not as a whole in quotation marks";
        return ": give its path, or a name on the PATH";
    case EACCES:
        return ": make it executable, or name what runs it";
    case ENOEXEC:
        return ": let it begin with #! and what runs it";
    default:
        return "";
    }
}

static enum sb_status command_check_folder(const struct sb_command_start *start, struct sb_error *error)
{
    struct stat about;

    if (!start->cwd || (stat(start->cwd, &about) == 0 && S_ISDIR(about.st_mode)))
        return SB_OK;
    return sb_error_set(error, SB_SUBJECT, "there is no folder '%.200s' to start '%.100s' in: correct `cwd`",
                        start->cwd, start->argv[0]);
}

enum sb_status sb_bytes_open_command(const struct sb_command_start *start, const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes)
{
    if (command_check_folder(start, error))
        return SB_SUBJECT;
    struct command *const command = calloc(1, sizeof *command);
    char *const name = sb_command_name(start->argv);
    int number = ENOMEM;

    if (command && name) {
        *command = (struct command) {
            .bytes = {
                .name = name,
                .read = command_read,
                .write = start->dialogue ? command_write : NULL,
                .free = command_free,
            },
            .start = *start,
            .patience = *patience,
            .relay = { .tell = overheard, .state = state, },
        };
        number = command_start(command);
        if (number == 0) {
            *bytes = &command->bytes;
            return SB_OK;
        }
        sb_error_set(error, SB_SUBJECT, "cannot start '%s': %s%s", name, strerror(number),
                     command_remedy(number, start->argv[0]));
    }
    free(name);
    free(command);
    return number == ENOMEM ? sb_error_memory(error, "a command") : SB_SUBJECT;
}
