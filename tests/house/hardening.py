#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads in ELF files what the flags of meson.build lead to: the address of the code is random, what the dynamic linker
writes is read-only before main() runs, no stack is executable, no segment can be written and executed, and overruns of
arrays are found. Prints a table.

Usage: hardening.py [--static] FILE...
  --static  the files are programs without an interpreter and without needed libraries
"""
import struct
import sys

ET_DYN = 3
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 3, 0x6474E551, 0x6474E552
PF_X, PF_W = 1, 2
SHT_DYNSYM = 11
DT_NULL, DT_NEEDED, DT_BIND_NOW, DT_JMPREL, DT_FLAGS, DT_FLAGS_1 = 0, 1, 24, 23, 30, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 8, 1, 0x08000000


class Elf:
    """A 64-bit ELF file: `kind`, `segments` (type, flags, offset, bytes), `dynamic` (tag, value), and the names of the
    symbols that it imports or exports."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        assert self.bytes[:5] == b"\x7fELF\x02", path + ": no 64-bit ELF file"
        self.order = "<" if self.bytes[5] == 1 else ">"
        self.kind, = self.read("H", 16)
        start, sections = self.read("QQ", 32)
        size, count, section_size, section_count = self.read("HHHH", 54)
        self.segments = []
        for i in range(count):
            kind, flags, offset, _, _, length = self.read("IIQQQQ", start + i * size)
            self.segments.append((kind, flags, offset, length))
        self.sections = [self.read("IIQQQQI", sections + i * section_size) for i in range(section_count)]
        self.dynamic = list(self.read_dynamic())
        self.symbols = set(self.read_symbols())

    def read(self, layout, offset):
        return struct.unpack_from(self.order + layout, self.bytes, offset)

    def segment(self, kind):
        return next((one for one in self.segments if one[0] == kind), None)

    def read_dynamic(self):
        _, _, offset, length = self.segment(PT_DYNAMIC) or (0, 0, 0, 0)
        for at in range(offset, offset + length, 16):
            tag, value = self.read("QQ", at)
            if tag == DT_NULL:
                break
            yield tag, value

    def read_symbols(self):
        for _, kind, _, _, offset, length, link in self.sections:
            if kind == SHT_DYNSYM:
                names = self.sections[link][4]
                for at in range(offset, offset + length, 24):
                    name = names + self.read("I", at)[0]
                    yield self.bytes[name:self.bytes.index(b"\0", name)].decode()

    def flag(self, tag, bit):
        return any(value & bit for one, value in self.dynamic if one == tag)


def properties(elf, static):
    """What must hold, by name."""
    stack = elf.segment(PT_GNU_STACK)
    now = elf.flag(DT_FLAGS, DF_BIND_NOW) or elf.flag(DT_FLAGS_1, DF_1_NOW) or DT_BIND_NOW in dict(elf.dynamic)
    yield "position-independent", elf.kind == ET_DYN
    yield "RELRO", elf.segment(PT_GNU_RELRO) is not None
    yield "BIND_NOW", now or static and not {DT_NEEDED, DT_JMPREL} & dict(elf.dynamic).keys()
    yield "no executable stack", stack is not None and not stack[1] & PF_X
    yield "no segment to write and execute", not any(kind == PT_LOAD and flags & PF_X and flags & PF_W for kind, flags, *_ in elf.segments)
    if static:  # its own functions have no names
        yield "needs nothing", elf.segment(PT_INTERP) is None and DT_NEEDED not in dict(elf.dynamic)
        yield "static-pie", elf.flag(DT_FLAGS_1, DF_1_PIE)
    else:
        yield "stack protector", "__stack_chk_fail" in elf.symbols
        yield "_FORTIFY_SOURCE", bool(elf.symbols & {"__memcpy_chk", "__snprintf_chk", "__vsnprintf_chk", "__fprintf_chk", "__vfprintf_chk"})


def main(arguments):
    static = arguments[:1] == ["--static"]
    failed = False
    for path in arguments[static:]:
        for name, holds in properties(Elf(path), static):
            print("%-4s %-32s %s" % ("ok" if holds else "FAIL", name, path))
            failed = failed or not holds
    return failed or not arguments[static:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
