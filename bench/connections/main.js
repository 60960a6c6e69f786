// Measures what connections cost a server: `node connections/main.js [--quick]`.
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleServer } from "../harness/bundle-server.js";
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { endWith, isQuick } from "../harness/report.js";
import { median } from "../harness/statistics.js";

const count = isQuick ? 100 : 2_000;
const rounds = isQuick ? 1 : 3;
const restMs = isQuick ? 1_000 : 25_000;
const source = fileURLToPath(new URL("server.js", import.meta.url));

const ridl = `webrpc = v1

name = clocks
version = v1.0.0

service Clocks
  - Now() => (time: string)
  - Watch() => stream (time: string)
`;

/**
 * Measures connections. Returns the bytes that each one adds, and its CPU
 * microseconds per second while idle.
 */
async function measure(program, path) {
  const child = spawn(process.execPath, ["--expose-gc", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const port = Number((await lines.next()).value);
  const usage = async () => {
    child.stdin.write("\n");
    return JSON.parse((await lines.next()).value);
  };
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  try {
    // The first connections allocate shared state, so they are not counted.
    await Promise.all(
      Array.from({ length: 50 }, () => open(port, path, agent)),
    );
    await sleep(500);
    const before = await usage();
    const opened = [];
    for (let i = 0; i < count; i += 50) {
      const some = Array.from({ length: 50 }, () =>
        open(port, path, new Agent({ keepAlive: true })),
      );
      opened.push(...(await Promise.all(some)));
    }
    await sleep(500);
    const full = await usage();
    await sleep(restMs);
    const later = await usage();
    return {
      bytes: (full.rss - before.rss) / opened.length,
      cpuMicros:
        ((later.cpu - full.cpu) * 1e6) / opened.length / (restMs / 1000),
    };
  } finally {
    child.kill();
    agent.destroy();
  }
}

/**
 * Sends a request over a connection that stays open, and resolves with the
 * first chunk of the response.
 */
function open(port, path, agent) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      headers,
      agent,
    };
    const sent = request(options, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`answered ${response.statusCode}`));
      response.once("data", resolve);
      response.resume();
      // The server is killed at the end.
      response.on("error", () => {});
    });
    sent.on("error", reject);
    sent.end("{}");
  });
}

const program = await bundleServer("connections", source, ridl);
const kinds = [
  { name: "kept alive after a response", path: "/rpc/Clocks/Now" },
  { name: "silent stream", path: "/rpc/Clocks/Watch" },
];
const goals = createGoals();
const rows = [];
for (const { name, path } of kinds) {
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    samples.push(await measure(program, path));
    console.error(`${name}: round ${round + 1} of ${rounds}`);
  }
  const kilobytes = median(samples.map(({ bytes }) => bytes)) / 1024;
  const micros = median(samples.map(({ cpuMicros }) => cpuMicros));
  goals.atMost(`memory of a connection, ${name}`, kilobytes, 100, " kB");
  rows.push(
    `| ${name} | ${kilobytes.toFixed(1)} kB | ${micros.toFixed(1)} µs |`,
  );
}
const report = `# Connections

${describeMachine()} The benchmark runs a generated server on \`node:http\` with ${count} connections. Memory is what each
connection adds to the process (RSS) after garbage collection. CPU is the CPU time that each idle connection uses per second. Figures are medians of ${rounds} runs.

| connection | memory | CPU per second |
| --- | --- | --- |
${rows.join("\n")}

## Goals

${printGoals(goals.list())}
`;
await endWith("connections", report, goals);
