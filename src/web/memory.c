/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/core/portable.c in the module. The module's memory can grow to 65,536 pages of
 * 64 KiB. */
#include "core/system.h"

double sb_memory_available(void)
{
    return (65536.0 - (double)__builtin_wasm_memory_size(0)) * 65536;
}
