// SPDX-License-Identifier: GPL-3.0-or-later
// Math.floor(Math.random() * EXPRESSION) asks for an integer below EXPRESSION. As a real number it would have to be tried
// with the least common multiple of all bounds: 60 answers per draw for five cards, in place of at most five.

/** The end of the parenthesis that opens before `start`; -1 if it stays open. */
function rewriteClose(code, start) {
  let depth = 1, i = start;

  for (; i < code.length && depth > 0; i++)
    depth += (code[i] === '(') - (code[i] === ')');
  return depth === 0 ? i : -1;
}

/** A pattern for Math.NAME and the copies of it that the code makes and never replaces: `const r = Math.random`, `const { random: r } = Math`. */
function rewriteCopies(code, name) {
  const made = Array.from(code.matchAll(new RegExp(`([\\w$]+)\\s*=\\s*Math\\s*\\.\\s*${name}\\b(?!\\s*\\()`, 'g')), ([, copy]) => copy);
  const taken = Array.from(code.matchAll(/\{([^{}]*)\}\s*=\s*Math\b(?!\s*\.)/g), ([, list]) => new RegExp(`\\b${name}\\b(?:\\s*:\\s*([\\w$]+))?`).exec(list))
    .flatMap((found) => (found ? [found[1] ?? name] : []));
  const word = (copy) => `(?<![\\w$.])${copy.replaceAll('$', '\\$')}`, sets = (copy) => code.match(new RegExp(`${word(copy)}\\s*=(?![=>])`, 'g'))?.length ?? 0;

  return `(?:${[`\\bMath\\s*\\.\\s*${name}`, ...[...made.filter((copy) => sets(copy) === 1), ...taken.filter((copy) => sets(copy) === 0)].map(word)].join('|')})`;
}

/** The code with draw(EXPRESSION) in place of Math.floor(Math.random() * EXPRESSION). */
function rewriteDraws(code) {
  const pattern = new RegExp(`${rewriteCopies(code, 'floor')}\\s*\\(\\s*${rewriteCopies(code, 'random')}\\s*\\(\\s*\\)\\s*\\*`, 'g');
  let result = '', from = 0;

  for (let hit = pattern.exec(code); hit; hit = pattern.exec(code)) {
    const end = rewriteClose(code, pattern.lastIndex);

    if (end < 0)
      break;
    // An expression with an operator of lower rank than * would change its meaning inside draw(...).
    const expression = code.slice(pattern.lastIndex, end - 1), bare = expression.replace(/\([^()]*\)|\[[^[\]]*\]|--|\+\+/g, '');

    if (/[-+*/%?,<>=&|]/.test(bare))
      continue;
    result += `${code.slice(from, hit.index)}draw(${expression.trim()})`;
    from = pattern.lastIndex = end;
  }
  return result + code.slice(from);
}
