// SPDX-License-Identifier: GPL-3.0-or-later
/** Files for command lines in node, which offers them to WebAssembly. */
const { emitWarning } = process;

process.emitWarning = () => {}; // that node:wasi is an experiment
const { WASI } = await import('node:wasi');

process.emitWarning = emitWarning;

/** poll_oneoff() of WASI for a module with this memory, because node's accepts no files. All reads wait, so that every descriptor is ready. */
function poll(memory, wanted, events, count, ready) {
  const view = new DataView(memory.buffer);
  let found = 0;

  for (let i = 0; i < count; i++) {
    const kind = view.getUint8(wanted + 48 * i + 8), event = events + 32 * found;

    if (kind === 0 && count > 1)
      continue; // a time limit
    view.setBigUint64(event, view.getBigUint64(wanted + 48 * i, true), true);
    view.setUint16(event + 8, 0, true);
    view.setUint8(event + 10, kind);
    view.setBigUint64(event + 16, 1n, true);
    view.setUint16(event + 24, 0, true);
    found++;
  }
  view.setUint32(ready, found, true);
  return 0;
}

/** The system of this process: its files, its standard streams, and these variables of its environment. All paths are absolute, because
 * the module knows the folder of relative paths. */
export function files(env) {
  const wasi = new WASI({ version: 'preview1', env, preopens: { '/': '/' } });
  let memory;

  return {
    wasiImport: { ...wasi.wasiImport, poll_oneoff: (...words) => poll(memory, ...words) },
    initialize(instance) {
      ({ memory } = instance.exports);
      wasi.initialize(instance);
    },
  };
}
