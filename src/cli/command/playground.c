/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias playground: writes the page that proves and tests shuffles in JavaScript in a browser. */
#include "cli/cli.h"

#include "core/text.h"

/* Writes the page to a file, which appears complete or not at all; returns the exit status. */
static int playground_write(const char *path)
{
    struct cli_output output;
    char name[4096];

    if (!cli_output_open("playground", path, &output))
        return EXIT_BROKEN;
    fwrite(sb_asset_playground, 1, sb_asset_playground_length, output.stream);
    const bool kept = cli_output_keep("playground", &output);

    cli_output_drop(&output);
    if (!kept)
        return EXIT_BROKEN;
    if (strcmp(path, "-") != 0) {
        sb_sanitize_log_text(path, name, sizeof name);
        printf("%s: open it in a browser\n", name);
    }
    return cli_finish("playground", EXIT_DONE);
}

int cli_playground_run(struct cli_line *line)
{
    const char *const *const words = line->words;
    const char *const named = line->request.output, *const path = named ? named : words[0];

    if (!path || !*path)
        return cli_usage("playground", "name the file to write, as in 'shufflebias playground playground.html'");
    if (words[0] && (named || words[1]))
        return cli_usage("playground", "one file at a time: leave '%s' out", named ? words[0] : words[1]);
    if (sb_asset_playground_length == 0) {
        cli_usage("playground", "this program was built without the page: run 'sh src/web/build.sh', and "
                                "build with '-Dplayground=build/web/playground.html'");
        return EXIT_BROKEN;
    }
    return playground_write(path);
}
