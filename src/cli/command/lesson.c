/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shufflebias lesson: writes the course as a folder of pages. The command first writes all pages under
 * temporary names. When the last page is complete, the command renames all pages, the index last. So if a
 * folder has an index, the folder has the complete course.
 */
#include "lesson/lesson.h"
#include "cli/cli.h"

#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LESSON_PAGES_MOST = 64, LESSON_HEAD = 4096, LESSON_PATH = 4096 };

/* Writes FOLDER/NAME to `path`; returns false if the result is too long. */
static bool lesson_path(char path[LESSON_PATH], const char *folder, const char *name)
{
    return snprintf(path, LESSON_PATH, "%s/%s", folder, name) < LESSON_PATH;
}

/* Returns whether a file of the folder is this page of an earlier course. The head of such a page names
 * shufflebias and has the title of the page. */
static bool lesson_earlier(const char *folder, size_t index)
{
    char path[LESSON_PATH], head[LESSON_HEAD + 1], title[256];
    FILE *const file = lesson_path(path, folder, sb_lesson(index)) ? fopen(path, "r") : NULL;

    if (!file)
        return false;
    head[fread(head, 1, LESSON_HEAD, file)] = '\0';
    fclose(file);
    snprintf(title, sizeof title, "<title>%s</title>", sb_course_part(index, "title"));
    return strstr(head, "content=\"shufflebias ") && strstr(head, title);
}

/* Returns whether a file is a page of an earlier course, or a temporary file of a killed run. If `clean` is set, also
 * removes the temporary file, unless a run has locked it. */
static bool lesson_own(const char *folder, const char *name, bool clean)
{
    char path[LESSON_PATH];
    const char *file;

    for (size_t i = 0; (file = sb_lesson(i)); i++) {
        const size_t length = strlen(file);
        const char *const end = name + length;

        if (strcmp(name, file) == 0)
            return lesson_earlier(folder, i);
        if (strncmp(name, file, length) != 0 || strncmp(end, SB_OUTPUT_TEMPORARY, strlen(SB_OUTPUT_TEMPORARY)) != 0)
            continue;
        if (clean && lesson_path(path, folder, name))
            cli_output_clean(path);
        return true;
    }
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Counts the files of the folder that do not belong to a course. If the folder cannot be read, prints a line and
 * returns false. */
static bool lesson_files(const char *folder, bool clean, size_t *foreign)
{
    DIR *const directory = opendir(folder);

    *foreign = 0;
    if (!directory)
        return cli_refuse("lesson", "cannot read '%s': %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory));)
        *foreign += !lesson_own(folder, entry->d_name, clean);
    closedir(directory);
    return true;
}

/* Checks whether the course may be written to the folder, which is `fresh` if it does not exist yet: the folder is
 * empty, or holds an earlier course or the remains of a killed run. If not, prints a line; returns the exit status. */
static int lesson_look(const char *folder, bool *fresh)
{
    struct stat there;
    size_t foreign;

    *fresh = stat(folder, &there) && errno == ENOENT;
    if (*fresh)
        return cli_output_folder("lesson", folder) ? EXIT_DONE : EXIT_BROKEN;
    if (stat(folder, &there))
        return cli_usage("lesson", "cannot look at '%s': %s", folder, strerror(errno)), EXIT_BROKEN;
    if (!S_ISDIR(there.st_mode))
        return cli_usage("lesson", "'%s' is not a folder: name one that is new or empty", folder);
    if (!lesson_files(folder, false, &foreign))
        return EXIT_BROKEN;
    if (foreign == 0 || lesson_earlier(folder, 0))
        return EXIT_DONE;
    return cli_usage("lesson", "'%s' contains files that are not an earlier course: name a new folder", folder);
}

/* Opens, writes and renames all pages; returns the exit status. */
static int lesson_pages(const char *folder, const struct sb_request *options, struct cli_output outputs[],
                        size_t *count)
{
    struct sb_error error = { 0 };
    char path[LESSON_PATH];

    for (; *count < LESSON_PAGES_MOST && sb_lesson(*count); ++*count) {
        struct cli_output *const output = &outputs[*count];

        if (!lesson_path(path, folder, sb_lesson(*count)))
            return cli_usage("lesson", "the name of the folder is too long: take a shorter one");
        if (!cli_output_open("lesson", path, output))
            return EXIT_BROKEN;
    }
    for (size_t i = 0; i < *count; i++) {
        const enum sb_status written = sb_course_write(i, options, &error, outputs[i].stream);

        if (written && written != SB_IO)
            return cli_failed("lesson", &error);
        if (written || ferror(outputs[i].stream)) {
            cli_output_keep("lesson", &outputs[i]); /* prints why the page could not be written */
            return EXIT_BROKEN;
        }
    }
    if (*options->stop) {
        cli_usage("lesson", "interrupted: nothing was written");
        return EXIT_INTERRUPTED;
    }
    for (size_t i = *count; i-- > 0;)
        if (!cli_output_keep("lesson", &outputs[i]))
            return EXIT_BROKEN;
    return EXIT_DONE;
}

static int lesson_course(const char *folder, const struct sb_request *options)
{
    struct cli_output outputs[LESSON_PAGES_MOST] = { 0 };
    size_t count = 0, lessons = 0, foreign;
    char name[LESSON_PATH];
    bool fresh;
    int status = lesson_look(folder, &fresh);

    if (status)
        return status;
    status = lesson_pages(folder, options, outputs, &count);
    for (size_t i = 0; i < count; i++)
        cli_output_drop(&outputs[i]);
    if (status && fresh)
        rmdir(folder);
    if (status)
        return status;
    lesson_files(folder, true, &foreign);
    for (size_t i = 0; i < count; i++)
        lessons += sb_course_part(i, "question") != NULL;
    sb_sanitize_log_text(folder, name, sizeof name);
    printf("%s/index.html: a course of %zu lessons\n", name, lessons);
    return cli_finish("lesson", EXIT_DONE);
}

/* Reads the folder's name, without slashes at its end, and writes the course. */
int cli_lesson_run(struct cli_line *line)
{
    const char *const *const words = line->words;
    const char *const named = line->request.output, *const folder = named ? named : words[0];

    if (!folder || !*folder)
        return cli_usage("lesson", "name the folder to write to, as in 'shufflebias lesson course'");
    if (words[0] && (named || words[1]))
        return cli_usage("lesson", "one folder at a time: leave '%s' out", named ? words[0] : words[1]);
    if (strcmp(folder, "-") == 0)
        return cli_usage("lesson",
                         "a course is a folder of pages and cannot be written to standard output: name a folder");
    int status = cli_prepare(line);

    if (status)
        return status;
    char *const path = strdup(folder);

    if (!path)
        return cli_usage("lesson", "not enough memory"), EXIT_BROKEN;
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/';)
        path[--end] = '\0';
    status = lesson_course(path, &line->request);
    free(path);
    return status;
}
