import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { isLong } from "../../support/draw-some.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { createClock } from "./stream-server.js";

const count = isLong ? 100_000 : 40_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the heap memory in use after garbage collection, in MiB. */
function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

it(`a stream needs no more memory for ${count} items than for a few`, async () => {
  const text = "x".repeat(400);
  let sent = 0;
  let mostAhead = 0;
  const clock = createClock(async function* () {
    for (; sent < count; sent += 1) yield { n: sent, text };
  });
  const { url } = await listenForTest(createServer(toNodeHandler(clock)));
  const watch = stream<{}, { n: number }, never>("/rpc/Clock/Watch");
  const options = { baseUrl: url };

  const samples: number[] = [];
  let next = 0;
  for await (const { n } of openStream(options, watch)) {
    if (n !== next) expect(n).toBe(next);
    next += 1;
    mostAhead = Math.max(mostAhead, sent - next);
    // Read more slowly than the server can send.
    if (next % 500 === 0) await new Promise((go) => setTimeout(go, 1));
    if (next % (count / 5) === count / 10) samples.push(heapMegabytes());
  }

  expect(next).toBe(count);
  expect(mostAhead).toBeLessThan(count / 2);
  expect(samples).toHaveLength(5);
  const [, ...later] = samples;
  expect(Math.max(...later) - Math.min(...later)).toBeLessThan(4);
});
