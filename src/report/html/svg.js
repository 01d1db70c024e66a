// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of pictures, and numbers as text.

/** An SVG element with these attributes and texts, as the last child of `parent` if there is one. */
function svgMake(parent, kind, attributes = {}, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', kind);

  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  if (text !== undefined)
    element.textContent = text;
  parent?.append(element);
  return element;
}

/** An empty picture in place of what `host` holds. `label` says what it shows. */
function svgPicture(host, width, height, label) {
  const svg = svgMake(null, 'svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });

  host.replaceChildren(svg);
  return svg;
}

/** 1234567 as 1,234,567. */
function svgNumber(number) {
  return Math.round(number).toLocaleString('en-US');
}

/** 0.12345 as 12.3%. */
function svgPercent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

/** An exponent: -12 as ⁻¹². */
function svgRaised(number) {
  return [...String(number)].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])).join('');
}

/** A text with powers as books print them: 1.6e7 as 1.6 × 10⁷. */
function svgPowers(text) {
  return text.replace(/\b(\d+(?:\.\d+)?)e([+-]?\d+)\b/g, (_, mantissa, exponent) =>
    `${mantissa === '1' ? '' : `${mantissa}\u00a0×\u00a0`}10${svgRaised(Number(exponent))}`);
}

/** The class of a ratio to the fair share that is not 1: u1 to u4 for too rarely, and o1 to o4 for too often, with the steps of the reports' matrices. */
function svgTint(ratio) {
  return `${ratio > 1 ? 'o' : 'u'}${1 + [0.05, 0.2, 0.5].filter((border) => Math.abs(ratio - 1) > border).length}`;
}
