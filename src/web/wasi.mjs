// SPDX-License-Identifier: GPL-3.0-or-later
/** Error numbers of WASI, https://github.com/WebAssembly/WASI, preview 1. */
const BADF = 8, NOENT = 44, NOSYS = 52;

/** The folder of all paths, which is empty, so that every file that the module asks for is missing; and its descriptor. */
const FOLDER = new TextEncoder().encode('/'), FOLDER_AT = 3;

/** A system like that of node:wasi, without files and without an environment. What the module writes to standard output becomes said[1],
 * and what it writes to standard error said[2]. */
export function wasi(said) {
  const decoders = said.map(() => new TextDecoder());
  let memory;
  const view = () => new DataView(memory.buffer);
  const none = () => BADF, missing = () => NOENT, unknown = () => NOSYS, nothing = () => 0;
  const wasiImport = {
    fd_write(descriptor, list, count, written) {
      let total = 0;

      if (descriptor >= FOLDER_AT)
        return BADF;
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);

        said[descriptor] += decoders[descriptor].decode(new Uint8Array(memory.buffer, start, length), { stream: true });
        total += length;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    clock_time_get(clock, precision, result) {
      const milliseconds = clock === 0 ? Date.now() : performance.now(); // clock 0 tells the date and the time

      view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    fd_read(descriptor, list, count, read) { // standard input is empty
      view().setUint32(read, 0, true);
      return descriptor === 0 ? 0 : BADF;
    },
    proc_exit(status) {
      throw new Error(`the module ended with exit status ${status}`);
    },
    fd_fdstat_get(descriptor, result) { // the type (3: folder, 0: unknown), the flags and two sets of rights
      if (descriptor > FOLDER_AT)
        return BADF;
      view().setUint32(result, descriptor === FOLDER_AT ? 3 : 0, true);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
      return 0;
    },
    fd_prestat_get(descriptor, result) { // the type (0: folder) and the length of the folder's name
      if (descriptor !== FOLDER_AT)
        return BADF;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, FOLDER.length, true);
      return 0;
    },
    fd_prestat_dir_name(descriptor, start, length) {
      new Uint8Array(memory.buffer, start, length).set(FOLDER);
      return 0;
    },
    environ_get: nothing, fd_close: none, fd_fdstat_set_flags: none, fd_filestat_get: none, fd_pread: none, fd_seek: none,
    path_open: missing, path_filestat_get: missing, path_unlink_file: missing, path_rename: unknown, poll_oneoff: unknown,
  };

  return {
    wasiImport,
    initialize(instance) {
      ({ memory } = instance.exports);
      instance.exports._initialize();
    },
  };
}
