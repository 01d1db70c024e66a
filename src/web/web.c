/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the module exports to its host, src/web/shufflebias.mjs (docs/web.md), beside the functions of shufflebias.h and
 * of the C library that meson.build lists.
 */
#include "web/web.h"

#include <stdio.h>
#include <string.h>

/* bytes of the output buffer; whenever the buffer is full, the module calls the host */
enum { WEB_BUFFER = 1 << 16 };

/* The program's entry, in src/cli/main.c. */
int main(int argc, char *argv[]);

__attribute__((export_name("over"))) bool sb_web_over(const struct sb_draws *draws);
__attribute__((export_name("run"))) int sb_web_run(int argc, char *argv[]);
__attribute__((export_name("request"))) struct sb_request *sb_web_request(const char *command);

/* Whether the result of this shuffle is no longer needed, so that the host may abandon its function. */
bool sb_web_over(const struct sb_draws *draws)
{
    return draws->over;
}

/* Runs a command line; argv[0] is the program's name, and NULL follows the last word. Returns the exit status. A
 * function of the host takes what is written, and has no error to return. */
int sb_web_run(int argc, char *argv[])
{
    (void)setvbuf(stdout, NULL, _IOFBF, WEB_BUFFER); /* without it the output arrives in more pieces */
    const int status = main(argc, argv);

    (void)fflush(stdout);
    (void)fflush(stderr);
    return status;
}

static int web_event(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    return strcmp(event, "progress") == 0 && sb_web_host_progress((double)done, (double)total);
}

/* Makes a request to test the host's function. NULL if memory runs out. */
struct sb_request *sb_web_request(const char *command)
{
    struct sb_request *const request = sb_request_new(command);

    if (request) {
        sb_set_shuffle(request, sb_web_own_shuffle, NULL);
        sb_set_draws(request, sb_web_drawn_shuffle, NULL);
        sb_on(request, web_event, NULL);
    }
    return request;
}
