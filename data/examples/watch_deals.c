/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch of a biased shuffle, which raises an alarm.
 *
 *     cc watch_deals.c $(pkg-config --cflags --libs shufflebias) -o watch_deals && ./watch_deals
 */
#include <shufflebias.h>

/* Prints an alarm and raises the stop flag, which ends the watch. */
static int stop_at_alarm(void *state, const struct sb_alarm *alarm)
{
    volatile sig_atomic_t *const stop = state;
    struct sb_error error;
    char *text;
    size_t length;

    printf("%s\n", sb_alarm_sentence(alarm));
    if (sb_alarm_write(alarm, "json", &error, stdout) || sb_alarm_text(alarm, "json", &error, &text, &length))
        fprintf(stderr, "%s\n", error.text);
    else {
        printf("%zu bytes of JSON\n", length);
        sb_text_free(text);
    }
    *stop = 1;
    return 0;
}

static void print_line(void *state, const char *line)
{
    (void)state;
    printf("%s\n", line);
}

int main(void)
{
    const struct sb_subject subject = { .scheme = "naive", .n = 3, .seed = 1 };
    volatile sig_atomic_t stop = 0;
    struct sb_watch_options options;
    struct sb_watch_summary summary;
    struct sb_error error;
    struct sb_watch *watch;

    sb_watch_options_init(&options);
    options.limit = 1000000;
    options.alarmed = stop_at_alarm;
    options.alarmed_state = (void *)&stop;
    options.tell = print_line;
    options.stop = &stop;
    if (sb_watch_new(&subject, &options, &error, &watch)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    sb_watch_summary_get(watch, &summary);
    const enum sb_status written = sb_watch_write(watch, "text", NULL, &error, stdout);

    sb_watch_free(watch);
    return !(written == SB_OK && summary.alarms == 1 && summary.interrupted);
}
