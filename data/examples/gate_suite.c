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
static void print_finished(void *state, const struct sb_suite_part *part)
{
    struct sb_gate_summary summary = { .verdict = "broken" };

    (void)state;
    if (part->gate)
        sb_gate_summary_get(part->gate, &summary);
    printf("finished %s: %s\n", part->name, summary.verdict);
}

/* One shuffle passes, one fails, and one never starts. */
static bool try_suite(struct sb_error *error)
{
    static const char *const absent[] = { "./there-is-no-such-shuffle", NULL };
    static const char *const names[] = { "fair", "biased", "absent" };
    const struct sb_subject subjects[] = {
        { .scheme = "fisher-yates", .n = 4, .seed = 1 },
        { .scheme = "naive", .n = 4, .seed = 1 },
        { .command = absent },
    };
    enum { COUNT = sizeof subjects / sizeof subjects[0] };
    struct sb_suite_case cases[COUNT];
    struct sb_gate_options options;
    struct sb_suite_summary summary;
    struct sb_suite_part part;
    struct sb_suite *suite;

    sb_gate_options_init(&options);
    options.exclude = 0.05;
    for (size_t i = 0; i < COUNT; i++) {
        cases[i] = (struct sb_suite_case) { 0 };
        cases[i].name = names[i];
        cases[i].subject = &subjects[i];
        cases[i].options = &options;
        cases[i].finished = print_finished;
    }
    if (sb_suite_new(cases, COUNT, 2, error, &suite))
        return false;
    for (size_t i = 0; sb_suite_get(suite, i, &part); i++) {
        if (part.error)
            printf("%s: %s\n", part.name, part.error->text);
        else
            sb_gate_write(part.gate, "text", NULL, error, stdout);
    }
    sb_suite_summary_get(suite, &summary);
    const bool well =
        sb_suite_write(suite, "markdown", NULL, error, stdout) == SB_OK && summary.count == COUNT;

    sb_suite_free(suite);
    return well && strcmp(summary.verdict, "broken") == 0;
}

/* A gate counts 100 decks, which is its limit, and saves them. Another gate resumes from the file. */
static bool save_and_resume(struct sb_error *error)
{
    struct sb_subject subject = { .scheme = "naive", .n = 3, .seed = 1 };
    struct sb_gate_options options;
    struct sb_gate_summary summary;
    struct sb_gate_saved *saved;
    struct sb_gate *gate;

    sb_gate_options_init(&options);
    options.save = gate_path;
    options.limit = 100;
    if (sb_gate_new(&subject, &options, error, &gate))
        return false;
    sb_gate_free(gate);
    if (sb_gate_saved_new(gate_path, error, &saved))
        return false;
    subject = (struct sb_subject) { 0 };
    sb_gate_options_init(&options);
    sb_gate_saved_asked(saved, &subject, &options);
    options.save = gate_path;
    enum sb_status status = sb_gate_new(&subject, &options, error, &gate);

    sb_gate_saved_free(saved);
    if (status)
        return false;
    sb_gate_summary_get(gate, &summary);
    printf("%llu decks: %s\n", (unsigned long long)summary.total, summary.sentence);
    sb_gate_free(gate);
    return summary.total == 100;
}

/* Reports on a file of permutations, and on a matrix of items by positions. */
static bool report_records(struct sb_error *error)
{
    const struct sb_subject subject = { .file = decks_path };
    struct sb_options options;
    struct sb_reports *reports;
    bool well;

    sb_options_init(&options);
    if (sb_reports_observe(&subject, &options, error, &reports))
        return false;
    well = sb_reports_write(reports, "text", NULL, error, stdout) == SB_OK;
    sb_reports_free(reports);
    if (!well || sb_reports_recorded(matrix_path, &options, error, &reports))
        return false;
    well = sb_reports_write(reports, "text", NULL, error, stdout) == SB_OK;
    sb_reports_free(reports);
    return well;
}

int main(int argc, char *argv[])
{
    const char *const folder = argc > 1 ? argv[1] : ".";
    struct sb_error error = { .text = "" };

    snprintf(gate_path, sizeof gate_path, "%s/gate.json", folder);
    snprintf(decks_path, sizeof decks_path, "%s/decks.txt", folder);
    snprintf(matrix_path, sizeof matrix_path, "%s/matrix.csv", folder);
    const bool well = write_text(decks_path, "0 1 2\n2 0 1\n1 2 0\n0 2 1\n") &&
                      write_text(matrix_path, "40,30,30\n30,40,30\n30,30,40\n") && try_suite(&error) &&
                      save_and_resume(&error) && report_records(&error);

    if (!well)
        fprintf(stderr, "%s\n", error.text);
    remove(gate_path);
    remove(decks_path);
    remove(matrix_path);
    return !well;
}
