/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course: its pages in the order of meson.build, the index first. A page with a question is a lesson. The part
 * `lesson` of data/lessons/course.md is the frame of all lessons; other pages have their whole text themselves. Links
 * are relative, so that users can move the folder, send it, and open it from disk.
 */
#include "lesson/lesson.h"
#include "study/explain/explain.h"
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"

#include <errno.h>

enum { LESSON_RESULTS = 128, LESSON_COMMAND = 128 };

/* The result of a command. */
struct lesson_result {
    char command[LESSON_COMMAND]; /* "report naive -n 3" */
    struct sb_result *result;     /* NULL for a list; owned */
    json_t *json;                 /* what the command says to programs; NULL until a mark asks for it; owned */
};

/* A page that is being written. After an error, the functions below do nothing. */
struct lesson {
    struct sb_template template; /* must be the first member, because its methods get a pointer to this member */
    struct sb_html html;
    const struct sb_request *options; /* threads and stop */
    size_t results_count;
    struct lesson_result result[LESSON_RESULTS]; /* [results_count] */
};

/*
 * The results that a page shows, computed with the public functions of the library as any program could. The results
 * live until the page is complete.
 */

/* Whether a run was stopped before its result was complete. */
static bool result_stopped(const struct sb_result *result)
{
    if (result->of == SB_GATE)
        return result->suite->item->gate->interrupted;
    return result->of == SB_REPORT && (result->reports->count != 1 || result->reports->interrupted);
}

/* Sets what the words after the command's name say: "naive -n 3 --samples 100". Reports are on exact laws, unless
 * the words say which seeds. */
static enum sb_status result_words(char **state, struct sb_request *request)
{
    enum sb_status status = request->of == SB_REPORT ? sb_set(request, "by", "exact") : SB_OK;

    for (const char *word; status == SB_OK && (word = strtok_r(NULL, " ", state));) {
        const char *const value = word[0] == '-' ? strtok_r(NULL, " ", state) : NULL;

        if (!value)
            status = sb_set(request, "scheme", word);
        else
            status = sb_set(request, word + strspn(word, "-"), value);
        if (value && strcmp(word, "--seeds") == 0)
            status = status ? status : sb_set(request, "by", "seeds");
    }
    return status;
}

/* Runs the command; returns NULL after an error. */
static struct sb_result *result_run(struct lesson *lesson, struct sb_request *request, char **state)
{
    struct sb_error error = { .status = SB_BROKEN, .text = "a lesson has a wrong command" };
    struct sb_result *result = NULL;

    const enum sb_status status = result_words(state, request);

    if (status == SB_NO_MEMORY)
        sb_error_memory(&error, "a lesson");
    if (status == SB_OK) {
        request->threads = lesson->options->threads;
        request->stop = lesson->options->stop;
        result = sb_call_run(request, &error);
    }
    if (result && result_stopped(result)) {
        sb_error_set(&error, SB_STOPPED, "interrupted: the course is not whole");
        sb_result_free(result);
        result = NULL;
    }
    if (!result)
        lesson->template.status = sb_error_set(lesson->template.error, error.status, "%s", error.text);
    return result;
}

/* Makes the names of the shuffles that begin with `prefix` and take no parameter. */
static enum sb_status result_list(struct lesson *lesson, const char *prefix, json_t **names)
{
    struct sb_entry entry;

    *names = json_array();
    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        if (strcmp(entry.family, "shuffle") == 0 && strncmp(entry.name, prefix, strlen(prefix)) == 0 &&
            !entry.parameter && json_array_append_new(*names, json_string(entry.name)))
            return sb_error_memory(lesson->template.error, "a list");
    return *names ? SB_OK : sb_error_memory(lesson->template.error, "a list");
}

/* Returns the result of a command such as "report naive -n 3", which runs once for each page; NULL after an error. */
static struct lesson_result *lesson_run(struct lesson *lesson, const char *command)
{
    char words[LESSON_COMMAND], *state;

    for (size_t i = 0; i < lesson->results_count; i++)
        if (strcmp(lesson->result[i].command, command) == 0)
            return lesson->template.status ? NULL : &lesson->result[i];
    if (lesson->results_count == LESSON_RESULTS || strlen(command) >= sizeof words)
        sb_template_fault(&lesson->template, command);
    if (lesson->template.status)
        return NULL;
    strcpy(words, command);
    struct lesson_result *const result = &lesson->result[lesson->results_count++];
    const char *const name = strtok_r(words, " ", &state);
    struct sb_request *const request = name ? sb_request_new(name) : NULL;

