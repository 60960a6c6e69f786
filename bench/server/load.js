import { connect } from "node:net";

/**
 * Sends the same request repeatedly over connections that stay open. Each
 * connection sends the next request after the previous response.
 *
 * Input: the port, the bytes of the request, the number of connections, and the
 * expected status. Returns two functions. `run(ms)` loads the server for that
 * long and returns the number of answered requests and the duration of each in
 * milliseconds. `close()` ends the connections.
 * Errors: rejects if the port cannot be reached. `run` rejects if a status
 * differs, or if a connection breaks or is silent for a minute.
 */
export async function openLoad({ port, bytes, connections, status }) {
  const lines = await Promise.all(
    Array.from({ length: connections }, () => openLine(port, bytes, status)),
  );
  return {
    run: async (ms) => {
      const end = performance.now() + ms;
      const stayAwake = () => {
        if (performance.now() < end) setImmediate(stayAwake);
      };
      stayAwake();
      const runs = await Promise.all(lines.map((line) => line.run(end)));
      const latencies = runs.flat();
      return { count: latencies.length, latencies };
    },
    close: () => lines.forEach((line) => line.close()),
  };
}

/** Sends one request. Returns the status, head and body of the response. */
export async function ask(port, bytes) {
  const line = await openLine(port, bytes, null);
  try {
    return await line.ask();
  } finally {
    line.close();
  }
}

/** A connection breaks if the server sends nothing for that long. */
const silenceMs = 60_000;

async function openLine(port, bytes, status) {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.setTimeout(silenceMs, () => socket.destroy());
  await new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const reader = new AnswerReader();
  let onAnswer = () => {};
  let onLost = () => {};
  socket.on("data", (chunk) => {
    if (reader.take(chunk)) onAnswer(reader.finish());
  });
  for (const event of ["error", "close"]) {
    socket.on(event, () => onLost(new Error("the connection broke")));
  }
  const ask = () =>
    new Promise((resolve, reject) => {
      onAnswer = resolve;
      onLost = reject;
      socket.write(bytes);
    });
  const run = (end) =>
    new Promise((resolve, reject) => {
      const latencies = [];
      let sent = performance.now();
      onLost = reject;
      onAnswer = (answer) => {
        if (answer.status !== status) {
          reject(new Error(`answered ${answer.status}, not ${status}`));
          return;
        }
        const now = performance.now();
        latencies.push(now - sent);
        if (now >= end) return resolve(latencies);
        sent = now;
        socket.write(bytes);
      };
      socket.write(bytes);
    });
  return { ask, run, close: () => socket.destroy() };
}

/** Reads responses one after another. */
class AnswerReader {
  #chunks = [];
  #size = 0;
  /** The head of the response, once it has arrived. */
  #head = null;

  /** Adds a chunk. Returns whether the response is now complete. */
  take(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#head ??= readHead(this.#whole());
    if (this.#head === null) return false;
    const { start, length } = this.#head;
    return length === null
      ? this.#whole().subarray(-5).equals(lastChunk)
      : this.#size >= start + length;
  }

  /** Returns the complete response. Its body is created when it is read. */
  finish() {
    const chunks = this.#chunks;
    const { start, status, length, head } = this.#head;
    this.#chunks = [];
    this.#size = 0;
    this.#head = null;
    return {
      status,
      head,
      text: () => {
        const body = Buffer.concat(chunks).subarray(start);
        return (length === null ? withoutChunks(body) : body).toString();
      },
    };
  }

  #whole() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Returns the head, its status, and the start and length of the body. The length
 * is null if the body is chunked.
 */
function readHead(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = bytes.latin1Slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/iu.exec(head)?.[1];
  return {
    head,
    status: Number(head.slice(9, 12)),
    start: end + 4,
    length: length === undefined ? null : Number(length),
  };
}

function withoutChunks(bytes) {
  const parts = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.latin1Slice(at, line), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
