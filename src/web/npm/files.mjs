// SPDX-License-Identifier: GPL-3.0-or-later
/** Files for command lines in node: WASI functions on node's own, https://github.com/WebAssembly/WASI, preview 1. */
import fs from 'node:fs';
import { resolve } from 'node:path';

/** WASI's numbers of errors. */
const ERRORS = { EACCES: 2, EBADF: 8, EEXIST: 20, EINVAL: 28, EISDIR: 31, EMFILE: 33, ENOENT: 44, ENOSPC: 51, ENOTDIR: 54, EPERM: 63, EPIPE: 64, EROFS: 69 };
const EIO = 29;

/** Kinds of files. */
const UNKNOWN = 0, CHARACTERS = 2, FOLDER = 3, REGULAR = 4;

/** Flags of path_open(): create, folder, new, truncate; and of its descriptor: append. The right to write. */
const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8, APPEND = 1, WRITE = 64n;

/** Folders by descriptor. All paths are absolute, because the module knows the folder of relative paths. */
const FOLDERS = { 3: '/', 4: '/' };

/** The exit status of a program that the signal SIGPIPE ends. */
const SIGPIPE = 141;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all bytes, also to a pipe that is full at the moment. */
function writeAll(descriptor, bytes) {
  for (let done = 0; done < bytes.length;)
    try {
      done += fs.writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN')
        throw error;
      Atomics.wait(pause, 0, 0, 10); // milliseconds
    }
}

/** Standard output or standard error. A reader that has left ends the program, as the signal SIGPIPE does. */
export function output(descriptor) {
  return {
    write(bytes) {
      try {
        writeAll(descriptor, bytes);
      } catch (error) {
        if (error.code === 'EPIPE')
          process.exit(SIGPIPE);
        throw error;
      }
    },
  };
}

/** Reads standard input, whose end is an error on some systems. */
function readInput(bytes) {
  for (;;)
    try {
      return fs.readSync(0, bytes);
    } catch (error) {
      if (error.code === 'EOF')
        return 0;
      if (error.code !== 'EAGAIN')
        throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
}

function kind(about) {
  return about.isFile() ? REGULAR : about.isDirectory() ? FOLDER : about.isCharacterDevice() ? CHARACTERS : UNKNOWN;
}

/** The WASI functions; memory() is the module's memory. */
export function files(memory) {
  const view = () => new DataView(memory().buffer);
  const bytes = (start, length) => new Uint8Array(memory().buffer, start, length);
  const path = (folder, start, length) => resolve(FOLDERS[folder], new TextDecoder().decode(bytes(start, length).slice()));
  const pieces = (list, count) => Array.from({ length: count }, (_, i) =>
    bytes(view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)));

  /** Returns the WASI number of what work() throws, or 0. */
  const attempt = (work) => {
    try {
      return work() ?? 0;
    } catch (error) {
      if (error?.syscall === undefined)
        throw error;
      return ERRORS[error.code] ?? EIO;
    }
  };

  const describe = (about, result) => { // device, file, kind, links, size, three times in nanoseconds
    const numbers = [about.dev, about.ino, BigInt(kind(about)), about.nlink, about.size, about.atimeNs, about.mtimeNs, about.ctimeNs];

    numbers.forEach((number, i) => view().setBigUint64(result + 8 * i, number, true));
  };

  return { ...descriptors({ view, pieces, attempt, describe }), ...paths({ view, path, attempt, describe }) };
}

function descriptors({ view, pieces, attempt, describe }) {
  return {
    fd_read: (descriptor, list, count, read) => attempt(() => {
      let total = 0;

      for (const piece of pieces(list, count)) {
        const got = piece.length === 0 ? 0 : descriptor === 0 ? readInput(piece) : fs.readSync(descriptor, piece);

        total += got;
        if (got < piece.length)
          break;
      }
      view().setUint32(read, total, true);
    }),
    fd_write: (descriptor, list, count, written) => attempt(() => {
      const all = pieces(list, count);

      for (const piece of all)
        if (descriptor < 3)
          output(descriptor).write(piece);
        else
          writeAll(descriptor, piece);
      view().setUint32(written, all.reduce((sum, piece) => sum + piece.length, 0), true);
    }),
    fd_close: (descriptor) => attempt(() => fs.closeSync(descriptor)),
    fd_filestat_get: (descriptor, result) => attempt(() => describe(fs.fstatSync(descriptor, { bigint: true }), result)),
    fd_fdstat_get: (descriptor, result) => attempt(() => {
      view().setUint32(result, FOLDERS[descriptor] ? FOLDER : kind(fs.fstatSync(descriptor)), true);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
    }),
    poll_oneoff: (wanted, events, count, ready) => { // all reads wait, so that every descriptor is ready
      let found = 0;

      for (let i = 0; i < count; i++) {
        const kindOf = view().getUint8(wanted + 48 * i + 8), event = events + 32 * found;

        if (kindOf === 0 && count > 1)
          continue; // a time limit
        view().setBigUint64(event, view().getBigUint64(wanted + 48 * i, true), true);
        view().setUint16(event + 8, 0, true);
        view().setUint8(event + 10, kindOf);
        view().setBigUint64(event + 16, 1n, true);
        view().setUint16(event + 24, 0, true);
        found++;
      }
      view().setUint32(ready, found, true);
      return 0;
    },
  };
}

function paths({ view, path, attempt, describe }) {
  return {
    path_open: (folder, lookup, start, length, flags, rights, inherited, state, result) => attempt(() => {
      const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants;
      const mode = (rights & WRITE ? O_RDWR : O_RDONLY) | (flags & CREATE ? O_CREAT : 0) | (flags & EXCLUSIVE ? O_EXCL : 0)
        | (flags & TRUNCATE ? O_TRUNC : 0) | (state & APPEND ? O_APPEND : 0);

      view().setUint32(result, fs.openSync(path(folder, start, length), mode, 0o666), true);
    }),
    path_filestat_get: (folder, lookup, start, length, result) => attempt(() => {
      const about = lookup & 1 ? fs.statSync : fs.lstatSync; // 1: follows links

      describe(about(path(folder, start, length), { bigint: true }), result);
    }),
    path_rename: (from, start, length, to, next, size) => attempt(() => fs.renameSync(path(from, start, length), path(to, next, size))),
    path_unlink_file: (folder, start, length) => attempt(() => fs.unlinkSync(path(folder, start, length))),
  };
}
