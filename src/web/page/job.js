// SPDX-License-Identifier: GPL-3.0-or-later
// A job in a disposable worker. A worker that stays silent is ended: typed code may loop.

const JOB_SILENCE = 4000; // milliseconds; a working job says so five times a second

let jobSource = null; // the worker's program as a URL

/** Starts a job; on(message) gets its messages, with { error } in place of an end. Returns { stop() }. */
function jobStart(message, on) {
  jobSource ??= URL.createObjectURL(new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }));
  const worker = new Worker(jobSource);
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const fail = (error) => {
    stop();
    on({ error });
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(`no result for ${JOB_SILENCE / 1000} seconds: does the shuffle loop indefinitely?`), JOB_SILENCE);
  };

  worker.onmessage = ({ data }) => {
    wait();
    if (data.error || data.done)
      stop();
    on(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail(event.message);
  };
  worker.postMessage(message);
  wait();
  return { stop };
}
