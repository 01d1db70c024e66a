// SPDX-License-Identifier: GPL-3.0-or-later
// Removes TypeScript's types from code that a browser cannot read: of variables, parameters and results, after `as`, between < and >, and the ! after a value. It knows
// no other part of TypeScript: the page names the line of what is left.

/** Comments and blanks, texts, templates, regular expressions, words, signs. */
const TYPES_TOKEN = /\/\/.*|\/\*[^]*?\*\/|\s+|'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|`(?:\\[^]|\$\{[^}]*\}|[^`\\])*`|(?<=(?:^|[=(,:;!&|?{}\n]|return)\s*)\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\/|[\p{L}\p{N}_$]+|=>|\.\.\.|[=!]==?|&&|\|\||[^]/gu;
const TYPES_OPERAND = /^[\p{L}\p{N}_$'"`)\]]/u;
const TYPES_KEYWORD = /^(?:return|typeof|case|void|await|yield|default|async)$/;
const TYPES_BEFORE = /^(?:readonly|keyof|typeof|infer|unique|asserts|new|[|&-])$/; // what may precede a type
const TYPES_WITHIN = /^(?:[\p{L}\p{N}_$'"`]|=>$|[.,|&=?:[\](){}<>-]$)/u; // what stands between < and >
const TYPES_OPEN = /^[([{]$/, TYPES_CLOSE = /^[)\]}]$/;

class Types {
  #all; // the pieces of the text
  #at; // where the tokens are in #all: what is no blank and no comment

  constructor(text) {
    this.#all = text.match(TYPES_TOKEN) ?? [];
    this.#at = this.#all.flatMap((token, i) => (/^(?:\s|\/\/|\/\*)/.test(token) ? [] : [i]));
  }

  /** The text without types. */
  text() {
    for (let k = 0; k < this.#at.length; k++)
      this.#remove(k);
    return this.#all.join('');
  }

  #token(k) {
    return this.#all[this.#at[k]] ?? '';
  }

  /** Whether nothing stands between token k and the one before it. */
  #joined(k) {
    return this.#at[k] === this.#at[k - 1] + 1;
  }

  #put(from, to) {
    for (let i = this.#at[from]; from < to && i <= this.#at[to - 1]; i++)
      this.#all[i] = this.#all[i].replace(/[^\n]/g, ' ');
  }

  /** The index after token k, or after the bracket that closes it. */
  #next(k) {
    for (let depth = 0; k < this.#at.length; k++) {
      depth += TYPES_OPEN.test(this.#token(k)) - TYPES_CLOSE.test(this.#token(k));
      if (depth <= 0)
        break;
    }
    return k + 1;
  }

  /** The index after the > of the < at k; k if this < compares. */
  #angle(k) {
    for (let depth = 0, i = k; TYPES_WITHIN.test(this.#token(i)); i = this.#next(i)) {
      depth += (this.#token(i) === '<') - (this.#token(i) === '>');
      if (depth === 0)
        return i + 1;
    }
    return k;
  }

  /** The index after the type at k. */
  #type(k) {
    while (TYPES_BEFORE.test(this.#token(k)))
      k++;
    if (this.#token(k) === '<')
      k = this.#angle(k);
    let end = this.#next(k);

    while (this.#token(end) === '.')
      end += 2;
    if (this.#token(end) === '<' && this.#joined(end))
      end = this.#angle(end);
    while (this.#token(end) === '[' && this.#joined(end))
      end = this.#next(end);
    return /^(?:[|&]|is)$/.test(this.#token(end)) || (this.#token(end) === '=>' && this.#token(k) === '(') ? this.#type(end + 1) : end;
  }

  /** Removes the types of names from k to `end`, between which are commas: parameters, or what follows `let`. */
  #names(k, end) {
    while (k < end) {
      const from = this.#next(k + (this.#token(k) === '...')), colon = from + /^[?!]$/.test(this.#token(from));

      k = this.#token(colon) === ':' ? this.#type(colon + 1) : colon;
      this.#put(from, k);
      while (k < end && !/^[,;]?$/.test(this.#token(k)) && !TYPES_CLOSE.test(this.#token(k)))
        k = this.#next(k);
      if (this.#token(k++) !== ',')
        return;
    }
  }

  /** Removes the types of parameters from the parenthesis at k, and the type of the result. */
  #parameters(k) {
    const end = this.#next(k), after = this.#token(end) === ':' ? this.#type(end + 1) : end;

    if (!/^(?:=>|\{)$/.test(this.#token(after)))
      return;
    this.#put(end, after);
    this.#names(k + 1, end - 1);
  }

  /** Removes the type that begins at k, if one does. */
  #remove(k) {
    const word = this.#token(k), before = this.#token(k - 1), operand = TYPES_OPERAND.test(before) && !TYPES_KEYWORD.test(before);

    if (word === '(')
      this.#parameters(k);
    else if (/^(?:let|const|var)$/.test(word))
      this.#names(k + 1, Infinity);
    else if (/^(?:as|satisfies)$/.test(word) && (operand || before.startsWith(' '))) // `x as unknown as T`
      this.#put(k, this.#type(k + 1));
    else if (word === '!' && operand && this.#joined(k))
      this.#put(k, k + 1);
    else if (word === '<' && (!operand || this.#joined(k)) && this.#token(this.#angle(k)) === '(')
      this.#put(k, this.#angle(k));
  }
}
