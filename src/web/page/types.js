// SPDX-License-Identifier: GPL-3.0-or-later
// Removes TypeScript's types from code: of names, parameters and results, after `as`, between < and >, and the ! after a value. The page names the line of what is left.

/** Comments and blanks, texts, templates, regular expressions, words, signs. */
const TYPES_TOKEN = /\/\/.*|\/\*[^]*?\*\/|\s+|'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|`(?:\\[^]|\$\{[^}]*\}|[^`\\])*`|(?<=(?:^|[=(,:;!&|?{}\n]|return)\s*)\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\/|[\p{L}\p{N}_$]+|=>|\.\.\.|[=!]==?|&&|\|\||[^]/gu;
const TYPES_VALUE = /^(?!(?:return|typeof|case|void|await|yield|default|async|function)$)[\p{L}\p{N}_$'"`)\]]/u;
const TYPES_BEFORE = /^(?:readonly|keyof|typeof|infer|unique|asserts|new|[|&-])$/; // what may precede a type
const TYPES_WITHIN = /^(?:[\p{L}\p{N}_$'"`]|=>$|[.,|&=?:[\](){}<>-]$)/u; // what stands between < and >

class Types {
  #all; // the pieces of the text
  #at; // where the tokens are in #all: what is no blank and no comment

  constructor(text) {
    this.#all = text.match(TYPES_TOKEN) ?? [];
    this.#at = this.#all.flatMap((token, i) => (/^(?:\s|\/\/|\/\*)/.test(token) ? [] : [i]));
  }

  /** The text without types. */
  text() {
    this.#at.forEach((_, k) => this.#remove(k));
    return this.#all.join('');
  }

  /** Whether token k is of a kind; if it is to be joined, without a blank before it. */
  #is(k, kind, joined = false) {
    return kind.test(this.#all[this.#at[k]] ?? '') && !(joined && this.#at[k] > this.#at[k - 1] + 1);
  }

  #blank(from, to) {
    for (let i = this.#at[from]; from < to && i <= this.#at[to - 1]; i++)
      this.#all[i] = this.#all[i].replace(/[^\n]/g, ' ');
  }

  /** The index after token k, or after the bracket that closes it. */
  #next(k) {
    let depth = 0;

    do
      depth += this.#is(k, /^[([{]$/) - this.#is(k, /^[)\]}]$/);
    while (++k < this.#at.length && depth > 0);
    return k;
  }

  /** The index after the > of the < at k; k if this < compares. */
  #angle(k) {
    for (let depth = 0, i = k; this.#is(i, TYPES_WITHIN); i = this.#next(i)) {
      depth += this.#is(i, /^<$/) - this.#is(i, /^>$/);
      if (depth === 0)
        return i + 1;
    }
    return k;
  }

  /** The index after the type at k. */
  #type(k) {
    while (this.#is(k, TYPES_BEFORE))
      k++;
    k = this.#is(k, /^<$/) ? this.#angle(k) : k;
    let end = this.#next(k);

    while (this.#is(end, /^\.$/) || this.#is(end, /^\[$/, true))
      end = this.#is(end, /^\.$/) ? end + 2 : this.#next(end);
    if (this.#is(end, /^<$/, true))
      return this.#type(this.#angle(end) - 1); // the > and what follows
    return this.#is(end, /^(?:[|&]|is)$/) || (this.#is(end, /^=>$/) && this.#is(k, /^\($/)) ? this.#type(end + 1) : end;
  }

  /** Removes the types of names from k to `end`, between which are commas: parameters, or what follows `let`. */
  #names(k, end) {
    while (k < end) {
      const from = this.#next(k + this.#is(k, /^\.\.\.$/)), colon = from + this.#is(from, /^[?!]$/);

      k = this.#is(colon, /^:$/) ? this.#type(colon + 1) : colon;
      this.#blank(from, k);
      while (k < end && !this.#is(k, /^[,;)\]}]?$/))
        k = this.#next(k);
      if (!this.#is(k++, /^,$/))
        return;
    }
  }

  /** Removes the type that begins at k, if one does. */
  #remove(k) {
    const value = this.#is(k - 1, TYPES_VALUE), end = this.#next(k), after = this.#is(end, /^:$/) ? this.#type(end + 1) : end;

    if (this.#is(k, /^\($/) && this.#is(after, /^(?:=>|\{)$/)) { // parameters, and the type of the result
      this.#blank(end, after);
      this.#names(k + 1, end - 1);
    } else if (this.#is(k, /^(?:let|const|var)$/)) {
      this.#names(k + 1, Infinity);
    } else if (this.#is(k, /^(?:as|satisfies)$/) && (value || this.#is(k - 1, /^ /))) { // also of `x as unknown as T`
      this.#blank(k, this.#type(k + 1));
    } else if (this.#is(k, /^!$/, true) && value) {
      this.#blank(k, k + 1);
    } else if (this.#is(k, /^<$/, value) && this.#is(this.#angle(k), /^\($/)) {
      this.#blank(k, this.#angle(k));
    }
  }
}
