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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LESSON_PAGES_MOST = 64, LESSON_HEAD = 4096, LESSON_PATH = 4096 };

/* Whether the course may be written to a folder. */
enum lesson_place {
    LESSON_NONE,  /* no; a line about the reason has been printed */
    LESSON_NEW,   /* yes: the folder does not exist yet */
    LESSON_READY, /* yes: the folder is empty, or holds an earlier course or the remains of a killed run */
};

/* Writes FOLDER/NAME to `path`; returns false if the result is too long. */
static bool lesson_path(char path[LESSON_PATH], const char *folder, const char *name)
{
    return snprintf(path, LESSON_PATH, "%s/%s", folder, name) < LESSON_PATH;
}

/* Returns whether a file of the folder is this page of an earlier course. The head of such a page names
 * shufflebias and has the title of the page. */
static bool lesson_earlier(const char *folder, const struct sb_course_page *page)
{
    char path[LESSON_PATH], head[LESSON_HEAD + 1], title[256];

    if (!lesson_path(path, folder, page->file))
        return false;
    FILE *const file = fopen(path, "r");
    if (!file)
        return false;
    const size_t length = fread(head, 1, LESSON_HEAD, file);

    fclose(file);
    head[length] = '\0';
    snprintf(title, sizeof title, "<title>%s</title>", page->title);
    return strstr(head, "content=\"shufflebias ") && strstr(head, title);
}

/* The kinds of files in the folder. */
enum lesson_entry { LESSON_FOREIGN, LESSON_PAGE, LESSON_TEMPORARY };

/* Returns the kind of a file. A killed run may leave temporary files, and pages without an index. */
static enum lesson_entry lesson_entry(const char *folder, const char *name)
{
    struct sb_course_page page;

    for (size_t i = 0; sb_course_page_get(i, &page); i++) {
        const size_t length = strlen(page.file);
        const char *const end = name + length;

        if (strncmp(name, page.file, length) != 0)
            continue;
        if (*end == '\0')
            return lesson_earlier(folder, &page) ? LESSON_PAGE : LESSON_FOREIGN;
        if (strncmp(end, SB_OUTPUT_TEMPORARY, strlen(SB_OUTPUT_TEMPORARY)) == 0)
            return LESSON_TEMPORARY;
    }
    return LESSON_FOREIGN;
}

/* Counts the files of the folder that do not belong to a course. If `clean` is set, also removes the
 * temporary files that no run has locked. If the folder cannot be read, prints a line and returns false. */
static bool lesson_files(const char *folder, bool clean, size_t *foreign)
{
    DIR *const directory = opendir(folder);
    char path[LESSON_PATH];

    *foreign = 0;
    if (!directory) {
        cli_usage("lesson", "cannot read '%s': %s", folder, strerror(errno));
        return false;
    }
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const enum lesson_entry is = lesson_entry(folder, entry->d_name);

        *foreign += is == LESSON_FOREIGN;
        if (clean && is == LESSON_TEMPORARY && lesson_path(path, folder, entry->d_name))
            cli_output_clean(path);
    }
    closedir(directory);
    return true;
}

static enum lesson_place lesson_look(const char *folder, int *status)
{
    struct stat there;
    struct sb_course_page index;
    size_t foreign;

    *status = EXIT_BROKEN;
    if (stat(folder, &there)) {
        if (errno == ENOENT)
            return LESSON_NEW;
        cli_usage("lesson", "cannot look at '%s': %s", folder, strerror(errno));
        return LESSON_NONE;
    }
    if (!S_ISDIR(there.st_mode)) {
        *status = cli_usage("lesson", "'%s' is not a folder: name one that is new or empty", folder);
        return LESSON_NONE;
    }
    if (!lesson_files(folder, false, &foreign))
        return LESSON_NONE;
    if (foreign == 0 || (sb_course_page_get(0, &index) && lesson_earlier(folder, &index)))
        return LESSON_READY;
    *status = cli_usage("lesson", "'%s' contains files that are not an earlier course: name a new folder", folder);
    return LESSON_NONE;
}

/* Opens, writes and renames all pages; returns the exit status. */
static int lesson_pages(const char *folder, const struct sb_request *options, struct cli_output outputs[],
                        size_t *count)
{
    struct sb_course_page page;
    struct sb_error error = { 0 };
    char path[LESSON_PATH];

    for (; *count < LESSON_PAGES_MOST && sb_course_page_get(*count, &page); ++*count) {
        struct cli_output *const output = &outputs[*count];

        if (!lesson_path(path, folder, page.file))
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

static size_t lesson_count(void)
{
    struct sb_course_page page;
    size_t count = 0;

    for (size_t i = 0; sb_course_page_get(i, &page); i++)
        count += page.summary != NULL;
    return count;
}

static int lesson_course(const char *folder, const struct sb_request *options)
{
    struct cli_output outputs[LESSON_PAGES_MOST] = { 0 };
    size_t count = 0, foreign;
    int status;
    const enum lesson_place place = lesson_look(folder, &status);

    if (place == LESSON_NONE)
        return status;
    if (place == LESSON_NEW && !cli_output_folder("lesson", folder))
        return EXIT_BROKEN;
    status = lesson_pages(folder, options, outputs, &count);
    for (size_t i = 0; i < count; i++)
        cli_output_drop(&outputs[i]);
    if (status && place == LESSON_NEW)
        rmdir(folder);
    if (status)
        return status;
    lesson_files(folder, true, &foreign);
    char name[4096];

    sb_sanitize_log_text(folder, name, sizeof name);
    printf("%s/index.html: a course of %zu lessons\n", name, lesson_count());
    return cli_finish("lesson", EXIT_DONE);
}

/* Reads the folder's name, without slashes at its end, and writes the course. */
static int lesson_run(struct cli_line *line)
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

const struct cli_command_type cli_command_lesson = {
    .name = "lesson",
    .of = SB_LESSON,
    .arguments = "[OPTION ...] FOLDER",
    .examples = {
        { "shufflebias lesson course", "writes seven lessons; open course/index.html in a browser" },
    },
    .run = lesson_run,
    .first = { { "lesson FOLDER", "write a short course for a browser" } },
};