    strcpy(result->command, command);
    if (request)
        result->result = result_run(lesson, request, &state);
    else if (name && strcmp(name, "list") == 0)
        lesson->template.status = result_list(lesson, strtok_r(NULL, " ", &state), &result->json);
    else if (name && (strncmp(name, "chi-square-", 11) == 0 || strcmp(name, "peeks") == 0))
        lesson->template.status =
            sb_chance(name, &state, &result->json) ? SB_OK : sb_error_memory(lesson->template.error, "a lesson");
    else if (name && sb_request_of(name))
        lesson->template.status = sb_error_memory(lesson->template.error, "a lesson");
    else
        sb_template_fault(&lesson->template, command);
    sb_request_free(request);
    return lesson->template.status ? NULL : result;
}

/* Adds to each step of a path which orders are still possible, if they are few; returns false without memory. */
static bool result_possible(const struct sb_explain *explain, json_t *json)
{
    json_t *const steps = json_object_get(json_object_get(json, "walk"), "steps");

    for (size_t k = 0; k < json_array_size(steps); k++) {
        const struct sb_explain_step *const step = &explain->step[k];
        json_t *const orders = json_array();

        if (json_object_set_new(json_array_get(steps, k), "orders", orders))
            return false;
        for (size_t i = 0; i < step->open && step->open <= SB_EXPLAIN_OPEN_MOST; i++)
            if (json_array_append_new(orders, json_string(sb_explain_order_text(explain, step->ranks[i]).text)))
                return false;
    }
    return true;
}

/* Adds to the JSON of a result what only lessons show; returns false without memory. */
static bool result_more(const struct sb_result *result, json_t *json)
{
    if (result->of == SB_EXPLAIN)
        return result_possible(result->explain, json);
    if (result->of != SB_REPORT)
        return true;
    /* a difference of the ratio from 1 that the ratio itself would round */
    json_t *const report = json_array_get(json_object_get(json, "reports"), 0);

    return json_object_set_new(json_object_get(report, "effect"), "max_excess",
                               json_real(result->reports->report[0].effect.max_excess)) == 0;
}

/* Returns the JSON of this result, or of its only report or gate; for "list PREFIX", the names of the shuffles that
 * begin like this and take no parameter. NULL after an error. */
static json_t *lesson_json(struct sb_template *template, const char *command)
{
    struct lesson *const lesson = (struct lesson *)template;
    struct lesson_result *const result = lesson_run(lesson, command);

    if (result && !result->json) {
        result->json = json_incref(sb_call_json(result->result));
        if (!result->json || !result_more(result->result, result->json))
            lesson->template.status = sb_error_memory(lesson->template.error, "a lesson");
    }
    if (!result || lesson->template.status)
        return NULL;
    json_t *const only = json_object_get(result->json, strncmp(command, "gate ", 5) == 0 ? "gates" : "reports");

    return only ? json_array_get(only, 0) : result->json;
}

/* Returns the JSON of this result, or of its only report or gate; for "list PREFIX", the names of the shuffles that
 * begin like this and take no parameter. NULL after an error. */
static void lesson_results_free(struct lesson *lesson)
{
    for (size_t i = 0; i < lesson->results_count; i++) {
        sb_result_free(lesson->result[i].result);
        json_decref(lesson->result[i].json);
    }
}

/*
 * Figures of results, side by side:
 *
 *     show: tree bars            names of figures
 *     of: report naive           a report or a gate; more lines for more results
 *     cards: 3 6 4               optional: the figures of each n from 3 to 6, of which a slider first shows n = 4
 *
 * With `cards`, a figure that has nothing to draw for some n is left out there.
 */

/* the most rows and columns of blocks in a matrix; 52 cards are merged into 26 blocks */
enum { FIGURES_SIDE = 26 };

/* Returns the value of the line "KEY: VALUE" after `previous`, or of the first such line if this is NULL; NULL
 * beyond the last. The lines of a block end in 0, and an empty line ends the block. */
static const char *figures_field(const char *block, const char *previous, const char *key)
{
    const size_t length = strlen(key);

    for (const char *line = previous ? previous + strlen(previous) + 1 : block; *line; line += strlen(line) + 1)
        if (strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0)
            return line + length + 2;
    return NULL;
}

/* Returns what to draw of a command's result, or an empty scene. The scene borrows `report`. */
static struct sb_scene figures_scene(struct lesson *lesson, const char *command, struct sb_report *report)
{
    const struct lesson_result *const run = lesson_run(lesson, command);
    struct sb_scene scene = { .side = FIGURES_SIDE, .common = true };

