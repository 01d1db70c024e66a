#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the manual pages, docs/options.md and the completions of three shells: manual.py PROGRAM FOLDER SOURCE

Commands and options are those of the program's help. Sections 3 and 5 are pages under docs/, and the comments of the header.
Arguments are completed as names of files, which most of them are.
"""
import pathlib
import re
import subprocess
import sys

PROGRAM, FOLDER, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SECTIONS = {1: "User Commands", 3: "Library Functions", 5: "File Formats"}
# a page of section 5: its purpose, a page under docs/, and its section; None: the whole page
FILES = {
    "evidence": ("saved samples and gates, which can be resumed and judged", "long-runs.md", "The file"),
    "formats": ("the formats of results, and what programs may rely on", "formats.md", None),
    "permutations": ("the text and binary formats of shuffled decks", "gate.md", "How permutations are read"),
    "suite": ("a list of shuffles to gate", "ci.md", "Suites"),
}


def output(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, encoding="utf-8").stdout


HELP, VERSION = output("--help"), output("--version").strip()
PURPOSES = {}  # of each command: the first line of the program's help about it
for command, purpose in re.findall(r"^  shufflebias ([a-z]+).*?  +(\S.*)$", HELP, re.M):
    PURPOSES.setdefault(command, purpose)


def unwrapped(text):
    return " ".join(text.split())


class Option:
    """A row of the help: "  -o, --output=FILE    write to FILE"."""

    def __init__(self, names, text):
        self.text = unwrapped(text)
        self.letter, self.name, self.value = re.fullmatch(r"(?:-(\w))?(?:, )?(?:--([\w-]+))?(?:[ =](.*))?", names).groups()
        self.names = [f"-{self.letter}"] * bool(self.letter) + [f"--{self.name}"] * bool(self.name)


# ---- text as roff, which must neither turn "-" into a hyphen nor take a line's first character for a command

def plain(text):
    return re.sub(r"^(?=[.'])", r"\\&", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.M)


def inline(text):
    """A line of Markdown: code and bold words in bold, and links as text."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", lambda link: link[1].replace("`", ""), text)
    return re.sub(r"`(.*?)`|\*\*(.*?)\*\*", lambda part: f"\\fB{part[1] or part[2].replace('`', '')}\\fR", plain(text)) + "\n"


def row(head, cells):
    """A row of a table: the first cell as a tag, and the others with the names of their columns, if they are several."""
    named = [f"{head[i]}: {cell}." if i > 1 and head[i] else cell + "." * (i + 1 < len(cells)) for i, cell in enumerate(cells) if cell]
    return ".TP\n" + inline(cells[0]) + "".join(map(inline, named[1:]))


def markdown(name, section=None):
    """A page under docs/ without its heading, or one of its sections. Pictures are left out, since a terminal shows none. The
    pages run the program where the build leaves it; the manual is read where it is installed."""
    text = (SOURCE / "docs" / name).read_text(encoding="utf-8")
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1] if section else text.split("\n", 1)[1]
    page, code, gap, head = ".SH DESCRIPTION\n", False, True, None
    for line in text.split("\n"):
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else None
        if line.startswith("```"):
            code = not code
            page += ".PP\n.EX\n" if code else ".EE\n"
        elif code:
            page += plain(line.replace("build/shufflebias", "shufflebias")) + "\n"
        elif cells:
            page += row(head, cells) if head and line.strip("|-: ") else ""
        elif line.startswith("#"):
            page += (".SS " if line.startswith("###") else ".SH ") + inline(line.lstrip("# "))
        elif line.startswith("- "):
            page += ".IP \\(bu 2\n" + inline(line[2:])
        elif line and not line.startswith("!["):
            page += ".PP\n" * (gap and not line.startswith(" ")) + inline(line.strip())
        head = head or cells if cells else None
        gap = not line or line.startswith(("```", "!["))
    return re.sub(r"^(\.S[HS] .*\n)\.PP\n", r"\1", page, flags=re.M)  # a heading begins a paragraph by itself


def write(name, section, purpose, text):
    (FOLDER / f"{name}.{section}").write_text(
        f'.TH "{name}" {section} "" "{VERSION}" "{SECTIONS[section]}"\n.SH NAME\n{plain(name)} \\- {plain(purpose)}\n{text}', encoding="utf-8")


# ---- the pages

def option_page(option):
    names = ", ".join(f"\\fB{plain(name)}\\fR" for name in option.names)
    value = ("=" if option.name else " ") + f"\\fI{plain(option.value)}\\fR" if option.value else ""
    return f".TP\n{names}{value}\n{plain(option.text)}\n"


def command_page(command):
    """Writes the page of a command; returns its options."""
    examples, usage, about, rest = re.fullmatch(
        r"Examples:\n(.*?)\nUsage: shufflebias \S+ (.*?)\n(.*?)\n(\w[\w ]*:\n  .*)", output(command, "--help", "all"), re.S).groups()
    page = f".SH SYNOPSIS\n\\fBshufflebias {command}\\fR {plain(usage)}\n.SH EXAMPLES\n.EX\n{plain(examples)}.EE\n.SH OPTIONS\n"
    page += plain(about).replace("\nDefaults", "\n.PP\nDefaults")
    options = []
    for heading, rows in re.findall(r"^(\w[\w ]*):\n((?:  .*\n)+)", rest, re.M):
        group = [Option(*found) for found in re.findall(r"^ {2,6}(-.*?) {2,}(.*(?:\n {8,}.*)*)", rows, re.M)]
        page += f".SS {heading}\n" * (heading != "Options") + "".join(map(option_page, group))
        options += group
    page += ".SH SEE ALSO\n.BR shufflebias (1),\nwhich has the other commands and the exit statuses\n"
    write(f"shufflebias-{command}", 1, PURPOSES[command], page)
    return options


