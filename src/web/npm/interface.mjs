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
    deal: (scheme, options) => engine().deal(scheme, options),

    /** Answers a command line: { status, output, errors }. */
    run: (words) => engine().run(words.map(String)),
  };
}

/** The only element of the list in a JSON result; a text stays as it is. */
function only(result, list) {
  return typeof result === 'string' ? result : result[list][0];
}
