/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the module exports to its host, src/web/shufflebias.mjs (docs/web.md). A call writes its result to
 * standard output, and the line of an error to standard error. Each call returns a status of the library,
 * except run(), which returns the exit status of the command. The options are JSON, with the names of the
 * public structs.
 */
#include "web/web.h"
#include "core/draws.h"

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
__attribute__((export_name("prove"))) enum sb_status sb_web_prove(const char *options);
__attribute__((export_name("gate"))) enum sb_status sb_web_gate(const char *options);
__attribute__((export_name("observe"))) enum sb_status sb_web_observe(const char *options);

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

/* Ends a call: releases `json`, writes the line of the error if the call failed, and returns the status. */
static enum sb_status web_end(json_t *json, const struct sb_error *error, enum sb_status status)
{
    json_decref(json);
    if (status)
        fprintf(stderr, "%s\n", error->text);
    web_flush();
    return status;
}

static enum sb_status web_write_reports(struct sb_reports *reports, const char *format,
                                        struct sb_error *error)
{
    const enum sb_status status = sb_reports_write(reports, format, NULL, error, stdout);

    sb_reports_free(reports);
    return status;
}

/* Writes a gate in a format, or in several, as in "json+text", with a 0 byte between them. */
static enum sb_status web_write_gate(const struct sb_gate *gate, const char *formats, struct sb_error *error)
{
    enum sb_status status = SB_OK;

    for (const char *begin = formats; status == SB_OK; begin++) {
        char format[16];
        const size_t length = strcspn(begin, "+");

        snprintf(format, sizeof format, "%.*s", (int)length, begin);
        status = sb_gate_write(gate, format, NULL, error, stdout);
        begin += length;
        if (!*begin)
            break;
        if (status == SB_OK)
            putchar('\0');
    }
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

enum sb_status sb_web_prove(const char *options)
{
    const char *name = NULL, *format = "json";
    struct sb_reports *reports = NULL;
    struct sb_error error = { 0 };
    struct sb_request proof;
    json_t *json = NULL;

    sb_request_init(&proof, SB_PROVE);
    proof.stop = &sb_web_stop;
    proof.progress = sb_web_progress;
    const struct sb_web_option fields[] = {
        { "name", SB_WEB_TEXT, &name },           { "n", SB_WEB_SIZE, &proof.n },
        { "cells", SB_WEB_UINT32, &proof.cells }, { "draws", SB_WEB_UINT32, &proof.draws },
        { "paths", SB_WEB_UINT64, &proof.paths }, { "counts", SB_WEB_BOOL, &proof.counts },
        { "format", SB_WEB_TEXT, &format },
    };
    enum sb_status status =
        sb_web_options_read(options, fields, sizeof fields / sizeof fields[0], &error, &json);

    if (status == SB_OK)
        status = sb_prove_callback(name, web_drawn_shuffle, NULL, &proof, &error, &reports);
    if (status == SB_OK)
        status = web_write_reports(reports, format, &error);
    return web_end(json, &error, status);
}

enum sb_status sb_web_gate(const char *options)
{
    struct sb_subject subject = { .shuffle = web_own_shuffle };
    const char *format = "json";
    struct sb_request gate;
    struct sb_gate *made = NULL;
    struct sb_error error = { 0 };
    json_t *json = NULL;

    sb_request_init(&gate, SB_GATE);
    gate.stop = &sb_web_stop;
    gate.progress = sb_web_progress;
    const struct sb_web_option fields[] = {
        { "name", SB_WEB_TEXT, &subject.name },
        { "n", SB_WEB_SIZE, &subject.n },
        { "deal", SB_WEB_SIZE, &subject.deal },
        { "chained", SB_WEB_BOOL, &subject.chained },
        { "alpha", SB_WEB_DOUBLE, &gate.alpha },
        { "delta", SB_WEB_DOUBLE, &gate.delta },
        { "exclude", SB_WEB_DOUBLE, &gate.exclude },
        { "tolerate", SB_WEB_DOUBLE, &gate.tolerate },
        { "limit", SB_WEB_UINT64, &gate.limit },
        { "seeds", SB_WEB_UINT64, &gate.seeds },
        { "increments", SB_WEB_BOOL, &gate.increments },
        { "profile", SB_WEB_TEXT, &gate.profile },
        { "format", SB_WEB_TEXT, &format },
    };
    enum sb_status status =
        sb_web_options_read(options, fields, sizeof fields / sizeof fields[0], &error, &json);

    if (status == SB_OK)
        status = sb_gate_new(&subject, &gate, &error, &made);
    if (status == SB_OK)
        status = web_write_gate(made, format, &error);
    sb_gate_free(made);
    return web_end(json, &error, status);
}

enum sb_status sb_web_observe(const char *options)
{
    struct sb_subject subject = { .shuffle = web_own_shuffle };
    const char *format = "json";
    struct sb_reports *reports = NULL;
    struct sb_request report;
    struct sb_error error = { 0 };
    json_t *json = NULL;

    sb_request_init(&report, SB_REPORT);
    report.stop = &sb_web_stop;
    report.progress = sb_web_progress;
    const struct sb_web_option fields[] = {
        { "name", SB_WEB_TEXT, &subject.name },
        { "n", SB_WEB_SIZE, &subject.n },
        { "deal", SB_WEB_SIZE, &subject.deal },
        { "chained", SB_WEB_BOOL, &subject.chained },
        { "samples", SB_WEB_UINT64, &report.samples },
        { "alpha", SB_WEB_DOUBLE, &report.alpha },
        { "statistics", SB_WEB_TEXT, &report.statistics },
        { "profile", SB_WEB_TEXT, &report.profile },
        { "increments", SB_WEB_BOOL, &report.increments },
        { "counts", SB_WEB_BOOL, &report.counts },
        { "format", SB_WEB_TEXT, &format },
    };
    enum sb_status status =
        sb_web_options_read(options, fields, sizeof fields / sizeof fields[0], &error, &json);

    if (status == SB_OK)
        status = sb_reports_observe(&subject, &report, &error, &reports);
    if (status == SB_OK)
        status = web_write_reports(reports, format, &error);
    return web_end(json, &error, status);
}
