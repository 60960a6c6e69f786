import { isDeepStrictEqual } from "node:util";
import { createRandom } from "../harness/random.js";
import { handlers } from "./contract/messages.js";
import { ask, openLoad } from "./load.js";
import { requestBytes } from "./request.js";

/**
 * Measures one round, which loads a server for a while.
 *
 * Returns the CPU microseconds of its process per request, and the 99th
 * percentile of the latency in milliseconds.
 */
async function measureOnce(server, request, ms, warmCount, warmMs) {
  const load = await openLoad({ port: server.port, ...request });
  try {
    await sendAtLeast(load, warmCount, warmMs);
    const before = await server.usage();
    const { count, latencies } = await load.run(ms);
    const after = await server.usage();
    latencies.sort((left, right) => left - right);
    return {
      cpu: ((after.cpu - before.cpu) / count) * 1e6,
      p99: latencies[Math.floor(latencies.length * 0.99)],
    };
  } finally {
    load.close();
  }
}

/**
 * Sends requests until the wanted number has been answered or a time limit is
 * reached.
 */
export async function sendAtLeast(load, wanted, maxMs = 3_000) {
  const end = performance.now() + maxMs;
  for (let count = 0; count < wanted && performance.now() < end;) {
    count += (await load.run(30)).count;
  }
}

/**
 * Measures several requests in turn, round by round, in a different order each
 * time, because earlier load affects later measurements. The first round warms
 * up and is not counted.
 *
 * Input: subjects with a `server` and a `request`.
 * Returns the samples of each, in the same order.
 */
export async function measureInTurn(
  subjects,
  { rounds, ms, warmCount, warmMs },
) {
  const samples = subjects.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const index of orderOf(subjects.length, round)) {
      const { server, request } = subjects[index];
      const sample = await measureOnce(
        server,
        request,
        ms,
        round === 0 ? warmCount : 1,
        warmMs,
      );
      if (round > 0) samples[index].push(sample);
    }
  }
  return samples;
}

/**
 * Returns indexes in an order that differs between rounds but not between runs.
 */
export function orderOf(length, round) {
  const { below } = createRandom(round);
  const rest = Array.from({ length }, (_, index) => index);
  return Array.from(
    { length },
    (_, at) => rest.splice(below(length - at), 1)[0],
  );
}

/** Returns the request of a cell in the form that a subject expects. */
export function requestOf(subject, { method, message, connections }) {
  const body = JSON.stringify(subject.wrap(message));
  const bytes = requestBytes(subject.paths[method], body);
  return { bytes, connections, status: 200 };
}

/**
 * Checks a response. Errors: throws if the status is not 200, or if any byte
 * differs from the expected response or, for subjects with `isDeepEqual`, any
 * value.
 */
export async function checkAnswer(subject, server, cell) {
  const { bytes } = requestOf(subject, cell);
  const { status, text } = await ask(server.port, bytes);
  const expected = JSON.stringify(handlers[cell.method](cell.message));
  const answer = subject.unwrap(JSON.parse(text()));
  const isRight = subject.isDeepEqual
    ? isDeepStrictEqual(answer, JSON.parse(expected))
    : JSON.stringify(answer) === expected;
  if (status === 200 && isRight) return;
  throw new Error(`${subject.name} answers ${status}: ${text().slice(0, 300)}`);
}
