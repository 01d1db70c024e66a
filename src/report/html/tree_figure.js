// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of draws as a picture: from the left, a branch for each answer; at the right, the orders to which they lead.

const TREE_ROW = 16, TREE_COLUMN_LEAST = 30, TREE_COLUMN_MOST = 150, TREE_WIDTH = 640;

/** Draws `leaves` of tree.js, with room for `deepest` draws. Returns light(path), which marks the branches of a series of answers. */
function treeDraw(host, leaves, n, deepest = Math.max(...leaves.map(({ path }) => path.length))) {
  const room = Math.min(TREE_WIDTH, host.clientWidth) - 100;
  const column = Math.max(TREE_COLUMN_LEAST, Math.min(TREE_COLUMN_MOST, room / Math.max(1, deepest)));
  const width = 20 + column * deepest + 80;
  const svg = svgPicture(host, width, leaves.length * TREE_ROW + 30, `Tree of draws, ${leaves.length} leaves, n = ${n}`);
  svg.style.width = `${width}px`; // its own size: a wide tree scrolls, and digits stay readable
  const nodes = new Map(), marks = new Map();

  leaves.forEach(({ path }, row) => { // a node is in the middle of its leaves
    for (let depth = 0; depth <= path.length; depth++) {
      const key = path.slice(0, depth).map(({ answer }) => answer).join();
      const node = nodes.get(key) ?? { depth, first: row, answer: path[depth - 1]?.answer, parent: path.slice(0, depth - 1).map(({ answer }) => answer).join() };

      node.last = row;
      nodes.set(key, node);
    }
  });
  const x = ({ depth }) => 10 + depth * column, y = ({ first, last }) => 24 + ((first + last) / 2 + 0.5) * TREE_ROW;
  const digits = [];

  for (const [key, node] of nodes) {
    if (node.depth === 0)
      continue;
    const parent = nodes.get(node.parent), middle = (x(parent) + x(node)) / 2;
    const branch = svgMake(svg, 'path', { class: 'branch', d: `M${x(parent)} ${y(parent)}C${middle} ${y(parent)} ${middle} ${y(node)} ${x(node) - 10} ${y(node)}` });

    digits.push(svgMake(null, 'text', { x: x(node) - 4, y: y(node) + 4, class: 'digit middle' }, node.answer));
    marks.set(key, [branch, digits.at(-1)]);
  }
  svg.append(...digits);
  for (const { path, order } of leaves) {
    const key = path.map(({ answer }) => answer).join(), node = nodes.get(key);
    const text = svgMake(svg, 'text', { x: x(node) + 10, y: y(node) + 4 }, order ? order.join('') : '…');

    marks.set(key, [...(marks.get(key) ?? []), text]);
  }
  for (let depth = 0; depth < deepest; depth++)
    svgMake(svg, 'text', { x: 10 + (depth + 0.5) * column, y: 12, class: 'middle faint' }, column < 50 ? depth + 1 : `draw ${depth + 1}`);
  svgMake(svg, 'text', { x: 20 + deepest * column, y: 12, class: 'faint' }, 'order');
  return (path) => {
    for (const one of svg.querySelectorAll('.lit'))
      one.classList.remove('lit');
    for (let depth = 1; depth <= path.length; depth++)
      for (const one of marks.get(path.slice(0, depth).join()) ?? [])
        if (one.tagName === 'path' || depth === path.length || one.classList.contains('digit'))
          one.classList.add('lit');
  };
}
