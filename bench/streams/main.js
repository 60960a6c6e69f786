// Measures what an item costs for each subscriber of a stream: `node streams/main.js
// [--quick]`.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleServer } from "../harness/bundle-server.js";
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { endWith, isQuick } from "../harness/report.js";
import { median, p99, ratio } from "../harness/statistics.js";

const sizes = isQuick ? [50] : [1_000, 5_000];
const rounds = isQuick ? 1 : 9;
const items = isQuick ? 5 : 30;
/** Items of the first connections, which are not counted: V8 compiles then. */
const warmUpItems = isQuick ? 1 : 10;
const source = fileURLToPath(new URL("server.js", import.meta.url));

const ridl = `webrpc = v1

name = chat
version = v1.0.0

service Chat
  - Follow() => stream (id: uint64, from: string, text: string, sentAt: timestamp)
`;

const message = {
  from: "ada",
  text: "The engine weaves algebraical patterns, as the loom weaves flowers.",
  sentAt: "1843-09-05T12:00:00.000Z",
};

const ask = [
  "POST /rpc/Chat/Follow HTTP/1.1",
  "Host: 127.0.0.1",
  "Content-Type: application/json",
  "Content-Length: 2",
  "",
  "{}",
].join("\r\n");

/** Counts the items that all subscribers have got. */
class Arrivals {
  #left = 0;
  #done = () => {};
  #since = 0;
  delaysMs = [];

  /** Resolves when `count` more items have arrived. */
  expect(count) {
    this.#left = count;
    this.#since = performance.now();
    return new Promise((resolve) => (this.#done = resolve));
  }

  add() {
    this.delaysMs.push(performance.now() - this.#since);
    this.#left -= 1;
    if (this.#left === 0) this.#done();
  }
}

/** Opens a subscription, and resolves when the response has begun. */
function subscribe(port, arrivals) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(ask));
    socket.on("error", reject);
    socket.on("data", (data) => {
      resolve();
      // An item has one `sentAt`, and is sent as a whole.
      if (data.includes('"sentAt"')) arrivals.add();
    });
  });
}

/** Measures one server with a number of subscribers. */
async function measure(program, subject, size) {
  const child = spawn(process.execPath, ["--expose-gc", program, subject], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    const used = async (resource) => {
      child.stdin.write(`${resource}\n`);
      return Number((await lines.next()).value);
    };
    const arrivals = new Arrivals();
    const open = async (count) => {
      for (let left = count; left > 0; left -= 50) {
        const some = Array.from({ length: Math.min(left, 50) }, () =>
          subscribe(port, arrivals),
        );
        await Promise.all(some);
      }
    };
    const publish = async (count, subscribers) => {
      for (let i = 0; i < count; i++) {
        const arrived = arrivals.expect(subscribers);
        child.stdin.write(`${JSON.stringify(message)}\n`);
        await arrived;
      }
    };
    // The first connections allocate shared state, so they are not counted.
    await open(50);
    await publish(warmUpItems, 50);
    const empty = await used("memory");
    await open(size - 50);
    await sleep(500);
    const full = await used("memory");
    await publish(warmUpItems, size);
    arrivals.delaysMs = [];
    const before = await used("cpu");
    await publish(items, size);
    const after = await used("cpu");
    return {
      micros: (after - before) / items / size,
      delayMs: p99(arrivals.delaysMs),
      kilobytes: (full - empty) / Math.max(1, size - 50) / 1024,
    };
  } finally {
    child.kill();
  }
}

const program = await bundleServer("streams", source, ridl);
const goals = createGoals();
const rows = [];
for (const size of sizes) {
  const samples = { ridlkit: [], "by hand": [] };
  for (let round = 0; round < rounds; round++) {
    for (const [subject, own] of Object.entries(samples)) {
      own.push(await measure(program, subject, size));
    }
    console.error(`${size} subscribers: round ${round + 1} of ${rounds}`);
  }
  const { ridlkit, "by hand": byHand } = samples;
  const of = (key) => ratio(ridlkit, byHand, key);
  const name = `${size.toLocaleString("en")} subscribers`;
  goals.atMost(
    `CPU of an item, ${name}, of a stream by hand`,
    of("micros"),
    1.5,
  );
  const kilobytes = median(ridlkit.map((each) => each.kilobytes));
  goals.atMost(`memory of a subscriber, ${name}`, kilobytes, 22, " kB");
  for (const [subject, own] of Object.entries(samples)) {
    const middle = (key, digits) =>
      median(own.map((each) => each[key])).toFixed(digits);
    rows.push(
      `| ${name}, ${subject} | ${middle("micros", 1)} µs | ${middle("delayMs", 1)} ms | ${middle("kilobytes", 1)} kB |`,
    );
  }
}

const report = `# Streams

${describeMachine()} A server sends items to its subscribers, one after another: a generated server with \`streamLog\` on \`node:http\`, and a stream by hand on \`node:http\`, which validates nothing and waits for nobody. CPU is that of the server for each item and subscriber, the delay is the time until an item has arrived, and memory is what a subscriber adds to the process (RSS). Figures are medians of ${rounds} runs in turns.

| server | CPU | delay, p99 | memory |
| --- | --- | --- | --- |
${rows.join("\n")}

## Goals

${printGoals(goals.list())}
`;
await endWith("streams", report, goals);
