#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutation testing: do the tests fail if one operator, constant, condition or statement of the source is wrong?

    mutate.py SOURCE WORK [--seed 1] [--sample 420] [--suites unit,known,property,golden] [--longest SECONDS] [--only FOLDER/] [--like WORK] [STAGE...]

The stages, all of them if none is named:

    sites     find all mutation sites of src/{fit,gate,tally,store,exact,subject,statistic} (sites.py)
    tree      draw a sample, from each folder in proportion to its sites, and copy the source to WORK/tree with these mutants in it
    build     build the tests of the suites, with the address and undefined-behaviour sanitizers, as .ci/run does
    baseline  run each test without a mutant: its time, and which sites it reaches
    run       run each mutant's tests, the fastest first, until one of them fails; a test is run for a mutant only if it reaches the site
    table     print a table, and the mutants that survive. "Not all tests run": some test that reaches the mutant takes more than --longest

A mutant is killed if a test's exit status is not 0, or if the test takes three times its usual processor time and 2 s more, or 4 GiB of
memory. WORK keeps all results: if tests are changed, run all stages again, and only surviving mutants meet the new and the changed tests.
If the source is changed, start with an empty WORK, and with --like and the old WORK: then the mutants are the same, as far as their code
still exists, and each one meets the test first that killed it there. With more --suites, survivors meet the tests of these, too. equivalent.txt lists the mutants that no test can kill, each with its reason.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import sites as mutation

HERE = os.path.dirname(os.path.abspath(__file__))
FOUR = ('unit', 'known', 'property', 'golden')
FOLDERS = ['fit', 'gate', 'tally', 'store', 'exact', 'subject', 'statistic']
JOBS = 2
MEMORY = 4 << 30
REACHED = 1 << 16  # as in mutant.c
ENVIRONMENT = {'ASAN_OPTIONS': 'detect_stack_use_after_return=1:strict_string_checks=1',
               'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=0',
               'CMOCKA_TEST_ABORT': '1'}  # a test ends at its first failure


def load(path, default=None):
    if not os.path.exists(path):
        return default
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def save(path, value):
    with open(path + '.new', 'w', encoding='utf-8') as file:
        json.dump(value, file, indent=0)
    os.replace(path + '.new', path)


def write(path, data):
    """Writes a file unless it has this content already, so that ninja does not compile it again."""
    if os.path.exists(path):
        with open(path, 'rb') as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def interval(killed, total, confidence=0.95):
    """The interval of Clopper and Pearson for a probability, by bisection of the binomial distribution."""
    def tail(p, low, high):
        return math.fsum(math.exp(math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
                                  + k * math.log(p) + (total - k) * math.log1p(-p)) for k in range(low, high + 1))

    def solve(function):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if function(middle) else (low, middle)
        return low

    half = (1 - confidence) / 2
    return (0.0 if killed == 0 else solve(lambda p: tail(p, killed, total) < half),
            1.0 if killed == total else solve(lambda p: tail(p, 0, killed) > half))


def equivalents(path):
    """The keys of equivalent.txt: a line `FILE FUNCTION`, indented lines `- BEFORE` and `+ AFTER`, and a reason."""
    keys, block = {}, []
    for line in (read(path).decode() if os.path.exists(path) else '').split('\n') + ['']:
        if line.strip() and not line.startswith('#'):
            block.append(line)
        elif block:
            head = block[0].split()
            before = [line.strip()[2:] for line in block if line.strip().startswith('- ')]
            after = [line.strip()[2:] for line in block if line.strip().startswith('+ ')]
            reason = [line for line in block[1:] if not line.strip().startswith(('- ', '+ '))]
            if len(head) not in (2, 3) or len(before) != len(after) or not before or not reason:
                sys.exit(f'{path}: not FILE FUNCTION, - BEFORE, + AFTER and a reason: ' + '\n'.join(block))
            for old, new in zip(before, after):
                keys[f'{head[0]} {head[1]} {old} => {new} #{head[2] if len(head) > 2 else 1}'] = ' '.join(' '.join(reason).split())
            block = []
    return keys


