/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why the naive swap is biased, which statistic detects that, and the index of the course.
 *
 *     cc teach.c $(pkg-config --cflags --libs shufflebias) -o teach && ./teach
 */
#include <shufflebias.h>

/* One path through the tree of draws: the answers 0, 2 and 1. */
static bool show_path(struct sb_error *error)
{
    struct sb_options options;
    struct sb_explain *explain;

    sb_options_init(&options);
    if (sb_explain_new("naive", "0,2,1", &options, error, &explain))
        return false;
    const bool well = sb_explain_write(explain, "text", NULL, error, stdout) == SB_OK;

    sb_explain_free(explain);
    return well;
}

static bool show_zoo(struct sb_error *error)
{
    struct sb_zoo_options options;
    struct sb_zoo *zoo;

    sb_zoo_options_init(&options);
    options.n = 3;
    options.seeds = 1;
    options.samples = 2000;
    if (sb_zoo_new(&options, error, &zoo))
        return false;
    const bool well = sb_zoo_write(zoo, "text", NULL, error, stdout) == SB_OK;

    sb_zoo_free(zoo);
    return well;
}

static bool show_course(struct sb_error *error)
{
    struct sb_course_page page;
    size_t count = 0;

    while (sb_course_page_get(count, &page)) {
        printf("%s: %s\n", page.file, page.title);
        count++;
    }
    return count > 1 && sb_course_write(0, NULL, error, stdout) == SB_OK;
}

int main(void)
{
    struct sb_error error = { .text = "" };

    if (show_path(&error) && show_zoo(&error) && show_course(&error))
        return 0;
    fprintf(stderr, "%s\n", error.text);
    return 1;
}
