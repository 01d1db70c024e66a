// SPDX-License-Identifier: GPL-3.0-or-later
// How the gate's evidence E grows and how its bounds close in, against the number of shuffles.

const GATE_LN_10 = Math.log(10), GATE_WIDE = 300, GATE_HIGH = 150, GATE_LEAST_TV = 1e-3;

/** The axes of one of the two plots. `marks` are [y in 0..1, text]. */
function gateAxes(svg, left, title, marks) {
  const group = svgMake(svg, 'g', { transform: `translate(${left} 26)` });

  svgMake(group, 'text', { x: 0, y: -10, class: 'head' }, title);
  for (const [y, text] of marks) {
    svgMake(group, 'line', { x1: 0, x2: GATE_WIDE, y1: GATE_HIGH * (1 - y), y2: GATE_HIGH * (1 - y), class: 'grid' });
    svgMake(group, 'text', { x: -6, y: GATE_HIGH * (1 - y) + 4, class: 'end faint' }, text);
  }
  svgMake(group, 'text', { x: GATE_WIDE / 2, y: GATE_HIGH + 36, class: 'middle faint' }, 'shuffles');
  return group;
}

function gateTicks(group, most) {
  for (let power = 0; power <= most; power++) {
    const text = power === 6 ? '1,000,000' : svgNumber(10 ** power);

    if (power % 2 === 0 || most < 4)
      svgMake(group, 'text', { x: GATE_WIDE * power / most, y: GATE_HIGH + 18, class: power === 0 ? 'start faint' : power === most ? 'end faint' : 'middle faint' }, text);
  }
}

const gateEvidence = (lnE) => (Math.max(-2, Math.min(12, lnE / GATE_LN_10)) + 2) / 14;
const gateBound = (tv) => Math.max(0, Math.log(Math.max(tv, GATE_LEAST_TV) / GATE_LEAST_TV) / Math.log(1 / GATE_LEAST_TV));

/** Draws the gate's looks { total, ln_e, tv_low, tv_high } (lists) up to `shown`. `most` is the power of ten at the end. */
function gatePaths(looks, shown, most) {
  const x = (total) => (GATE_WIDE * Math.min(1, Math.log10(Math.max(1, total)) / most)).toFixed(1);
  const y = (share) => (GATE_HIGH * (1 - share)).toFixed(1);
  const path = (values, scale) => values.map((value, i) => (looks.total[i] <= shown ? `${i ? 'L' : 'M'}${x(looks.total[i])} ${y(scale(value ?? 1))}` : '')).join('');

  return { e: path(looks.ln_e, gateEvidence), low: path(looks.tv_low, gateBound), high: path(looks.tv_high, gateBound) };
}

/** Both plots. `terms` are the gate's; `exact` is the exact total variation or null. Returns update(looks, shown). */
function gateDraw(host, terms, exact, most) {
  const narrow = host.clientWidth < 560, svg = svgPicture(host, narrow ? 360 : 740, narrow ? 460 : 225, 'Evidence and bounds against the number of shuffles');
  const left = gateAxes(svg, 50, 'Evidence E', [[gateEvidence(0), '1'], [gateEvidence(3 * GATE_LN_10), '10³'], [gateEvidence(6 * GATE_LN_10), '10⁶'], [gateEvidence(9 * GATE_LN_10), '10⁹']]);
  const right = gateAxes(svg, narrow ? 50 : 430, 'Bounds of the total variation', [[0, '0.1%'], [gateBound(0.01), '1%'], [gateBound(0.1), '10%'], [1, '100%']]);
  const level = (group, share, kind) => svgMake(group, 'line', { x1: 0, x2: GATE_WIDE, y1: GATE_HIGH * (1 - share), y2: GATE_HIGH * (1 - share), class: kind });

  if (narrow)
    right.setAttribute('transform', 'translate(50 255)');
  gateTicks(left, most);
  gateTicks(right, most);
  level(left, gateEvidence(-Math.log(terms.alpha)), 'border');
  level(right, gateBound(terms.max_bias), 'border');
  if (exact)
    level(right, gateBound(exact), 'truth');
  const lines = { e: svgMake(left, 'path', { class: 'line' }), low: svgMake(right, 'path', { class: 'line' }), high: svgMake(right, 'path', { class: 'line high' }) };

  return (looks, shown) => {
    for (const [name, d] of Object.entries(gatePaths(looks, shown, most)))
      lines[name].setAttribute('d', d);
  };
}
