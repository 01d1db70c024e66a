/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the module exports to its host, src/web/shufflebias.mjs (docs/web.md). A call writes its result to
 * standard output, and the line of an error to standard error. Each call returns a status of the library,
 * except run(), which returns the exit status of the command. The options are JSON, with the names of the command line.
 */
#include "web/web.h"
#include "core/draws.h"
#include "core/request.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* bytes of the output buffer; whenever the buffer is full, the module calls the host */
enum { WEB_BUFFER = 1 << 16 };

/* The program's entry, in src/cli/main.c. */
int main(int argc, char *argv[]);

__attribute__((export_name("allocate"))) void *sb_web_allocate(size_t bytes);
__attribute__((export_name("release"))) void sb_web_release(void *block);
__attribute__((export_name("below"))) uint32_t sb_web_below(struct sb_draws *draws, uint32_t bound);
__attribute__((export_name("uniform"))) double sb_web_uniform(struct sb_draws *draws);
__attribute__((export_name("over"))) bool sb_web_over(const struct sb_draws *draws);
__attribute__((export_name("folder"))) int sb_web_folder(const char *path);
__attribute__((export_name("run"))) int sb_web_run(int argc, char *argv[]);
__attribute__((export_name("call"))) enum sb_status sb_web_call(const char *command, const char *options);

void *sb_web_allocate(size_t bytes)
{
    return malloc(bytes);
}

void sb_web_release(void *block)
{
    free(block);
}

uint32_t sb_web_below(struct sb_draws *draws, uint32_t bound)
{
    return sb_draws_below(draws, bound);
}

double sb_web_uniform(struct sb_draws *draws)
{
    return sb_draws_uniform(draws);
}

/* Whether the result of this shuffle is no longer needed, so that the host may abandon its function. */
bool sb_web_over(const struct sb_draws *draws)
{
    return draws->over;
}

/* Names the folder of relative paths, for a host with files: wasi-libc does not tell relative paths from absolute
 * paths. Returns 0 on success. */
int sb_web_folder(const char *path)
{
    return chdir(path);
}

/* Hands the host what is written. A function of the host takes it, and has no error to return. */
static void web_flush(void)
{
    (void)fflush(stdout);
    (void)fflush(stderr);
}

/* Runs a command line; argv[0] is the program's name, and NULL follows the last word. */
int sb_web_run(int argc, char *argv[])
{
    (void)setvbuf(stdout, NULL, _IOFBF, WEB_BUFFER); /* without it the output arrives in more pieces */
    const int status = main(argc, argv);

    web_flush();
    return status;
}

/* ---- calls of the library with a function of the host ---- */

/* The calls, and the options that each takes: those of the command line that make sense for a function, and its name. */
static const struct {
    const char *command, *options;
} web_calls[] = {
    { "prove", "name, n, cells, draws, paths, counts, format" },
    { "gate", "name, n, deal, chained, alpha, delta, exclude, tolerate, limit, seeds, increments, profile, format" },
    { "report", "name, n, deal, chained, samples, alpha, statistics, profile, increments, counts, format" },
};

static const char *web_options(const char *command)
{
    size_t i = 0;

    while (strcmp(web_calls[i].command, command) != 0)
        i++;
    return web_calls[i].options;
}

/* Returns whether a list "name, n, deal" has a name. */
static bool web_lists(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; length && (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Writes a value as the text that the command line would have. Returns NULL if the option takes no such value. */
static const char *web_value(const struct sb_request *request, const char *name, const json_t *value, char number[32])
{
    const struct sb_option *const option = sb_option_find(request->of, name);
    const bool text = !option || option->kind == SB_KIND_TEXT || option->kind == SB_KIND_STATISTICS;
    const bool flag = option && option->kind == SB_KIND_FLAG;

    if (text)
        return json_string_value(value);
    if (flag)
        return json_is_boolean(value) ? json_is_true(value) ? "1" : "0" : NULL;
    if (json_is_integer(value))
        snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        snprintf(number, 32, "%.17g", json_real_value(value));
    return json_is_number(value) ? number : NULL;
}

/* Sets an option of the request. Returns false, and writes a line, if there is no such option or the value is wrong. */
static bool web_set(struct sb_request *request, const char *options, const char *name, const json_t *value)
{
    char number[32];
    const char *const text = web_value(request, name, value, number);

    if (!web_lists(options, name))
        fprintf(stderr, "unknown option '%.60s': use %s\n", name, options);
    else if (!text)
        fprintf(stderr, "`%s` must be a number, a text, or true or false, as on the command line\n", name);
    else if (sb_set(request, name, text))
        fprintf(stderr, "%s\n", sb_error(request));
    else
        return true;
    return false;
}

/* Writes a result in a format, or in several, as in "json+text", with a 0 byte between them. */
static enum sb_status web_write(struct sb_result *result, const char *formats)
{
    enum sb_status status = SB_OK;

    for (const char *begin = formats; status == SB_OK; begin++) {
        char format[16];
        const size_t length = strcspn(begin, "+");

        snprintf(format, sizeof format, "%.*s", (int)length, begin);
        status = sb_write(result, format, stdout);
        begin += length;
        if (!*begin)
            break;
        if (status == SB_OK)
            putchar('\0');
    }
    if (status)
        fprintf(stderr, "%s\n", sb_result_error(result));
    return status;
}

static int web_drawn_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    sb_web_host_shuffle(items, (uint32_t)n, draws);
    return 0;
}

static int web_own_shuffle(void *items, size_t n, size_t size, void *state)
{
    sb_web_host_shuffle(items, (uint32_t)n, NULL);
    return 0;
}

static int web_event(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    return strcmp(event, "progress") == 0 && sb_web_host_progress((double)done, (double)total);
}

static enum sb_status web_run(struct sb_request *request, const char *formats)
{
    sb_set_shuffle(request, web_own_shuffle, NULL);
    sb_set_draws(request, web_drawn_shuffle, NULL);
    sb_on(request, web_event, NULL);
    struct sb_result *const result = sb_run(request);
    enum sb_status status = sb_status(request);

    if (result)
        status = web_write(result, formats);
    else
        fprintf(stderr, "%s\n", sb_error(request));
    sb_result_free(result);
    return status;
}

enum sb_status sb_web_call(const char *command, const char *options)
{
    struct sb_request *const request = sb_request_new(command);
    json_t *const json = json_loads(options, JSON_REJECT_DUPLICATES, NULL);
    const char *format = json_string_value(json_object_get(json, "format")), *name;
    enum sb_status status = request && json ? SB_OK : SB_NO_MEMORY;
    json_t *value;

    json_object_foreach(json, name, value)
    {
        if (status == SB_OK && !web_set(request, web_options(command), name, value))
            status = SB_INVALID;
    }
    if (status == SB_OK)
        status = web_run(request, format ? format : "json");
    json_decref(json);
    sb_request_free(request);
    web_flush();
    return status;
}
