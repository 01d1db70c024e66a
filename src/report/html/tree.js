// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of draws of a shuffle: every answer to every draw, in order.

const TREE_LEAVES = 64; // more are not readable

/** Runs shuffle(deck, draw, random) with these answers, then with zeros; random() stands for Math.random(), and has `cells` answers.
    Returns { path: [{ bound, answer }], order }, where the order is null if the shuffle draws more than `most` numbers. */
function treeRun(shuffle, n, answers, cells, most) {
  const path = [], deck = Array.from({ length: n }, (_, i) => i);
  const ask = (bound) => {
    if (path.length === most)
      throw treeRun;
    const answer = answers[path.length] ?? 0;

    path.push({ bound, answer });
    return answer;
  };

  try {
    const result = shuffle(deck, ask, () => (ask(cells) + 0.5) / cells);

    return { path, order: (Array.isArray(result) ? result : deck).map((item) => item + 1) };
  } catch (error) {
    if (error === treeRun)
      return { path, order: null };
    throw error;
  }
}

/** All leaves from left to right, or null if there are more than TREE_LEAVES. An order is null where the tree is cut. */
function treeLeaves(shuffle, n, cells) {
  for (const most of [30, 5, 4]) { // a tree without end is cut
    const leaves = [];
    let answers = [];

    while (answers && leaves.length <= TREE_LEAVES) {
      const leaf = treeRun(shuffle, n, answers, cells, most);
      let i = leaf.path.length - 1;

      leaves.push(leaf);
      while (i >= 0 && leaf.path[i].answer === leaf.path[i].bound - 1)
        i--;
      answers = i < 0 ? null : [...leaf.path.slice(0, i).map(({ answer }) => answer), leaf.path[i].answer + 1];
    }
    if (!answers && leaves.length <= TREE_LEAVES)
      return leaves;
  }
  return null;
}

/** The leaves of the part of a tree that a run has seen after `depth` of its draws: the answers beside its own are cut. */
function treeAlong({ path, order }, depth) {
  const answers = path.slice(0, depth);

  return path.slice(0, depth + 1).reduceRight((below, { bound, answer }, i) => Array.from({ length: bound }, (_, other) =>
    (i < depth && other === answer ? below : [{ path: [...answers.slice(0, i), { bound, answer: other }], order: null }])).flat(),
  [{ path: answers, order }]);
}
