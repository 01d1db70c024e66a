// SPDX-License-Identifier: GPL-3.0-or-later
// A shuffle in the address of the page, after #, which no server sees.

/** The part after #: n=3&code=... */
function linkMake({ n, code }) {
  return `#${new URLSearchParams({ n, code })}`;
}

/** { n, code } of a link, or null. */
function linkRead(hash) {
  const fields = new URLSearchParams(hash.slice(1)), n = Number(fields.get('n') ?? 3), code = fields.get('code');

  return code !== null && (n === 52 || (Number.isInteger(n) && n >= 2 && n <= 8)) ? { n, code } : null;
}