class Campaign:
    def __init__(self, options):
        self.options = options
        self.source = os.path.abspath(options.source)
        self.work = os.path.abspath(options.work)
        self.tree = os.path.join(self.work, 'tree')
        self.build = os.path.join(self.tree, 'build')
        self.suites = options.suites.split(',')
        os.makedirs(self.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    # -- sites and tree

    def commands(self):
        """The compiler's commands of the unchanged source, by file."""
        plain = self.path('plain')
        if not os.path.exists(os.path.join(plain, 'build.ninja')):
            subprocess.run(['meson', 'setup', plain, self.source, '-Dtests=false'], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, 'CC': 'clang'})
        found = collections.defaultdict(list)
        for one in load(os.path.join(plain, 'compile_commands.json')):
            name = os.path.normpath(os.path.join(one['directory'], one['file']))
            found[os.path.relpath(name, self.source)].append(shlex.split(one['command'])[:-1] + [name])
        return found

    def stage_sites(self):
        plain, commands = self.path('plain'), self.commands()
        folders = tuple(os.path.join('src', folder) + os.sep for folder in FOLDERS)

        def wanted(path):
            return os.path.relpath(path, self.source).startswith(folders)

        def find(name):
            return name, mutation.sites_of(commands[name][0], plain, wanted)

        files = sorted(name for name in commands if name.startswith(folders))
        every = {}
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for name, found in pool.map(find, files):
                for site in found:
                    site['file'] = os.path.relpath(site['file'], self.source)
                    site['unit'] = name
                    every.setdefault((site['file'], site['start'], site['end'], site['before'], site['after']), site)
        ordered = [every[key] for key in sorted(every)]
        same = collections.Counter()
        for site in ordered:
            key = f"{site['file']} {site['function']} {site['before']} => {site['after']}"
            same[key] += 1
            site['key'] = f'{key} #{same[key]}'
        save(self.path('sites.json'), ordered)
        print(f'{len(ordered)} sites in {len({site["file"] for site in ordered})} files')

    def compiles(self, chosen):
        """The chosen sites without those that the compiler rejects in the mutated tree."""
        commands, plain = self.commands(), self.path('plain')
        by_file = collections.defaultdict(list)
        for site in chosen:
            by_file[site['file']].append(site)

        def errors(name):
            bad = set()
            for command in commands[name]:
                words = [word.replace('../' + os.path.relpath(self.source, os.path.dirname(plain)), self.tree) for word in command]
                words = [word.replace(self.source, self.tree) for word in words]
                done = subprocess.run(words[:-1] + ['-fsyntax-only', '-w', '-ferror-limit=0', '-fno-color-diagnostics', words[-1]], cwd=plain, capture_output=True,
                                      text=True, stdin=subprocess.DEVNULL, check=False)
                found = re.findall(r'^(\S+?):(\d+):\d+: (?:fatal )?error:', done.stderr, re.M)
                if done.returncode and not found:
                    sys.exit(done.stderr)
                bad |= {(os.path.relpath(os.path.normpath(os.path.join(plain, path)), self.tree), int(line)) for path, line in found}
            return bad

        units = sorted({site['unit'] for site in chosen})
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            bad = set().union(*pool.map(errors, units))
        good = []
        for site in chosen:
            last = site['line'] + read(os.path.join(self.source, site['file']))[site['start']:site['end']].count(b'\n')
            if not any(path == site['file'] and site['line'] <= line <= last for path, line in bad):
                good.append(site)
        if bad and len(good) == len(chosen):
            sys.exit(f'errors on lines without a mutant: {sorted(bad)}')
        return good

    def sampled(self):
        """The keys of the sample, or those of the earlier campaign that --like names."""
        return {site['key'] for site in load(os.path.join(self.options.like or self.work, 'sample.json'))}

    def write_tree(self, chosen):
        for number, site in enumerate(chosen, 1):
            site['id'] = number
        by_file = collections.defaultdict(list)
        for site in chosen:
            by_file[site['file']].append(site)
        listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=self.source, check=True, capture_output=True,
                                text=True).stdout.split('\n')
        for name in filter(None, listed):
            path, copy = os.path.join(self.source, name), os.path.join(self.tree, name)
            if not os.path.isfile(path) or os.path.islink(path):
                continue
            data = read(path)
            if name in by_file:
                data = mutation.mutated(data, by_file[name])
            if name == 'src/core/meson.build':
                data += read(os.path.join(HERE, 'core', 'meson.build'))
            write(copy, data)
            shutil.copymode(path, copy)
        for name in ('mutant.c', 'mutant.h'):
            write(os.path.join(self.tree, 'src', 'core', name), read(os.path.join(HERE, 'core', name)))

    def stage_tree(self):
        every = load(self.path('sites.json'))
        queues = {}
        for folder in FOLDERS:
            queue = [site for site in every if site['file'].startswith(f'src/{folder}/')]
            random.Random(f'{self.options.seed} {folder}').shuffle(queue)
            queues[folder] = queue
        if self.options.like:
            wanted = self.sampled()
            queues = {folder: [site for site in queue if site['key'] in wanted] for folder, queue in queues.items()}
            every = [site for queue in queues.values() for site in queue]
            print(f'{len(wanted) - len(every)} mutants of the earlier campaign are gone, with their code')
            self.options.sample = len(every)
        quota = {folder: max(1, round(self.options.sample * len(queues[folder]) / len(every))) for folder in FOLDERS}
        rejected = {site['key'] for site in load(self.path('rejected.json'), [])}
        while True:
            chosen = []
            for folder in FOLDERS:
                chosen += [site for site in queues[folder] if site['key'] not in rejected][:quota[folder]]
            self.write_tree(chosen)
            good = self.compiles(chosen)
            if len(good) == len(chosen):
                break
            kept = {site['key'] for site in good}
            rejected |= {site['key'] for site in chosen if site['key'] not in kept}
        save(self.path('rejected.json'), [site for site in load(self.path('sites.json')) if site['key'] in rejected])
        save(self.path('sample.json'), chosen)
        print(f'{len(chosen)} mutants; {len(rejected)} sites do not compile: {quota}')

    # -- build and baseline

    def stage_build(self):
        if not os.path.exists(os.path.join(self.build, 'build.ninja')):
            subprocess.run(['meson', 'setup', self.build, self.tree, '--buildtype=plain', '-Doptimization=1', '-Db_lundef=false',
                            '-Db_sanitize=address,undefined', '-Dc_args=-Wno-everything -g0'], check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, 'CC': 'clang'})
        else:
            subprocess.run(['ninja', '-C', self.build, 'build.ninja'], check=True, stdout=subprocess.DEVNULL)
        targets = {one['id']: one['filename'] for one in load(os.path.join(self.build, 'meson-info', 'intro-targets.json'))}
        needed = sorted({os.path.relpath(name, self.build) for test in self.tests() for one in test['depends'] for name in targets[one]})
        subprocess.run(['ninja', '-C', self.build, f'-j{JOBS}', '--quiet'] + needed, check=True)

    def tests(self):
        found = []
        for test in load(os.path.join(self.build, 'meson-info', 'intro-tests.json')):
            suite = [name.split(':')[-1] for name in test['suite']]
            if set(suite) & set(self.suites):
                found.append({**test, 'suite': suite[0]})
        return found

    @staticmethod
    def stamp(test):
        """Changes with the test, but not with the library, whose mutants stay the same."""
        paths = [word for word in test['cmd'] if word.endswith(('.py', '.sh')) and os.path.exists(word)]
        own = re.match(r'(unit|known|property|golden|calibration)-(\w+)$', test['name'])
        if own and not paths:
            paths = [os.path.join(os.path.dirname(test['cmd'][0]), '..', '..', 'tests', own[1], own[2] + '.c')]
        return [int(os.path.getmtime(path)) for path in paths if os.path.exists(path)]

    def execute(self, test, mutant, processor=None, wall=900, reached=None, log=None):
        """Runs a test: 'ok', or how it failed, and the processor time that it took."""
        environment = {**os.environ, **ENVIRONMENT, **test['env'], 'SB_MUTANT': str(mutant)}
        if reached:
            environment['SB_MUTANT_REACHED'] = reached

        def limit():
            if processor:
                resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(processor), math.ceil(processor) + 1))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with open(log or os.devnull, 'wb') as out:
            child = subprocess.Popen(test['cmd'], cwd=test['workdir'] or self.build, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit)
            began, how, pause = time.time(), None, 0.005
            while True:
                pid, status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    break
                if how is None and time.time() - began > wall:
                    how = 'time'
                if how is None and pause > 0.2 and self.memory(child.pid) > MEMORY:
                    how = 'memory'
                if how:
                    os.killpg(child.pid, signal.SIGKILL)
                time.sleep(pause)
                pause = min(pause * 1.3, 0.25)
            child.returncode = os.waitstatus_to_exitcode(status)
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        spent = usage.ru_utime + usage.ru_stime
        if how is None and child.returncode:
            how = f'status {child.returncode}'
            if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or (processor and spent > processor):
                how = 'time'
        return how or 'ok', spent, time.time() - began

    @staticmethod
    def memory(session):
        """The bytes that a session's processes have in memory."""
        total = 0
        for name in filter(str.isdigit, os.listdir('/proc')):
            try:
                words = read(f'/proc/{name}/stat').rsplit(b')', 1)[1].split()
            except (OSError, IndexError):
                continue
            if int(words[3]) == session:
                total += int(words[21]) * resource.getpagesize()
        return total

    def stage_baseline(self):
        known = load(self.path('baseline.json'), {})
        sample = load(self.path('sample.json'))
        identity = [site['key'] for site in sample]
        folder = self.path('log')
        os.makedirs(folder, exist_ok=True)

        def measure(test):
            marks = os.path.join(folder, test['name'].replace('/', '_') + '.reached')
            write(marks, b'')
            with open(marks, 'wb') as file:
                file.truncate(REACHED)
            limit = self.options.longest if self.options.longest < math.inf else None
            how, spent, wall = self.execute(test, 0, limit, reached=marks, log=marks[:-7] + 'log')
            flags = read(marks)
            return test, how, spent, wall, [key for i, key in enumerate(identity, 1) if flags[i]]

        todo = [test for test in self.tests() if known.get(test['name'], {}).get('stamp') != self.stamp(test)
                or known[test['name']]['sample'] != len(identity) or known[test['name']].get('limit', math.inf) < self.options.longest]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for test, how, spent, wall, reached in pool.map(measure, todo):
                if how != 'ok':
                    print(f'{test["name"]} is left out: without a mutant, it ends with {how}')
                late = {'limit': self.options.longest} if how == 'time' else {}
                known[test['name']] = {**late, 'stamp': self.stamp(test), 'sample': len(identity), 'suite': test['suite'], 'how': how, 'processor': spent,
                                       'wall': wall, 'reached': reached}
                save(self.path('baseline.json'), known)
        print(f'{len(todo)} tests run, {sum(one["processor"] for one in known.values()):.0f} s')

    # -- run

    def stage_run(self):
        sample, baseline = load(self.path('sample.json')), load(self.path('baseline.json'))
        results = load(self.path('results.json'), {})
        tests = [test for test in self.tests() if test['name'] in baseline and baseline[test['name']]['how'] == 'ok'
                 and baseline[test['name']]['processor'] <= self.options.longest]
        tests.sort(key=lambda test: baseline[test['name']]['processor'])
        reached = {test['name']: set(baseline[test['name']]['reached']) for test in tests}
        lock, done = threading.Lock(), [0]
        excused = equivalents(os.path.join(self.source, 'tests', 'mutation', 'equivalent.txt'))

        earlier = load(os.path.join(self.options.like, 'results.json'), {}) if self.options.like else {}

        def judge(site):
            result = results.get(site['key'], {'survived': {}, 'killed': {}})
            killers = [test[0] for test in earlier.get(site['key'], {}).get('killed', {}).values()]
            for test in sorted(tests, key=lambda test: test['name'] not in killers):  # a stable sort: the others stay in order
                name = test['name']
                if enough & set(result['killed']) or site['key'] not in reached[name] or result['survived'].get(name) == self.stamp(test):
                    continue
                usual = baseline[name]
                how, spent, _ = self.execute(test, site['id'], 3 * usual['processor'] + 2, 4 * usual['wall'] + 10)
                if how == 'ok':
                    result['survived'][name] = self.stamp(test)
                else:
                    result['killed'][test['suite']] = [name, how, round(spent, 2)]
            with lock:
                results[site['key']] = result
                done[0] += 1
                save(self.path('results.json'), results)
                print(f'{done[0]}/{len(todo)} {site["file"]}:{site["line"]} {site["before"]} => {site["after"]}: '
                      f'{list(result["killed"].values()) or "SURVIVES " + str(len(result["survived"]))}', flush=True)

        enough = {*FOUR, *self.suites}  # a mutant that one of these suites has killed is not run again
        todo = [site for site in sample if not enough & set(results.get(site['key'], {}).get('killed', ())) and site['key'] not in excused
                and site['file'].startswith('src/' + self.options.only)]
        random.Random(1).shuffle(todo)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(judge, todo))

    # -- table

    def stage_table(self):
        every, keys = load(self.path('sites.json')), self.sampled()
        sample = [site for site in load(self.path('sample.json')) if site['key'] in keys]
        results, baseline = load(self.path('results.json'), {}), load(self.path('baseline.json'))
        excused = equivalents(os.path.join(self.source, 'tests', 'mutation', 'equivalent.txt'))
        rows = {}
        left = []
        for folder in FOLDERS + ['all']:
            rows[folder] = collections.Counter()
        reached = set().union(*(one['reached'] for one in baseline.values()))
        for site in sample:
            result = results.get(site['key'], {'killed': {}, 'survived': {}})
            open_tests = [name for name, test in baseline.items() if site['key'] in test['reached'] and result['survived'].get(name) != test['stamp']]
            kind = ('killed' if result['killed'] else 'equivalent' if site['key'] in excused else 'unreached' if site['key'] not in reached
                    else 'open' if open_tests else 'left')
            for row in (site['file'].split('/')[1], 'all'):
                rows[row]['mutants'] += 1
                rows[row][kind] += 1
                rows[row]['four'] += bool(set(FOUR) & set(result['killed']))
            if kind in ('unreached', 'open', 'left'):
                left.append((site, kind))
        print('| folder | sites | mutants | killed by the four suites | killed by all | equivalent | unreached | not all tests run | left |\n' + '|---|' + '---:|' * 8)
        for folder, row in rows.items():
            sites = sum(folder in ('all', site['file'].split('/')[1]) for site in every)
            print(f'| {folder} | {sites:,} | {row["mutants"]} | {row["four"]} | {row["killed"]} | {row["equivalent"]} | {row["unreached"]} | '
                  f'{row["open"]} | {row["left"]} |')
        row = rows['all']
        for name, killed in (('the four suites', row['four']), ('all suites', row['killed'])):
            for what, total in (('all mutants', row['mutants']), ('mutants that are not equivalent', row['mutants'] - row['equivalent'])):
                low, high = interval(killed, total)
                print(f'{name} kill {100 * killed / total:.1f}% of {total} {what} (95% interval {100 * low:.1f}% to {100 * high:.1f}%)')
        for site, kind in left:
            print(f'\n{site["file"]} {site["function"]} #{site["key"].rsplit("#", 1)[1]}  ({kind}, line {site["line"]}, {site["kind"]}, '
                  f'mutant {site["id"]}, {len(results.get(site["key"], {}).get("survived", {}))} tests)\n    - {site["before"]}\n    + {site["after"]}')


STAGES = ['sites', 'tree', 'build', 'baseline', 'run', 'table']


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('source')
    parser.add_argument('work')
    parser.add_argument('stage', nargs='*', help='one or more of ' + ', '.join(STAGES))
    parser.add_argument('--seed', default='1')
    parser.add_argument('--sample', type=int, default=420)
    parser.add_argument('--suites', default=','.join(FOUR))
    parser.add_argument('--longest', type=float, default=math.inf, help='leave out tests that take more processor time, in seconds')
    parser.add_argument('--like', help='take the mutants of an earlier campaign, which is in this folder')
    parser.add_argument('--only', default='', help='run mutants of this folder alone, such as fit/numeric/')
    options = parser.parse_args(words)
    for stage in options.stage:
        if stage not in STAGES:
            parser.error(f'no stage {stage!r}: choose from {", ".join(STAGES)}')
    return options


def main():
    options = arguments(sys.argv[1:])
    for stage in options.stage or STAGES:
        getattr(Campaign(options), 'stage_' + stage)()


if __name__ == '__main__':
    main()