def program_page():
    others = [f".BR {plain('shufflebias-' + name)} ({section})" for section, names in ((1, PURPOSES), (5, FILES)) for name in names]
    write("shufflebias", 1, "whether a shuffle is fair, how far from fair, and how certain that is",
          ".SH SYNOPSIS\n\\fBshufflebias\\fR COMMAND [OPTION ...] [ARGUMENT ...]\n.SH COMMANDS\n.EX\n"
          + plain(HELP.split("\n\n", 2)[2]) + ".EE\n.SH SEE ALSO\n" + ",\n".join(others + [".BR shufflebias (3)\n"]))


def library_page():
    """The page of the library has each function of the header, with the first sentence of its comment."""
    header = (SOURCE / "src" / "shufflebias.h").read_text(encoding="utf-8")
    page = (".SH SYNOPSIS\n.EX\n#include <shufflebias.h>\n\ncc FILE.c $(pkg\\-config \\-\\-cflags \\-\\-libs shufflebias)\n.EE\n"
            + markdown("library.md") + ".SH FUNCTIONS\nThe header says what each parameter is, and which errors a function has.\n")
    for comment, name in re.findall(r"/\*((?:(?!\*/).)*)\*/\nSB_API [^(]*?(\w+)\(", header, re.S):
        sentence = unwrapped(re.sub(r"^ \*|`", "", comment, flags=re.M)).split(". ")[0].rstrip(".")
        page += f".TP\n.BR {name} ()\n{plain(sentence)}.\n"
    write("shufflebias", 3, "a C library that tells whether a shuffle is fair", page + ".SH SEE ALSO\n.BR shufflebias (1)\n")


def options_page(options):
    """One table in Markdown: what an option does stands once for all commands that have it."""
    rows = {}  # by the names of an option: the commands by its text
    for command, listed in options.items():
        for option in listed:
            names = ", ".join(option.names) + (("=" if option.name else " ") + option.value if option.value else "")
            rows.setdefault(names, {}).setdefault(option.text.replace("|", "\\|"), []).append(command)
    page = ("# The options of the commands\n\nThis page is made from the help: `shufflebias COMMAND --help all` lists the options of one command. Defaults are in parentheses, and "
            "[formats.md](formats.md) describes the formats.\n")
    page += "\n| option | of | what it does |\n|---|---|---|\n"
    for names, texts in rows.items():
        commands = sum(texts.values(), [])
        text = "; ".join(texts if len(texts) == 1 else (f"{', '.join(of)}: {text}" for text, of in texts.items()))
        page += f"| `{names}` | {'all' if len(commands) == len(options) else ', '.join(commands)} | {text} |\n"
    (FOLDER / "options.md").write_text(page, encoding="utf-8")


# ---- the completions

def bash(options):
    cases = "".join(f"    {command}) words='{' '.join(name for option in rows for name in option.names)}' ;;\n" for command, rows in options.items())
    return f"""# Completion of shufflebias for bash.
_shufflebias() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{' '.join(options)} --help --version' -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{cases}    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _shufflebias shufflebias
"""


def zsh(options):
    def quoted(text):
        return "'" + re.sub(r"([][:])", r"\\\1", text.replace("'", "'\\''")) + "'"

    def row(option, name):
        suffix = ":argument:_files" if option.value else ""
        return f"        '{name}{'=' * bool(suffix and name[2:])}['{quoted(option.text)}']{suffix}' \\\n"

    cases = "".join(f"    {command}) _arguments \\\n" + "".join(row(option, name) for option in rows for name in option.names)
                    + "        '*:file:_files' ;;\n" for command, rows in options.items())
    commands = "".join(f"    '{command}':{quoted(PURPOSES[command])}\n" for command in options)
    return f"""#compdef shufflebias
# Completion of shufflebias for zsh.
local -a commands=(
{commands})
if (( CURRENT == 2 )); then
    _describe command commands
    return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
{cases}esac
"""


def fish(options):
    def quoted(text):
        return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"

    lines = [f"-n __fish_use_subcommand -f -a {command} -d {quoted(PURPOSES[command])}" for command in options]
    for command, rows in options.items():
        for option in rows:
            names = f" -l {option.name}" * bool(option.name) + f" -s {option.letter}" * bool(option.letter)
            lines.append(f"-n '__fish_seen_subcommand_from {command}'{names}{' -r' * bool(option.value)} -d {quoted(option.text)}")
    return "# Completion of shufflebias for fish.\n" + "".join(f"complete -c shufflebias {line}\n" for line in lines)


program_page()
library_page()
for name, (purpose, source, section) in FILES.items():
    write(f"shufflebias-{name}", 5, purpose, markdown(source, section) + ".SH SEE ALSO\n.BR shufflebias (1)\n")
options = {command: command_page(command) for command in PURPOSES}
options_page(options)
for name, shell in {"shufflebias": bash, "_shufflebias": zsh, "shufflebias.fish": fish}.items():
    (FOLDER / name).write_text(shell(options), encoding="utf-8")
