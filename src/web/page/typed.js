// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffle in a typed text: a function of any name or of none, or what a module exports. Lines keep their numbers.

const TYPED_NAME = /(?:function\b\s*\*?|class\b|let\b|const\b|var\b)\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.source;
const TYPED_EXPORT = /(?<=^|[;}])([ \t]*)export\s*/.source;
const TYPED_SOURCE = 'typed-code'; // what stacks of calls call the code; new Function() puts two lines before it
const TYPED_WORDS = /^(?:break|case|catch|continue|default|delete|do|else|extends|finally|for|if|in|instanceof|new|return|static|super|switch|this|throw|try|typeof|void|while|with|yield)$/;
const TYPED_MODULES = 'the page loads no modules. Paste the function itself in place of its import';
const typedFault = (line, more) => Object.assign(new Error(line), { status: 'subject', ...more });

/** { code, best, exported }: the code without `export`, the name of its default export, and the other names that it exports. */
function typedModule(text) {
  const module = { exported: [] }, loads = /^[ \t]*import\b(?!\s*[.(]|\s+type\b)/m.exec(text);
  const exports = (name, best) => (best ? module.best = name : module.exported.push(name));

  if (loads)
    throw typedFault(`line ${text.slice(0, loads.index).split('\n').length} of your code: ${TYPED_MODULES}`);
  module.code = text.replace(new RegExp(`${TYPED_EXPORT}\\{([^}]*)\\}`, 'gm'), (all, _, list) => {
    for (const [, name, as] of list.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g))
      exports(name, /^(?:default|shuffle)$/.test(as));
    return all.replace(/[^\n]/g, ' ');
  }).replace(new RegExp(`${TYPED_EXPORT}\\b(default\\s+)?((?:async\\s+)?${TYPED_NAME})`, 'gmu'), (_, blank, best, rest, name) => {
    exports(name, best);
    return blank + rest;
  }).replace(new RegExp(`${TYPED_EXPORT}\\bdefault\\b`, 'gm'), '$1module.exports =');
  return module;
}

/** The shuffle among functions by name. */
function typedChoose(functions, { best, exported, code }) {
  const names = Object.keys(functions).filter((name) => typeof functions[name] === 'function' && !/^class\b|\[native code\]/.test(functions[name]));
  const once = (name) => code.split(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length === 2;
  const lists = [['shuffle'], [best], exported, names.filter((name) => /shuffle/i.test(name)), names, names.filter(once)];
  const choice = lists.map((list) => list.filter((name) => names.includes(name))).find((list) => list.length === 1);

  if (!choice && names.length > 1)
    throw typedFault(`there are ${names.length} functions, ${names.join(', ')}: name the one to test shuffle`);
  return choice && functions[choice[0]];
}

/** The shuffle of a text; draw(k) answers its draws by that name. The text is a script or an expression, with or without types; rewrite(code) is run. */
function typedShuffle(text, draw, rewrite) {
  const read = typedModule(text), module = { exports: {} }, names = new Set(Array.from(read.code.matchAll(new RegExp(`\\b${TYPED_NAME}`, 'gu')), ([, name]) => name));
  const given = Object.entries({ draw, module, exports: module.exports, require: () => { throw new Error(TYPED_MODULES); } }).filter(([name]) => !names.has(name));
  const values = Array.from(names).filter((name) => !TYPED_WORDS.test(name)).map((name) => `${name}: typeof ${name} === 'undefined' ? 0 : ${name}`);
  let fault = typedFault(`there is no ${text.trim() ? 'function' : 'code'}: write function shuffle(a) { ... }`);

  for (const types of ['', ', even without types']) {
    const code = types ? new Types(read.code).text() : read.code;

    for (const [script, body] of [[true, `${rewrite(code)}\n;return { ${values} };`], [false, `return { '': (${rewrite(code).replace(/[\s;]*$/, '')}\n) };`]]) {
      let run;

      try {
        run = new Function(...given.map(([name]) => name), `${body}\n//# sourceURL=${TYPED_SOURCE}`);
      } catch (error) {
        if (script && (!types || (fault.unread && code !== fault.unread)))
          fault = typedFault(`${error.lineNumber ? `line ${error.lineNumber - 2} of your code: ` : ''}this is not JavaScript${types}: ${error.message}`, { unread: code });
        continue;
      }
      const found = { ...run(...given.map(([, value]) => value)), ...module.exports, default: module.exports };
      const shuffle = typedChoose(found, { best: 'default', ...read, exported: [...read.exported, ...Object.keys(module.exports)] });

      if (shuffle)
        return shuffle;
      if (script)
        fault = typedFault(Object.keys(found).some((name) => /^class\b/.test(found[name])) ? 'a class is no shuffle: add a function that gets an array and returns it shuffled' : fault.message);
    }
  }
  throw fault;
}
