/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A type that core/system.h names: the module starts no processes. */
typedef struct posix_spawn_file_actions posix_spawn_file_actions_t;
