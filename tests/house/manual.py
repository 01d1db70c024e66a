# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual pages and the completions have every command and every option of the help: manual.py PROGRAM FOLDER SOURCE

Programs that are not installed are not asked: mandoc, zsh and fish check the files of theirs."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, FOLDER, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout


COMMANDS = sorted(set(re.findall(r"^  shufflebias ([a-z]+)", output(PROGRAM, "--help"), re.M)))


def options(command):
    """The names in the help's column of options, such as --exclude, -o and --output."""
    columns = re.findall(r"^  (?:(-\w)|  )(?:, |  |(?= ))?(--[\w-]+)?", output(PROGRAM, command, "--help", "all").split("\nUsage:")[1], re.M)
    return sorted({name for row in columns for name in row if name})


def completed(*words):
    """What bash offers for the last of these words."""
    script = f'source "$0"; COMP_WORDS=("$@"); COMP_CWORD={len(words) - 1}; _shufflebias; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return sorted(output("bash", "-c", script, str(FOLDER / "shufflebias"), *words).splitlines())


class Manual(unittest.TestCase):
    def test_the_page_of_options_is_that_of_this_program(self):
        made = FOLDER / "options.md"
        self.assertEqual((SOURCE / "docs/options.md").read_text(encoding="utf-8"), made.read_text(encoding="utf-8"),
                         f"copy {made} to docs/options.md")

    def test_each_command_has_its_page(self):
        self.assertGreater(len(COMMANDS), 12)
        for command in COMMANDS:
            page = (FOLDER / f"shufflebias-{command}.1").read_text().replace("\\-", "-")
            with self.subTest(command):
                self.assertIn(f"shufflebias-{command}", page)
                self.assertIn("-h", options(command))
                for name in options(command):
                    self.assertIn(f"\\fB{name}\\fR", page)
        program = (FOLDER / "shufflebias.1").read_text().replace("\\-", "-")
        for command in COMMANDS:
            self.assertIn(f"shufflebias {command}", program)

    def test_the_library_page_has_each_function_of_the_headers(self):
        page = (FOLDER / "shufflebias.3").read_text().replace("\\-", "-")
        summaries = dict(re.findall(r"^\.TP\n\.BR (sb_\w+) \(\)\n(.+)$", page, re.M))
        header = (SOURCE / "src" / "shufflebias.h").read_text()
        declared = set(re.findall(r"^SB_API [^;{]*?\b(sb_\w+)\(", header, re.M))
        self.assertEqual(set(summaries), declared)
        for name, summary in summaries.items():
            self.assertRegex(summary, r"^[A-Z].*\S\.$", name)
        self.assertEqual(summaries["sb_set_draws"], "The function is the subject of a proof.")
        self.assertIn("sb_request_new(", page)  # the unit test of docs/library.md

    def test_the_pages_of_file_formats_have_the_text_of_the_documentation(self):
        program = (FOLDER / "shufflebias.1").read_text().replace("\\-", "-")
        for name, part in {"evidence": "evidence-1.json", "formats": "\\fBmarkdown\\fR", "suite": '"name": "naive swap"',
                           "permutations": "permutation"}.items():
            page = (FOLDER / f"shufflebias-{name}.5").read_text().replace("\\-", "-")
            self.assertIn(part, page)
            self.assertNotIn("build/shufflebias", page)
            self.assertIn(f".BR shufflebias-{name} (5)", program)

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(completed("shufflebias", "re"), ["report"])
        self.assertEqual(completed("shufflebias", "gate", "--max"), ["--max-bias"])
        for command in COMMANDS:
            self.assertEqual(completed("shufflebias", command, "-"), options(command), command)

    def test_bash_completes_files_with_blanks(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [str(pathlib.Path(folder, name)) for name in ("two decks", "two words")]
            for name in names:
                pathlib.Path(name).touch()
            self.assertEqual(completed("shufflebias", "gate", str(pathlib.Path(folder, "two"))), names)

    def test_other_shells_and_mandoc_accept_the_files(self):
        for program, words in {"zsh": ["-n", "_shufflebias"], "fish": ["-n", "shufflebias.fish"]}.items():
            if shutil.which(program):
                output(program, words[0], FOLDER / words[1])
        if shutil.which("mandoc"):
            for page in sorted(FOLDER.glob("*.[135]")):
                complaints = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True).stdout
                complaints = [line for line in complaints.splitlines() if "missing date" not in line]
                self.assertEqual(complaints, [], page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
