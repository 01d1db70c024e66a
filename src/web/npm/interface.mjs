// SPDX-License-Identifier: GPL-3.0-or-later
/** The functions of the package, on an engine of shufflebias.mjs; engine() opens it when it is first needed. */
export function interfaceOf(engine) {
  return {
    /** Calls shuffle(deck) until it is known whether the shuffle is fair. */
    gate: (shuffle, options) => only(engine().gate(shuffle, options), 'gates'),

    /** The exact law of shuffle(deck). */
    prove: (shuffle, options) => only(engine().prove(shuffle, options), 'reports'),

    /** A report on many results of shuffle(deck). */
    report: (shuffle, options) => only(engine().report(shuffle, options), 'reports'),

    /** Decks of a shuffle that shufflebias knows: an array of arrays of the items 0 to n - 1. */
    deal: (scheme, options = {}) => deal(engine(), scheme, options),

    /** Answers a command line: { status, output, errors }. */
    run: (words) => engine().run(words.map(String)),
  };
}

/** The only element of the list in a JSON result; a text stays as it is. */
function only(result, list) {
  return typeof result === 'string' ? result : result[list][0];
}

/** What the command `deal` calls the options. */
const DEAL = { n: '-n', deal: '--deal', samples: '--samples', seed: '--seed', draw: '--draw', rng: '--rng' };

function deal(engine, scheme, options) {
  if (typeof scheme !== 'string' || scheme.startsWith('-')) // an option
    throw failure('invalid', `'${String(scheme)}' is no shuffle: name one, such as 'fisher-yates'`);
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw failure('invalid', 'the options must be an object, such as { n: 4 }');
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(DEAL, name))
      throw failure('invalid', `unknown option '${name}': use ${Object.keys(DEAL).join(', ')}`);
    return value === undefined ? [] : [DEAL[name], String(value)];
  });
  const { status, output, errors } = engine.run(['deal', ...words, scheme]);

  if (status !== 0)
    throw failure('invalid', errors.trim().replace(/^shufflebias deal: /, ''));
  return output.split('\n').slice(0, -1).map((line) => line.split(' ').filter(Boolean).map(Number));
}

function failure(status, message) {
  return Object.assign(new Error(message), { status });
}
