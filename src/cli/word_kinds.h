/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the words of a command line probably are. */
#ifndef SB_CLI_WORD_KINDS_H
#define SB_CLI_WORD_KINDS_H

#include <stdbool.h>

/* Returns whether a word begins with the name of a shuffle, and is therefore a scheme. */
bool cli_word_is_scheme(const char *word);

/* Returns whether a word names a file, that is, the file exists or the word looks like a path. */
bool cli_word_is_file(const char *word);

/* Returns whether a word that is neither a scheme nor a file is probably a mistyped path, and not a mistyped
 * scheme: no shuffle has a similar name, and the word has a dot or a slash, or a file has a similar name. */
bool cli_word_is_missing_file(const char *word);

/* Returns the usual interpreter of a file that does not start by itself, by the ending of its name; NULL if it is no
 * script. */
const char *cli_word_interpreter(const char *word);

/* Returns whether words look like a command without "--". They do if no word is a scheme, and one of these is
 * true: the first word is a program or a script; or there are several words, and the first is not a file. */
bool cli_words_are_command(const char *const words[]);

#endif