    if (!run)
        return scene;
    scene.gate = run->result->of == SB_GATE ? run->result->suite->item->gate : NULL;
    *report = scene.gate ? sb_gate_report(scene.gate) : run->result->reports->report[0];
    *(report->evidence.by == SB_BY_SAMPLE ? &scene.pair.sampled : &scene.pair.exact) = report;
    return scene;
}

/* Returns the deviation at the end of the axis of all these figures, which stand side by side. */
static double figures_axis(struct lesson *lesson, const char *block, const char *name, const char *n)
{
    char command[LESSON_COMMAND];
    struct sb_report report;
    double axis = 0;

    for (const char *of = figures_field(block, NULL, "of"); of; of = figures_field(block, of, "of")) {
        snprintf(command, sizeof command, "%s%s", of, n);
        const struct sb_scene scene = figures_scene(lesson, command, &report);

        axis = fmax(axis, lesson->template.status ? 0 : sb_figure_axis_needed(name, &scene));
    }
    return axis;
}

/* Draws a figure; `axis` is that of all beside it. */
static void figures_draw(struct lesson *lesson, const char *name, const char *command, bool optional, double axis)
{
    struct sb_report report;
    struct sb_scene scene = figures_scene(lesson, command, &report);
    struct sb_html *const html = &lesson->html;

    if (lesson->template.status)
        return;
    scene.axis = axis;
    const struct sb_figure_type *const found = sb_figure_find(name, &scene);

    if (!found) {
        lesson->template.status = optional ? SB_OK : sb_error_broken(lesson->template.error, name);
        return;
    }
    html->side = FIGURES_SIDE;
    fputs("<div data-scheme=\"", html->stream);
    sb_markup_text(html->stream, report.name);
    fprintf(html->stream, "\" data-n=\"%zu\">\n", report.evidence.n);
    sb_page_paragraph(&html->page, SB_INK_STRONG, report.name, "n = %zu", report.evidence.n);
    sb_html_figure(found, &scene, html);
    fputs("</div>\n", html->stream);
}

/* Draws each figure of each result; `n` is " -n 4", or "" if the commands say it. */
static void figures_all(struct lesson *lesson, const char *block, const char *n)
{
    FILE *const stream = lesson->html.stream;
    const char *const show = figures_field(block, NULL, "show");
    char command[LESSON_COMMAND], name[SB_TEMPLATE_NUMBER_ROOM];
    bool matrix = false;

    fputs("<div class=\"figures\">\n", stream);
    for (const char *kind = show; *kind; kind += strspn(kind, " ")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(kind, " "), kind);
        kind += strcspn(kind, " ");
        matrix = matrix || strcmp(name, "matrix") == 0;
        const double axis = figures_axis(lesson, block, name, n);

        for (const char *of = figures_field(block, NULL, "of"); of; of = figures_field(block, of, "of")) {
            snprintf(command, sizeof command, "%s%s", of, n);
            figures_draw(lesson, name, command, *n, axis);
        }
    }
    fputs("</div>\n", stream);
    if (!matrix)
        return;
    fprintf(stream, "<p class=\"steps\">%s", sb_template_part("course", "colours"));
    sb_figure_matrix_key(stream);
    fputs("</p>\n", stream);
}

static void figures_block(struct lesson *lesson, const char *block)
{
    FILE *const stream = lesson->html.stream;
    const char *const cards = figures_field(block, NULL, "cards");
    char words[SB_TEMPLATE_NUMBER_ROOM], *end;

    if (!cards) {
        figures_all(lesson, block, "");
        return;
    }
    const unsigned long least = strtoul(cards, &end, 10), most = strtoul(end, &end, 10), shown = strtoul(end, NULL, 10);

    fputs("<div class=\"slide\">\n", stream);
    for (unsigned long n = least; n <= most && lesson->template.status == SB_OK; n++) {
        sb_template_name(&lesson->template, "cards", json_integer((json_int_t)n));
        char *const title = sb_template_fill(&lesson->template, sb_template_part("course", "cards"));

        fprintf(stream, "<details data-n=\"%lu\"%s><summary>%s</summary>\n", n, n == shown ? " open=\"open\"" : "",
                title ? title : "");
        free(title);
        snprintf(words, sizeof words, " -n %lu", n);
        figures_all(lesson, block, words);
        fputs("</details>\n", stream);
    }
    fputs("</div>\n", stream);
}

