/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why the naive swap is biased, which statistic detects that, and the index of the course.
 *
 *     cc teach.c $(pkg-config --cflags --libs shufflebias) -o teach && ./teach
 */
#include <shufflebias.h>

/* Runs a request whose options are a list of names and values that ends with NULL, and prints the result. */
static bool show(const char *command, const char *const options[])
{
    struct sb_request *const request = sb_request_new(command);
    struct sb_result *result = NULL;
    enum sb_status status = request ? SB_OK : SB_NO_MEMORY;

    for (; status == SB_OK && *options; options += 2)
        status = sb_set(request, options[0], options[1]);
    if (status == SB_OK)
        result = sb_run(request);
    if (!result && request)
        fprintf(stderr, "%s\n", sb_error(request));
    const bool well = result && sb_write(result, "text", stdout) == SB_OK;

    sb_result_free(result);
    sb_request_free(request);
    return well;
}

static bool show_course(void)
{
    size_t count = 0;

    for (; sb_lesson(count); count++)
        puts(sb_lesson(count));
    return count > 1 && sb_lesson_page(0, stdout) == SB_OK;
}

int main(void)
{
    static const char *const path[] = { "scheme", "naive", "path", "0,2,1", NULL };
    static const char *const zoo[] = { "n", "3", "runs", "1", "samples", "2000", NULL };

    return !(show("explain", path) && show("zoo", zoo) && show_course());
}
