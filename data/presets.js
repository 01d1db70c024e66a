// SPDX-License-Identifier: GPL-3.0-or-later
// The shuffles of the founding articles, as code to edit. `scheme` is the same shuffle in the native program.
const PRESETS = [
  { name: 'naive', title: 'naive swap', scheme: 'naive', code: `function shuffle(a) {
  for (let i = 0; i < a.length; i++) {
    const j = Math.floor(Math.random() * a.length);
    [a[i], a[j]] = [a[j], a[i]];
  }
}
` },
  { name: 'durstenfeld', title: 'Fisher-Yates, from the back (Durstenfeld)', scheme: 'fisher-yates', code: `function shuffle(a) {
  for (let i = a.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [a[i], a[j]] = [a[j], a[i]];
  }
}
` },
  { name: 'forward', title: 'Fisher-Yates, from the front', scheme: 'fisher-yates-forward', code: `function shuffle(a) {
  for (let i = 0; i < a.length - 1; i++) {
    const j = i + Math.floor(Math.random() * (a.length - i));
    [a[i], a[j]] = [a[j], a[i]];
  }
}
` },
  { name: 'inside-out', title: 'inside-out', scheme: 'inside-out', code: `function shuffle(a) {
  const b = [];
  for (let i = 0; i < a.length; i++) {
    const j = Math.floor(Math.random() * (i + 1));
    b.push(b[j]);
    b[j] = a[i];
  }
  return b;
}
` },
  { name: 'redraw', title: 'draw until not yet taken', scheme: 'redraw', code: `function shuffle(a) {
  const b = [];
  while (b.length < a.length) {
    const j = Math.floor(Math.random() * a.length);
    if (!b.includes(a[j])) b.push(a[j]);
  }
  return b;
}
` },
  { name: 'splice', title: 'splice', scheme: 'splice', code: `function shuffle(a) {
  const b = [];
  while (a.length > 0) {
    const j = Math.floor(Math.random() * a.length);
    b.push(a.splice(j, 1)[0]);
  }
  return b;
}
` },
  { name: 'hole', title: 'fill the hole', scheme: 'fisher-yates-original', code: `function shuffle(a) {
  const b = [];
  for (let left = a.length; left > 0; left--) {
    const j = Math.floor(Math.random() * left);
    b.push(a[j]);
    a[j] = a[left - 1];
  }
  return b;
}
` },
  { name: 'keys', title: 'sort by random keys', scheme: 'sort-by-key', code: `function shuffle(a) {
  return a
    .map((card) => ({ card, key: Math.random() }))
    .sort((x, y) => x.key - y.key)
    .map(({ card }) => card);
}
` },
  { name: 'coin', title: 'sort by coin', scheme: null, code: `function shuffle(a) {
  return a.sort(() => Math.random() - 0.5);
}
` },
  { name: 'deal', title: 'deal k of n', scheme: null, code: `// Only the first k cards are dealt. They are fair;
// the rest keeps its order, so the whole deck is not.
function shuffle(a) {
  const k = Math.min(2, a.length);
  for (let i = 0; i < k; i++) {
    const j = i + Math.floor(Math.random() * (a.length - i));
    [a[i], a[j]] = [a[j], a[i]];
  }
}
` },
  { name: 'sattolo', title: 'Sattolo', scheme: 'sattolo', code: `function shuffle(a) {
  for (let i = a.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * i);
    [a[i], a[j]] = [a[j], a[i]];
  }
}
` },
  { name: 'own', title: 'your own', scheme: null, code: `// Shuffle the array a in place, or return a new one.
// Draw with Math.random(), crypto.getRandomValues()
// or draw(k), an integer from 0 to k - 1.
function shuffle(a) {
  const j = draw(a.length);
  [a[0], a[j]] = [a[j], a[0]];
}
` },
];
