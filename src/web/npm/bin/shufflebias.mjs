#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * The command line of shufflebias. Where the native program runs a command, this program calls a function:
 *
 *     shufflebias gate -n 52 ./my-shuffle.js
 *     shufflebias prove -n 5 --argument draw ./my-shuffle.js    the function gets draw(k) as its second argument
 *
 * The module exports the function by default, or under the name `shuffle`. Exit statuses are those of the native program.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { engine } from '../engine.mjs';
import { files, output } from '../files.mjs';

const BROKEN = 4, WRONG = 2; // exit statuses
const MODULE = /\.[cm]?js$/;

/** The commands that test a module. */
const TESTS = ['gate', 'prove', 'report'];

/** The second arguments that a function may get. */
const ARGUMENTS = ['draw', 'rng'];

/** Options about the output of a program. A module has none: it gets and returns the numbers of all items. */
const OUTPUT = /^--(base|cards|deal|input)(=|$)/;

class Mistake extends Error {}

/** Refuses what a command or a subject of a suite cannot ask of a module. `chained` and `output` are the names of such options, if asked. */
function refuse(name, chained, output) {
  if (chained)
    throw new Mistake(`${chained}: each deck of '${name}' is new: leave the option out`);
  if (output)
    throw new Mistake(`${output}: '${name}' gets and returns the numbers of all items: leave the option out`);
}

/** Takes the option --argument, which the engine's command lines do not have, out of the words. */
function argumentOf(typed) {
  const end = typed.indexOf('--'), at = typed.findIndex((word, i) => /^--argument(=|$)/.test(word) && (end < 0 || i < end));

  if (at < 0)
    return { words: typed };
  const joined = typed[at].includes('='), argument = joined ? typed[at].slice('--argument='.length) : typed[at + 1];

  if (!ARGUMENTS.includes(argument))
    throw new Mistake(`--argument: '${argument ?? ''}' is no second argument: use ${ARGUMENTS.join(' or ')}`);
  return { words: [...typed.slice(0, at), ...typed.slice(at + (joined ? 1 : 2))], argument };
}

/** The function that a module exports. */
async function load(name) {
  let module;

  try {
    module = await import(pathToFileURL(resolve(name)).href);
  } catch (error) {
    throw new Mistake(`cannot load '${name}': ${String(error?.message ?? error).replace(/( imported from |\n).*$/s, '')}`);
  }
  const found = [module.default, module.shuffle, module.default?.default, module.default?.shuffle].find((value) => typeof value === 'function');

  if (!found)
    throw new Mistake(`'${name}' exports no function: export the shuffle by default, or under the name 'shuffle'`);
  return found;
}

/** The number of items that the words ask for, as -n 52 or -n52; 3 by default. */
function items(words) {
  const i = words.findIndex((word) => word.startsWith('-n') && !word.startsWith('--'));

  return i < 0 ? '3' : words[i] === '-n' ? words[i + 1] ?? '3' : words[i].slice(2);
}

/**
 * Words of a command line whose subject is a module: the module and the number of its items go after '--'. The word '-',
 * standard input, goes behind all options, because the module's getopt_long() reads no options after it.
 */
function settle(words) {
  const end = words.indexOf('--');
  const at = words.findIndex((word, i) => i > 0 && (end < 0 || i === end + 1) && words[i - 1] !== '-o' && MODULE.test(word));

  if (at >= 0) {
    const rest = words.filter((word, i) => i !== at && i !== end);

    if (!TESTS.includes(words[0]))
      throw new Mistake(`'${words[at]}' is a module: use ${TESTS.join(', ')}`);
    refuse(words[at], rest.find((word) => word === '--chained'), OUTPUT.exec(rest.find((word) => OUTPUT.test(word)))?.[0].replace('=', ''));
    return { words: [...rest, '--', words[at], items(rest)], names: [words[at]] };
  }
  const input = (word, i) => end < 0 && word === '-' && words[i - 1] !== '-o';

  return { words: [...words.filter((word, i) => !input(word, i)), ...words.filter(input)], names: [] };
}

/** The subjects of a suite that are modules, whose commands are ["./my-shuffle.js", "4"]. The engine reports mistakes in the file. */
function subjects(words) {
  const at = words.findIndex((word) => word === '--suite' || word.startsWith('--suite='));

  try {
    const file = at < 0 ? undefined : words[at] === '--suite' ? words[at + 1] : words[at].slice('--suite='.length);

    return file ? JSON.parse(readFileSync(file, 'utf8')).filter(({ command }) => MODULE.test(command?.[0])) : [];
  } catch {
    return [];
  }
}

/** The modules of a suite. */
function suite(words) {
  const modules = subjects(words);

  for (const subject of modules)
    refuse(subject.command[0], (subject.chained ?? words.includes('--chained')) && 'chained', ['base', 'cards', 'deal', 'input'].find((name) => name in subject));
  return modules.map(({ command }) => command[0]);
}

async function main(typed) {
  const { words: asked, argument } = argumentOf(typed), { words, names } = settle(asked);
  const functions = {}, modules = [...names, ...suite(words)];

  if (argument !== undefined && !modules.length)
    throw new Mistake('--argument: it is for the function of a module: name one, such as ./my-shuffle.js');
  if (words[0] === 'prove')
    engine().hold(); // a module may copy Math.random when it is loaded, as lodash does
  for (const name of modules)
    functions[name] = await load(name);
  const summary = process.env.GITHUB_STEP_SUMMARY; // `gate --github` writes there

  return engine().run(words, {
    functions, argument, files, folder: process.cwd(), outputs: [null, output(1), output(2)],
    variable: summary && `GITHUB_STEP_SUMMARY=${summary}`,
  }).status;
}

const words = process.argv.slice(2);

try {
  process.exitCode = await main(words);
} catch (error) {
  const line = error instanceof Mistake || error?.status ? error.message : `${error?.name ?? 'Error'}: ${error?.message ?? error}`;

  output(2).write(Buffer.from(`shufflebias ${words[0] ?? ''}: ${line}\n`));
  process.exitCode = error instanceof Mistake ? WRONG : BROKEN;
}
