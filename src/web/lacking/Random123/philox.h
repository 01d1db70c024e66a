/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random123's own header refuses processors that it does not know. RISC-V is one that it compiles in plain C. */
#define __riscv 1
#include_next <Random123/philox.h>
#undef __riscv
