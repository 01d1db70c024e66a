/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random logs as gzip data, in one or several members and in any chunks: the outcome is that of the text. Data that is
 * cut off or has a wrong bit is an error. */
#include "unit/test.h"

#include "property/random_logs.h"

#include <zlib.h>

/* Compresses a text into one member; returns the bytes of the member. */
static size_t compress_member(const char text[], size_t length, char member[], size_t room)
{
    z_stream stream = { .next_in = (z_const Bytef *)text, .avail_in = (uInt)length };

    assert_int_equal(deflateInit2(&stream, (int)below(10), Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = (Bytef *)member;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

/* Compresses a log as several members; the last part may stay plain. */
static size_t compress_log(const struct log *log, char packed[], size_t room)
{
    const bool plain = log->text[0] != 0x1F && below(3) == 0;
    size_t used = 0;

    for (size_t at = 0, part; at < log->length; at += part) {
        part = 1 + below(log->length - at);
        if (at + part == log->length && at > 0 && plain && log->text[at] != 0x1F) {
            memcpy(packed + used, log->text + at, part);
            return used + part;
        }
        used += compress_member(log->text + at, part, packed + used, room - used);
    }
    return used;
}

TEST(gzip_data_is_read_as_its_text)
{
    static struct log log;
    static char packed[4 * LOG_MOST];

    for (int times = 0; times < 3000; times++) {
        write_log(below(STYLES), below(4), &log);
        if (below(2))
            spoil(&log);
        if (log.length == 0 || log.text[0] == 0x1F)
            continue;
        const size_t length = compress_log(&log, packed, sizeof packed);
        struct outcome plain = read_log(&log, log.text, log.length, SIZE_MAX);
        struct outcome inflated = read_log(&log, packed, length, below(2) ? 1 + below(100) : SIZE_MAX);

        if (!outcome_same(&plain, &inflated))
            fail_msg("'%.*s': %zu '%s', inflated %zu '%s'", (int)log.length, log.text, plain.count, plain.error.text,
                     inflated.count, inflated.error.text);
        outcome_close(&plain);
        outcome_close(&inflated);
    }
}

/* Every place where gzip data can be cut off, and every bit that can be wrong. Bits without a meaning, such as
 * the time in the header, change nothing. */
TEST(broken_gzip_data_is_an_error)
{
    static struct log log;
    static char packed[4 * LOG_MOST];

    write_log(0, 0, &log);
    const size_t length = compress_member(log.text, log.length, packed, sizeof packed);
    struct outcome plain = read_log(&log, log.text, log.length, SIZE_MAX);

    for (size_t cut = 2; cut < length; cut++) {
        struct outcome outcome = read_log(&log, packed, cut, 1 + below(9));

        assert_int_equal(outcome.error.status, SB_SUBJECT);
        assert_non_null(strstr(outcome.error.text, "script: the gzip data ends too soon, after "));
        assert_true(outcome.count <= plain.count);
        outcome_close(&outcome);
    }
    for (size_t bit = 16; bit < 8 * length; bit++) {
        packed[bit / 8] = (char)(packed[bit / 8] ^ 1 << bit % 8);
        struct outcome outcome = read_log(&log, packed, length, 1 + below(50));

        assert_true(outcome.error.status == SB_SUBJECT || outcome_same(&outcome, &plain));
        outcome_close(&outcome);
        packed[bit / 8] = (char)(packed[bit / 8] ^ 1 << bit % 8);
    }
    outcome_close(&plain);
}
