// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures and numbers as files.

function saveBlob(blob, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });

  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The picture with its look, as a document of its own: light, whatever the page. */
function saveDocument(svg) {
  const copy = svg.cloneNode(true), [, , width, height] = svg.getAttribute('viewBox').split(' ');
  const sheet = document.getElementById('look').textContent.replace(/@media screen[^{]*\{[^{}]*\{[^{}]*\}\s*\}/g, '');

  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.prepend(svgMake(null, 'style', {}, sheet), svgMake(null, 'rect', { width: '100%', height: '100%', class: 'paper' }));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/** The picture as PNG, three dots per unit. */
async function savePng(svg, name) {
  const image = new Image(), url = URL.createObjectURL(saveDocument(svg)), canvas = document.createElement('canvas');

  image.src = url;
  await image.decode();
  canvas.width = 3 * image.width;
  canvas.height = 3 * image.height;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => saveBlob(blob, `${name}.png`));
}

/** The buttons below a figure. */
function saveButtons(bar, host, name) {
  for (const kind of ['SVG', 'PNG']) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `Save ${kind}` });

    button.setAttribute('aria-label', `Save the ${name} as ${kind}`);
    button.addEventListener('click', () => {
      const svg = host.querySelector('svg');

      if (svg && kind === 'SVG')
        saveBlob(saveDocument(svg), `${name}.svg`);
      else if (svg)
        savePng(svg, name);
    });
    bar.append(button);
  }
}
