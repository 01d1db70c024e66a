// SPDX-License-Identifier: GPL-3.0-or-later
// A job in a disposable worker. A worker that stays silent is ended: typed code may loop.

// Milliseconds. The first message of a proof is one run of the code. Then the code is known to end, but the engine may be
// silent for some seconds, for example when it names the bug of 52 cards on a slow computer.
const JOB_FIRST = 4000, JOB_LATER = 30000;

let jobSource = null; // the worker's program as a URL

/** Calls on(line) with the line at which the browser cannot read the code, or null (Firefox, which has told already). The code does not run: an exception precedes it. */
function jobUnread(code, on) {
  const url = URL.createObjectURL(new Blob([`throw 0;${code}`], { type: 'text/javascript' })), worker = new Worker(url);

  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    URL.revokeObjectURL(url);
    on(/SyntaxError/.test(event.message) ? event.lineno : null);
  };
}

/** Starts a job; on(message) gets its messages, with { error } in place of an end. Returns { stop() }. */
function jobStart(message, on) {
  jobSource ??= URL.createObjectURL(new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }));
  const worker = new Worker(jobSource), { port1: answers, port2: port } = new MessageChannel();
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
    answers.close();
  };
  const fail = (error) => {
    stop();
    on({ error });
  };
  const wait = (silence) => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(`no result for ${silence / 1000} seconds: does the shuffle loop indefinitely?`), silence);
  };

  answers.onmessage = ({ data }) => { // and not worker.onmessage: typed code could send such messages
    wait(JOB_LATER);
    if (data.error || data.done)
      stop();
    if (data.unread)
      jobUnread(data.unread, (line) => on({ error: line ? `line ${line} of your code: ${data.error}` : data.error }));
    else
      on(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail(event.message);
  };
  worker.postMessage(message, [port]);
  wait(message.job === 'prove' ? JOB_FIRST : JOB_LATER);
  return { stop };
}