/* Writes a block of code with a name: "command" or "figures". */
static void lesson_block(struct sb_template *template, const char *name, char *block)
{
    struct lesson *const lesson = (struct lesson *)template;

    for (char *end = block; (end = strchr(end, '\n'));)
        *end++ = '\0';
    if (strcmp(name, "command") == 0)
        sb_html_command(block, lesson->html.stream);
    else
        figures_block(lesson, block);
}

/* Returns the name of page `index`; NULL beyond the last page. */
static const char *course_page(size_t index)
{
    for (size_t i = 0; i < sb_template_parts_count; i++)
        if (strcmp(sb_template_parts[i].name, "file") == 0 && index-- == 0)
            return sb_template_parts[i].page;
    return NULL;
}

const char *sb_course_part(size_t index, const char *name)
{
    return course_page(index) ? sb_template_part(course_page(index), name) : NULL;
}

/* Makes an object of the parts of a page. */
static json_t *course_parts(const char *page)
{
    json_t *const parts = json_object();

    for (size_t i = 0; i < sb_template_parts_count; i++)
        if (strcmp(sb_template_parts[i].page, page) == 0 &&
            json_object_set_new(parts, sb_template_parts[i].name, json_string(sb_template_parts[i].text))) {
            json_decref(parts);
            return NULL;
        }
    return parts;
}

/* Names what marks know on every page: `page` and its `number`; `course`, which the pages share; `lessons`, and
 * `others`, which are the remaining pages but the index. */
static void course_names(struct sb_template *template, size_t index)
{
    json_t *const lessons = json_array(), *const others = json_array();

    sb_template_name(template, "pi", json_real(acos(-1)));
    sb_template_name(template, "course", course_parts("course"));
    sb_template_name(template, "page", course_parts(course_page(index)));
    sb_template_name(template, "number", json_integer((json_int_t)index));
    sb_template_name(template, "lessons", lessons);
    sb_template_name(template, "others", others);
    for (size_t i = 1; course_page(i) && template->status == SB_OK; i++)
        if (json_array_append_new(sb_template_part(course_page(i), "question") ? lessons : others,
                                  course_parts(course_page(i))))
            template->status = sb_error_memory(template->error, "a lesson");
}

static void course_text(struct sb_template *template, size_t index)
{
    const char *const page = course_page(index);
    const bool framed = sb_template_part(page, "question");
    char *text;

    template->names = json_object();
    template->kept = json_array();
    course_names(template, index);
    text = sb_template_fill(template, framed ? sb_template_part("course", "lesson") : sb_template_part(page, "text"));
    if (text)
        sb_template_markdown(template, text);
    free(text);
}

static enum sb_status course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream)
{
    struct lesson lesson = {
        .template = { .page = &lesson.html.page, .error = error, .command = lesson_json, .block = lesson_block },
        .options = options,
    };

    sb_html_open(sb_template_part(course_page(index), "title"),
                 (const char *const[]) { sb_asset_stepper_css, sb_asset_play_css, sb_asset_lesson_css, NULL }, stream,
                 &lesson.html);
    course_text(&lesson.template, index);
    fprintf(stream, "<script>%s</script>\n<script>%s</script>\n<script>%s</script>\n", sb_asset_stepper_js,
            sb_asset_lesson_js, sb_asset_experiments_js);
    if (sb_template_part(course_page(index), "animation"))
        fprintf(stream, "<script>%s</script>\n", sb_asset_play_js);
    sb_html_close(&lesson.html);
    const enum sb_status written = lesson.html.page.status;
    const bool flushed = fflush(stream) == 0 && !ferror(stream);

    json_decref(lesson.template.names);
    json_decref(lesson.template.kept);
    lesson_results_free(&lesson);
    if (lesson.template.status)
        return lesson.template.status;
    if (written)
        return sb_error_memory(error, "a lesson");
    return flushed ? SB_OK : sb_error_set(error, SB_IO, "cannot write the lesson: %s", strerror(errno ? errno : EIO));
}

enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream)
{
    struct sb_request own, settled;

    if (!stream)
        return sb_error_set(error, SB_INVALID, "the stream is NULL: check the call that opened it");
    if (!course_page(index))
        return sb_error_set(error, SB_INVALID, "page %zu: there is no such page", index);
    sb_request_init(&own, SB_REPORT);
    if (options)
        own = *options;
    const enum sb_status status = sb_options_settle(&own, error, &settled);

    if (status)
        return status;
    errno = 0;
    return course_write(index, &own, error, stream);
}

const char *sb_lesson(size_t index)
{
    return sb_course_part(index, "file");
}

enum sb_status sb_lesson_page(size_t index, FILE *stream)
{
    return sb_course_write(index, NULL, NULL, stream);
}
