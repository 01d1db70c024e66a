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
import { files } from '../files.mjs';

const BROKEN = 4, WRONG = 2; // exit statuses
const MODULE = /\.[cm]?js$/;

/** The commands that test a module. */
const TESTS = ['gate', 'prove', 'report'];

/** The second arguments that a function may get. */
const ARGUMENTS = ['draw', 'rng'];

class Mistake extends Error {}

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

/** Words of a command line, and the module that is its subject, which goes after '--'. */
function settle(words) {
  const end = words.indexOf('--');
  const at = words.findIndex((word, i) => i > 0 && (end < 0 || i === end + 1) && words[i - 1] !== '-o' && MODULE.test(word));

  if (at < 0)
    return { words, names: [] };
  if (!TESTS.includes(words[0]))
    throw new Mistake(`'${words[at]}' is a module: use ${TESTS.join(', ')}`);
  return { words: [...words.filter((word, i) => i !== at && i !== end), '--', words[at]], names: [words[at]] };
}

/** The modules of a suite, whose commands are ["./my-shuffle.js", "4"]. The engine reports mistakes in the file. */
function suite(words) {
  const at = words.findIndex((word) => word === '--suite' || word.startsWith('--suite='));

  try {
    const file = at < 0 ? undefined : words[at] === '--suite' ? words[at + 1] : words[at].slice('--suite='.length);

    return file ? JSON.parse(readFileSync(file, 'utf8')).map(({ command }) => command?.[0]).filter((name) => MODULE.test(name)) : [];
  } catch {
    return [];
  }
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
  const { GITHUB_STEP_SUMMARY } = process.env; // `gate --github` writes there
  const system = files(GITHUB_STEP_SUMMARY ? { GITHUB_STEP_SUMMARY } : {});

  return engine().run(words, { functions, argument, system, folder: process.cwd() }).status;
}

const words = process.argv.slice(2);

try {
  process.exitCode = await main(words);
} catch (error) {
  const line = error instanceof Mistake || error?.status ? error.message : `${error?.name ?? 'Error'}: ${error?.message ?? error}`;

  console.error(`shufflebias ${words[0] ?? ''}: ${line}`);
  process.exitCode = error instanceof Mistake ? WRONG : BROKEN;
}
