// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffle in a typed text: a function of any name or of none, or what a module exports. Lines keep their numbers.

const TYPED_DECLARED = /(?:function\b\s*\*?|class\b|let\b|const\b|var\b)\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.source;

/** A complaint about the code, in one line. */
const typedFault = (line, more) => Object.assign(new Error(line), { status: 'subject', ...more });

/** { code, best, exported }: the code without `export`, the name of its default export, and the other names that it exports. */
function typedModule(text) {
  const module = { exported: [] }, loads = /^[ \t]*import\b(?!\s*[.(]|\s+type\b)/m.exec(text), begin = '(?<=^|[;}])([ \\t]*)export\\s';
  const exports = (name, best) => (best ? module.best = name : module.exported.push(name));

  if (loads)
    throw typedFault(`line ${text.slice(0, loads.index).split('\n').length} of your code: the page loads no modules. Paste the function itself in place of its import`);
  module.code = text.replace(new RegExp(`${begin}*\\{([^}]*)\\}`, 'gm'), (all, _, list) => {
    for (const [, name, as] of list.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g))
      exports(name, /^(?:default|shuffle)$/.test(as));
    return all.replace(/[^\n]/g, ' ');
  }).replace(new RegExp(`${begin}+(default\\s+)?((?:async\\s+)?${TYPED_DECLARED})`, 'gmu'), (_, blank, best, rest, name) => {
    exports(name, best);
    return blank + rest;
  }).replace(new RegExp(`${begin}+default\\b`, 'gm'), '$1module.exports =');
  return module;
}

/** What the code may name, unless it declares the name itself. */
function typedGiven(draw) {
  const module = { exports: {} };

  return { draw, module, exports: module.exports, require: (name) => { throw new Error(`the page loads no modules. Paste the function itself in place of '${name}'`); } };
}

/** The names that the code declares anywhere; some may be words of comments. */
function typedNames(code) {
  const names = Array.from(code.matchAll(new RegExp(`\\b${TYPED_DECLARED}`, 'gu')), ([, name]) => name);

  return [...new Set(names)].filter((name) => {
    try {
      return new Function(`let ${name}`);
    } catch {
      return false;
    }
  });
}

/** The shuffle among functions by name. */
function typedChoose(functions, { best, exported, code }) {
  const names = Object.keys(functions).filter((name) => typeof functions[name] === 'function' && !/^class\b/.test(functions[name]));
  const once = (name) => code.split(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length === 2;
  const lists = [['shuffle'], [best], exported, names.filter((name) => /shuffle/i.test(name)), names, names.filter(once)];
  const choice = lists.map((list) => list.filter((name) => names.includes(name))).find((list) => list.length === 1);

  if (!choice && names.length > 1)
    throw typedFault(`there are ${names.length} functions, ${names.join(', ')}: name the one to test shuffle`);
  return choice && functions[choice[0]];
}

/** The shuffle of a text; draw(k) answers its draws by that name. */
function typedShuffle(text, draw) {
  const module = typedModule(text), names = typedNames(module.code), plain = new Types(module.code).text();
  let unread = null, read = null;

  for (const code of [module.code, plain])
    for (const body of [`${code}\n;return { ${names.map((name) => `${name}: typeof ${name} === 'undefined' ? 0 : ${name}`)} };`, `return { '': (${code.replace(/[\s;]*$/, '')}\n) };`]) {
      const given = Object.entries(typedGiven(draw)).filter(([name]) => !names.includes(name));
      let run;

      try {
        run = new Function(...given.map(([name]) => name), body);
      } catch (error) {
        unread = body.startsWith(code) ? error : unread;
        continue;
      }
      const functions = run(...given.map(([, value]) => value)), own = given.find(([name]) => name === 'module')?.[1].exports;
      const shuffle = typedChoose({ ...functions, ...own, default: own }, { best: 'default', ...module, exported: [...module.exported, ...Object.keys(own ?? {})] });

      if (shuffle)
        return shuffle;
      read = functions;
    }
  if (!read)
    throw typedFault(`this is not JavaScript${plain === module.code ? '' : ', even without types'}: ${unread.message}`, { unread: plain });
  throw typedFault(/\bclass\b/.test(text) ? 'a class is no shuffle: add a function that gets an array and returns it shuffled' : `there is no ${text.trim() ? 'function' : 'code'}: write function shuffle(a) { ... }`);
}
