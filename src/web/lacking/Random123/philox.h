/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random123's own header refuses unknown processors. For RISC-V the header compiles plain C, so this file
 * names RISC-V as the processor. */
#define __riscv 1
#include_next <Random123/philox.h>
#undef __riscv
