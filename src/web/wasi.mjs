// SPDX-License-Identifier: GPL-3.0-or-later
/** Error numbers of WASI. */
const BADF = 8, NOENT = 44, NOSYS = 52;

/** Folders by descriptor. All folders are empty, so every file that the module asks for is missing. */
const FOLDERS = { 3: '/', 4: '.' };

/** The functions that WASI requires of a host. There are no files, so the module can write only to standard output and
 * standard error. `variable` is the environment: one text such as 'HOME=/', or ''. */
export function wasi(memory, outputs, variable = '') {
  const view = () => new DataView(memory().buffer);
  const environment = new TextEncoder().encode(variable && `${variable}\0`);
  const none = () => BADF, missing = () => NOENT, unknown = () => NOSYS;

  return {
    fd_write(descriptor, list, count, written) {
      let total = 0;

      if (!outputs[descriptor])
        return BADF;
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);

        outputs[descriptor].write(new Uint8Array(memory().buffer, start, length));
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
    environ_get(list, start) {
      if (variable)
        view().setUint32(list, start, true);
      new Uint8Array(memory().buffer, start, environment.length).set(environment);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, variable ? 1 : 0, true);
      view().setUint32(size, environment.length, true);
      return 0;
    },
    fd_read(descriptor, list, count, read) { // standard input is empty
      view().setUint32(read, 0, true);
      return descriptor === 0 ? 0 : BADF;
    },
    proc_exit(status) {
      throw new Error(`the module ended with exit status ${status}`);
    },
    sched_yield: () => 0,
    fd_fdstat_get(descriptor, result) { // the type (3: folder, 0: unknown), the flags and two sets of rights
      if (!FOLDERS[descriptor] && !(descriptor in outputs))
        return BADF;
      view().setUint32(result, FOLDERS[descriptor] ? 3 : 0, true);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
      return 0;
    },
    fd_prestat_get(descriptor, result) { // the type (0: folder) and the length of the folder's name
      if (!FOLDERS[descriptor])
        return BADF;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, FOLDERS[descriptor].length, true);
      return 0;
    },
    fd_prestat_dir_name(descriptor, start, length) {
      new Uint8Array(memory().buffer, start, length).set(new TextEncoder().encode(FOLDERS[descriptor]));
      return 0;
    },
    fd_close: none, fd_fdstat_set_flags: none, fd_filestat_get: none, fd_filestat_set_size: none,
    fd_pread: none, fd_readdir: none, fd_renumber: none,
    fd_seek: none, fd_sync: none, fd_tell: none,
    path_open: missing, path_filestat_get: missing, path_readlink: missing, path_unlink_file: missing,
    path_remove_directory: missing, path_rename: unknown, path_create_directory: unknown, poll_oneoff: unknown,
  };
}
