/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved samples. A run can stop and resume later from its file, and the files of a run's shards can be
 * merged. docs/save.md, docs/merge.md
 */
#ifndef SHUFFLEBIAS_SAVED_H
#define SHUFFLEBIAS_SAVED_H

#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sample that was read from a file. sb_reports_new() wrote the file because of options.save. Opaque. */
struct sb_saved;

/*
 * Returns whether the file at `path` begins like saved evidence; the file may be incomplete. For standard
 * input, "-", the function returns false. Example: save_merge.c.
 */
SB_API bool sb_saved_is(const char *path);

/*
 * Reads the file at `path`. The caller frees *saved with sb_saved_free(). Errors: SB_IO if the file cannot be
 * read, is truncated, edited or damaged, or is not a saved sample (the error's line names the place);
 * SB_NO_MEMORY. Example: save_merge.c.
 */
SB_API enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved);

/* Frees the sample; NULL is allowed. Example: save_merge.c. */
SB_API void sb_saved_free(struct sb_saved *saved);

/*
 * Copies these options of the saved run: n, deal, seed, samples, by, statistics, profile and increments. If
 * the file has a single shard, the function also copies the options shards and shard. The function sets draw
 * and rng to NULL, because the scheme of the saved run names both. The other fields stay unchanged: call
 * sb_options_init() first. The strings live as long as `saved`. Example: save_merge.c.
 */
SB_API void sb_saved_options(const struct sb_saved *saved, struct sb_request *options);

/*
 * Checks whether `options` and `scheme` describe the saved run; a `scheme` of NULL is not checked. Returns
 * SB_INVALID if there is a difference; error->field and error->value then name the first difference. Example:
 * save_merge.c.
 */
SB_API enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme,
                                      const struct sb_request *options, struct sb_error *error);

/*
 * Makes the report of the saved run. If options->save names the file that `saved` was read from, the run
 * first resumes and continues to its end. The file is then, byte for byte, the file of an uninterrupted run.
 * The call uses only these options: save, checkpoint, threads, counts, alpha, title, stop, progress and ranks.
 *
 * The reports take the evidence out of `saved`. After this call, pass `saved` only to sb_saved_free(). The
 * caller frees *reports with sb_reports_free(). Errors: SB_INVALID if the run cannot resume because another
 * version saved the file, or if an earlier call took the evidence; SB_IO; and the errors of sb_reports_new().
 * Example: save_merge.c.
 */
SB_API enum sb_status sb_reports_saved(struct sb_saved *saved, const struct sb_request *options,
                                       struct sb_error *error, struct sb_reports **reports);

/*
 * Adds up shards of one run. The function reads the shards from the files paths[0..count-1], and writes the
 * sum to the new file options->save. Each file has one shard or several merged shards. Without `partial`, all
 * shards must be present and complete; with `partial`, shards may be missing or incomplete. The sum of all
 * shards is, byte for byte, the file of a run without shards. The call uses only these options: save,
 * threads, stop and progress.
 *
 * Errors: SB_INVALID if a shard is given twice, is missing or is incomplete; if a file belongs to another
 * run, is not a shard or has another version; or if options->save exists. Also SB_IO, SB_STOPPED,
 * SB_NO_MEMORY. Example: save_merge.c.
 */
SB_API enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial,
                                     const struct sb_request *options, struct sb_error *error);

#ifdef __cplusplus
}
#endif

#endif
