// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures and numbers as files.

function saveBlob(blob, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });

  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const SAVE_MARGIN = 16, SAVE_LINE = 18, SAVE_LETTER = 6.8; // units; the last is a letter's mean width
/** What the classes of a figure's parts mean, by the figure's name. */
const SAVE_LEGEND = {
  law: [['plus', 'too often'], ['minus', 'too rarely'], ['dot', 'observed']],
  matrix: [['u4', ''], ['u3', ''], ['u2', ''], ['u1', 'too rarely'], ['e', 'fair'], ['o1', ''], ['o2', ''], ['o3', ''], ['o4', 'too often']],
  gate: [['u4', 'E and the lower bound'], ['o4', 'the upper bound']],
  tree: [['o4', 'the run that is shown']],
};

/** The lines of a text that is at most `room` wide. */
const saveLines = (text, room) => text.match(new RegExp(`.{1,${Math.floor(room / SAVE_LETTER)}}(?:\\s|$)|\\S+`, 'g')) ?? [];

/** Around the picture: margins, a title above, a legend and the caption below. Returns the height. */
function saveFrame(frame, svg, name, [title, caption]) {
  const viewBox = svg.getAttribute('viewBox'), [, , width, height] = viewBox.split(' ').map(Number);
  let y = SAVE_MARGIN, x = SAVE_MARGIN;
  const write = (text, kind) => saveLines(text, width).forEach((line) => svgMake(frame, 'text', { x: SAVE_MARGIN, y: y += SAVE_LINE, class: kind }, line.trim()));

  write(title, 'head');
  svgMake(frame, 'svg', { x, y: y + 8, width, height, viewBox }).append(...svg.cloneNode(true).childNodes);
  y += height + 2 * SAVE_LINE;
  for (const [kind, text] of SAVE_LEGEND[name]) {
    svgMake(frame, kind === 'dot' ? 'circle' : 'rect', { x, y: y - 11, width: 12, height: 12, cx: x + 6, cy: y - 5, r: 4.5, class: kind });
    svgMake(frame, 'text', { x: x + 16, y }, text);
    x += text ? 28 + SAVE_LETTER * text.length : 13;
  }
  write(caption, 'faint');
  return y + SAVE_MARGIN;
}

/** The picture with its look, as a document of its own: light, whatever the page. */
function saveDocument(svg, name, about) {
  const copy = svgMake(null, 'svg', { width: svg.viewBox.baseVal.width + 2 * SAVE_MARGIN });
  const sheet = document.getElementById('look').textContent.replace(/@media screen[^{]*\{[^{}]*\{[^{}]*\}\s*\}/g, '');

  copy.setAttribute('height', saveFrame(copy, svg, name, about));
  copy.prepend(svgMake(null, 'style', {}, sheet), svgMake(null, 'rect', { width: '100%', height: '100%', class: 'paper' }));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/** The picture as PNG, three dots per unit. */
async function savePng(picture, name) {
  const image = new Image(), url = URL.createObjectURL(picture), canvas = document.createElement('canvas');

  image.src = url;
  await image.decode();
  canvas.width = 3 * image.width;
  canvas.height = 3 * image.height;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => saveBlob(blob, name));
}

/** The buttons below a figure; about() tells its title and its caption. */
function saveButtons(bar, host, name, about) {
  for (const kind of ['SVG', 'PNG']) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `Save ${kind}` });

    button.setAttribute('aria-label', `Save the ${name} as ${kind}`);
    button.addEventListener('click', () => {
      const svg = host.querySelector('svg');

      if (svg)
        (kind === 'SVG' ? saveBlob : savePng)(saveDocument(svg, name, about(svg)), `${name}.${kind.toLowerCase()}`);
    });
    bar.append(button);
  }
}
