/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command is started with its standard streams, whichever descriptors this process lacks. */
#include "unit/test.h"

#include "subject/subject.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 3 };

/* Starts a command without those of the descriptors 0 to 2 that are bits of `without`. Sets output[] and said[] to what
 * the command writes to its standard output and its standard error. */
static void run(unsigned without, bool dialogue, char output[16], char said[16])
{
    static const char *const command[] = { "sh", "-c", "cat; echo out; echo err >&2", NULL };
    struct sb_process process;
    int kept[STREAMS];

    for (int i = 0; i < STREAMS; i++)
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < STREAMS; i++)
        if (without >> i & 1)
            close(i);
    const int number = sb_process_start(command, NULL, dialogue, &process);

    for (int i = 0; i < STREAMS; i++)
        if (kept[i] >= 0) {
            dup2(kept[i], i);
            close(kept[i]);
        }
    assert_int_equal(number, 0);
    assert_true(process.out > STDERR_FILENO && process.err > STDERR_FILENO);
    assert_true(dialogue ? process.in > STDERR_FILENO : process.in < 0);
    if (dialogue)
        assert_int_equal(write(process.in, "in ", 3), 3);
    sb_process_close(&process.in);
    fcntl(process.out, F_SETFL, 0);
    fcntl(process.err, F_SETFL, 0);
    memset(output, 0, 16);
    memset(said, 0, 16);
    for (ssize_t got = 1; got > 0 && strlen(output) < 15;)
        got = read(process.out, output + strlen(output), 15 - strlen(output));
    for (ssize_t got = 1; got > 0 && strlen(said) < 15;)
        got = read(process.err, said + strlen(said), 15 - strlen(said));
    sb_process_end(&process);
}

TEST(standard_streams_may_be_closed)
{
    for (unsigned without = 0; without < 1U << STREAMS; without++)
        for (int dialogue = 0; dialogue < 2; dialogue++) {
            char output[16], said[16];

            run(without, dialogue, output, said);
            assert_string_equal(output, dialogue ? "in out\n" : "out\n");
            assert_string_equal(said, "err\n");
        }
}
