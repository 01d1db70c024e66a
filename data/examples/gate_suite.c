/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate on several shuffles at once, a gate that is saved and resumed, and reports on permutations and on a
 * matrix that another program recorded. It writes into a folder, which is its argument; without one, into the
 * current folder.
 *
 *     cc gate_suite.c $(pkg-config --cflags --libs shufflebias) -o gate_suite && ./gate_suite FOLDER
 */
#include <shufflebias.h>

#include <string.h>

static char gate_path[256], decks_path[256], matrix_path[256];

static bool write_text(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");

    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* Prints the verdict on a subject as soon as it is known. */
static int print_finished(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    (void)state;
    (void)done;
    (void)total;
    if (strcmp(event, "finished") == 0)
        printf("finished %s\n", text);
    return 0;
}

/* Makes a request with options, a list of names and values that ends with NULL. */
static struct sb_request *request_of(const char *command, const char *const options[])
{
    struct sb_request *const request = sb_request_new(command);
    enum sb_status status = SB_OK;

    for (; request && status == SB_OK && *options; options += 2)
        status = sb_set(request, options[0], options[1]);
    if (!status)
        return request;
    fprintf(stderr, "%s\n", sb_error(request));
    sb_request_free(request);
    return NULL;
}

/* Runs a request and frees it. */
static struct sb_result *run(struct sb_request *request)
{
    struct sb_result *const result = request ? sb_run(request) : NULL;

    if (request && !result)
        fprintf(stderr, "%s\n", sb_error(request));
    sb_request_free(request);
    return result;
}

/* One shuffle passes, one fails, and one never starts. */
static bool try_suite(void)
{
    static const char *const fair[] = { "name",    "fair", "scheme", "fisher-yates", "n", "4",
                                        "max-bias", "0.05", NULL };
    static const char *const biased[] = { "name", "biased",  "scheme", "naive", "n",
                                          "4",    "max-bias", "0.05",   NULL };
    static const char *const absent[] = { "name", "absent", "command", "./there-is-no-such-shuffle", NULL };
    static const char *const jobs[] = { "jobs", "2", NULL };
    struct sb_request *const gates[] = { request_of("gate", fair), request_of("gate", biased),
                                         request_of("gate", absent) };
    struct sb_request *const suite = request_of("gate", jobs);
    enum { COUNT = sizeof gates / sizeof gates[0] };
    bool well = suite;

    for (size_t i = 0; i < COUNT; i++)
        well = well && gates[i] && sb_add(suite, gates[i]) == SB_OK;
    if (well)
        sb_on(suite, print_finished, NULL);
    struct sb_result *const result = well ? run(suite) : NULL;

    well = result && sb_write(result, "markdown", stdout) == SB_OK &&
           strcmp(sb_get(result, "verdict"), "broken") == 0;
    sb_result_free(result);
    for (size_t i = 0; i < COUNT; i++)
        sb_request_free(gates[i]);
    return well;
}

/* A gate counts 100 decks, which is its limit, and saves them. Another gate resumes from the file. */
static bool save_and_resume(void)
{
    const char *const save[] = { "scheme", "naive", "n", "3", "limit", "100", "save", gate_path, NULL };
    const char *const resume[] = { "save", gate_path, NULL };
    struct sb_result *const first = run(request_of("gate", save));
    struct sb_result *const again = first ? run(request_of("gate", resume)) : NULL;
    const bool well = again && sb_number(again, "gates.0.total") == 100;

    if (again)
        printf("%s\n", sb_get(again, "gates.0.sentence"));
    sb_result_free(first);
    sb_result_free(again);
    return well;
}

/* Reports on a file of permutations, or on a matrix of items by positions. */
static bool report_on(const char *option, const char *path)
{
    const char *const options[] = { option, path, NULL };
    struct sb_result *const result = run(request_of("report", options));
    const bool well = result && sb_write(result, "text", stdout) == SB_OK;

    sb_result_free(result);
    return well;
}

int main(int argc, char *argv[])
{
    const char *const folder = argc > 1 ? argv[1] : ".";

    snprintf(gate_path, sizeof gate_path, "%s/gate.json", folder);
    snprintf(decks_path, sizeof decks_path, "%s/decks.txt", folder);
    snprintf(matrix_path, sizeof matrix_path, "%s/matrix.csv", folder);
    const bool well = write_text(decks_path, "0 1 2\n2 0 1\n1 2 0\n0 2 1\n") &&
                      write_text(matrix_path, "40,30,30\n30,40,30\n30,30,40\n") && try_suite() &&
                      save_and_resume() && report_on("file", decks_path) && report_on("matrix", matrix_path);

    remove(gate_path);
    remove(decks_path);
    remove(matrix_path);
    return !well;
}
