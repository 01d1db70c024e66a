/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved samples: runs that stop and resume, and shards of one run that are merged. docs/save.md,
 * docs/merge.md
 */
#ifndef SHUFFLEBIAS_SAVED_H
#define SHUFFLEBIAS_SAVED_H

#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sample that options.save of sb_reports_new() wrote to a file. Opaque. */
struct sb_saved;

/*
 * Returns whether the file at `path` begins like saved evidence, complete or not. Standard input, "-", is
 * never saved evidence. Example: save_merge.c.
 */
SB_API bool sb_saved_is(const char *path);

/*
 * Reads the file at `path`. The caller frees *saved with sb_saved_free(). Errors: SB_IO if the file cannot be
 * read, is truncated, edited or damaged, or is not a saved sample (the line names the place); SB_NO_MEMORY.
 * Example: save_merge.c.
 */
SB_API enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved);

/* Frees the sample; NULL is allowed. Example: save_merge.c. */
SB_API void sb_saved_free(struct sb_saved *saved);

/*
 * Copies the options of the saved run: n, deal, seed, samples, by, statistics, profile and increments, and of
 * a single shard shards and shard. The scheme of the run names its draw and generator, so draw and rng become
 * NULL. The other fields stay unchanged: call sb_options_init() first. The strings live as long as `saved`.
 * Example: save_merge.c.
 */
SB_API void sb_saved_options(const struct sb_saved *saved, struct sb_options *options);

/*
 * Checks whether these options, and a scheme unless it is NULL, describe the saved run. SB_INVALID: they do
 * not, and error->field and error->value name the first difference. Example: save_merge.c.
 */
SB_API enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme,
                                      const struct sb_options *options, struct sb_error *error);

/*
 * Makes the report of the saved run. If options->save names the file that `saved` was read from, the run
 * first resumes and continues to its end; the file is then what an uninterrupted run would have written, to
 * the byte. The call uses only these options: save, checkpoint, threads, counts, alpha, stop, progress and
 * ranks.
 *
 * The reports take the evidence out of `saved`. Afterwards, pass `saved` only to sb_saved_free(). The caller
 * frees *reports with sb_reports_free(). Errors: SB_INVALID if another version saved the file, so that the
 * run cannot resume, or if a report has the evidence already; those of sb_reports_new(); SB_IO. Example:
 * save_merge.c.
 */
SB_API enum sb_status sb_reports_saved(struct sb_saved *saved, const struct sb_options *options,
                                       struct sb_error *error, struct sb_reports **reports);

/*
 * Adds up shards of one run, from paths[0..count-1], into the new file options->save. Each file has one
 * shard, or several that were merged before. Without `partial`, all shards must be present and complete; with
 * `partial`, any shards may be merged. The sum of all shards is the file that the whole run would have
 * written, to the byte. The call uses only these options: save, threads, stop and progress.
 *
 * Errors: SB_INVALID if a shard is given twice, missing or incomplete, if a file belongs to another run, is
 * not a shard or has another version, or if options->save exists; SB_IO, SB_STOPPED, SB_NO_MEMORY. Example:
 * save_merge.c.
 */
SB_API enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial,
                                     const struct sb_options *options, struct sb_error *error);

#ifdef __cplusplus
}
#endif

#endif
