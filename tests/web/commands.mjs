// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that the module and the native program must answer in the same way: every command that needs neither
// processes nor files, and wrong command lines.

const JSON_QUIET = ['--format', 'json', '--quiet'];
const JSON_ONLY = ['--format', 'json'];

function* reports() {
  for (const scheme of ['naive', 'fisher-yates', 'fisher-yates/modulo:4', 'sort-timsort', 'sort-merge', 'splice', 'inside-out',
    'riffle:3', 'overhand:2', 'redraw', 'sort-by-key:8', 'sattolo', 'planet-poker/multiply:8/delphi'])
    for (const n of [2, 3, 4])
      yield ['report', scheme, '-n', n, '--samples', '2e5', ...JSON_QUIET];
  for (const scheme of ['naive', 'fisher-yates', 'riffle:7', 'fisher-yates/modulo:15', 'overhand']) {
    yield ['report', scheme, '-n', 52, '--samples', '2e4', ...JSON_QUIET];
    yield ['report', scheme, '-n', 52, '--by', 'exact', ...JSON_QUIET];
    yield ['report', scheme, '-n', 12, '--deal', 4, '--samples', '5e4', ...JSON_QUIET];
  }
  for (const n of [8, 9, 10])
    yield ['report', 'naive', '-n', n, '--by', 'exact', ...JSON_QUIET];
  for (const format of ['json', 'csv', 'text', 'markdown', 'html'])
    yield ['report', '-n', 3, '--samples', '1e5', '--format', format, '--quiet'];
  yield ['report', 'naive', '--figure', 'tree', '--by', 'exact', '--format', 'svg'];
  yield ['report', 'naive', '-n', 24, '--by', 'exact', '--figure', 'matrix', '--format', 'svg'];
  yield ['report', 'naive', '-n', 5, '--samples', '1e5', '--figure', 'bars', '--format', 'svg', '--quiet'];
  yield ['report', 'fisher-yates', '-n', 8, '--increments', '--samples', '1e5', ...JSON_QUIET];
  yield ['report', 'fisher-yates', '-n', 52, '--profile', 'cards', '--samples', '1e4', ...JSON_QUIET];
  yield ['report', 'fisher-yates/modulo/msvc-rand', '-n', 8, '--by', 'seeds', '--seeds', '0..65535', ...JSON_QUIET];
  for (const scheme of ['multiply:53/sine', 'multiply:53/xorshift128+', 'java-nextint/java', 'float24/mulberry32'])
    yield ['report', `fisher-yates/${scheme}`, '-n', 8, '--by', 'seeds', '--seeds', '0..999', ...JSON_QUIET];
  yield ['report', 'naive/lemire:32/mt19937', '-n', 4, '--samples', '1e5', ...JSON_QUIET];
  yield ['report', 'fisher-yates', '-n', 13, '--statistics', 'repeat', '--samples', '1e5', ...JSON_QUIET];
}

function* gates() {
  for (const scheme of ['naive', 'fisher-yates', 'sattolo', 'sort-by-key:3', 'cut', 'fisher-yates/modulo:8'])
    for (const n of [3, 5, 52])
      yield ['gate', scheme, '-n', n, '--limit', '20000', ...JSON_QUIET];
  for (let seed = 2; seed < 8; seed++)
    yield ['gate', 'naive', '--seed', seed, ...JSON_QUIET];
  yield ['gate', 'fisher-yates', '-n', 4, '--max-bias', '0.05', ...JSON_QUIET];
  yield ['gate', 'fisher-yates', '-n', 52, '--increments', '--limit', '5000', ...JSON_QUIET];
  yield ['gate', 'naive', '-n', 52, '--limit', '3000', '--format', 'junit', '--quiet'];
  yield ['gate', 'naive', '--format', 'tap', '--quiet'];
  yield ['gate', 'naive', '--quiet'];
  yield ['gate', 'naive', '--figure', 'curve', '--format', 'svg', '--quiet'];
}

function* calculations() {
  for (const n of [3, 5])
    for (const scheme of ['naive', 'sattolo', 'fisher-yates/modulo:15'])
      yield ['plan', scheme, '-n', n, ...JSON_ONLY];
  yield ['plan', '--detect', '0.01', '-n', 5, ...JSON_ONLY];
  yield ['plan', '--samples', '1e6', '-n', 5, ...JSON_ONLY];
  for (const n of [5, 52])
    for (const statistic of ['descents', 'inversions', 'cycles', 'fixed-points', 'displacement', 'successor', 'records',
      'longest-increasing'])
      yield ['law', statistic, '-n', n, ...JSON_ONLY];
  for (const n of [3, 4])
    for (const scheme of ['naive', 'fisher-yates', 'sort-merge', 'fisher-yates/modulo:15'])
      yield ['explain', scheme, '-n', n, ...JSON_ONLY];
  for (const scheme of ['naive', 'transpositions']) // numbers of paths beyond 32 bits
    yield ['explain', scheme, '-n', 8, ...JSON_ONLY];
  yield ['explain', 'transpositions', '-n', 12, ...JSON_ONLY];
  yield ['odds', 'naive', '123', '132', '312', ...JSON_ONLY];
  yield ['zoo', '-n', 4, ...JSON_QUIET];
  yield ['zoo', '-n', 6, '--deal', 3, ...JSON_QUIET];
  yield ['list'];
  yield ['deal', 'naive', '-n', 5, '--samples', 50];
  yield ['deal', 'riffle:7', '-n', 52, '--samples', 9, '--format', 'u8'];
  yield ['--version'];
  yield ['gate', '--help'];
}

function* wrong() {
  yield ['report', 'nosuch'];
  yield ['report', './nosuch.txt'];
  yield ['report', '-n', '70000'];
  yield ['report', '--samples', '-3'];
  yield ['gate', 'naive', '--alpha', '2'];
  yield ['odds', 'riffle', '123'];
}

/** The command lines, each an array of strings. */
export const commands = [...reports(), ...gates(), ...calculations(), ...wrong()].map((words) => words.map(String));
