// Compares servers on Node, Bun, Deno and workerd: `node hosts/main.js [--quick]`.
// It reads CPU time and memory from `/proc`, so it needs Linux.
import { createGoals } from "../harness/goals.js";
import { endWith, isQuick } from "../harness/report.js";
import { median, ratio } from "../harness/statistics.js";
import { measureInTurn } from "../server/measure.js";
import { cells, check } from "./cells.js";
import { measureColdStarts, ownName } from "./cold-start.js";
import { generate } from "./generate.js";
import { bundleFor, withServers } from "./host-process.js";
import { hosts } from "./hosts.js";
import { printReport } from "./report.js";
import { names, programs } from "./subjects.js";

const plan = isQuick
  ? { rounds: 1, ms: 20, warmCount: 50 }
  : // JavaScriptCore compiles large programs only after so many requests.
    { rounds: 9, ms: 150, warmCount: 40_000, warmMs: 10_000 };
const say = (text) => console.error(text);
const goals = createGoals();

/** Measures the programs of a host. Returns a table for each cell. */
async function measureHost({ host, subjects }) {
  const folders = [];
  for (const subject of subjects) {
    const label = `${host.name} ${subject.name}`;
    const { folder } = await bundleFor(host, label, subject.source);
    folders.push(folder);
  }
  return withServers(host, folders, async (servers) => {
    const started = subjects.map((subject, index) => ({
      subject,
      server: servers[index],
    }));
    const measured = [];
    for (const cell of cells) {
      const asked = started.filter(
        ({ subject }) => cell.method in subject.paths,
      );
      measured.push({ host, cell, rows: await measureCell(cell, asked) });
    }
    return measured;
  });
}

async function measureCell(cell, asked) {
  for (const { subject, server } of asked) await check(subject, server, cell);
  const { connections, warmCount = plan.warmCount } = cell;
  const samples = await measureInTurn(
    asked.map(({ subject, server }) => {
      const bytes = cell.bytesFor(subject);
      return { server, request: { bytes, connections, status: 200 } };
    }),
    { ...plan, warmCount },
  );
  return asked.map(({ subject, server }, index) => ({
    subject,
    samples: samples[index],
    peak: server.usage().peak,
  }));
}

if (process.platform !== "linux") {
  console.log("NOT RUN: the benchmark of hosts. It needs Linux.");
  process.exit();
}
generate();
const tables = [];
for (const program of programs) {
  say(program.host.name);
  tables.push(...(await measureHost(program)));
}

say("starts");
const starts = await measureColdStarts(plan.rounds);

/** Declares the least capacity of a program, relative to another on its host. */
function atLeast(host, own, other, limits) {
  for (const [cellName, limit] of Object.entries(limits)) {
    const { rows } = tables.find(
      (table) => table.host === host && table.cell.name === cellName,
    );
    const samplesOf = (name) =>
      rows.find(({ subject }) => subject.name === name).samples;
    goals.atLeast(
      `capacity, ${host.name}, ${cellName}: ${own}, relative to ${other}`,
      ratio(samplesOf(other), samplesOf(own), "cpu"),
      limit,
    );
  }
}

const small = "small call";
const items = "10 items";
const get = "GET with a query";
const upload = "upload of 10 MB";
const stream = "stream of 1,000 items";
const { bun, deno, node, workerd } = hosts;
const { own, ownRequests, hono, honoRequests, elysia } = names;
atLeast(bun, own, hono, {
  [small]: 1,
  [items]: 1.25,
  [get]: 0.95,
  [upload]: 0.85,
  [stream]: 0.45,
});
atLeast(bun, ownRequests, honoRequests, { [small]: 0.95, [items]: 0.95 });
atLeast(bun, own, elysia, { [small]: 0.88, [items]: 1.07 });
atLeast(deno, own, hono, {
  [small]: 1,
  [items]: 1.15,
  [get]: 0.85,
  [upload]: 0.9,
  [stream]: 0.5,
});
atLeast(deno, ownRequests, honoRequests, { [small]: 0.95, [items]: 0.95 });
atLeast(workerd, own, hono, {
  [small]: 0.6,
  [items]: 0.9,
  [get]: 0.7,
  [upload]: 0.5,
  [stream]: 0.6,
});
const { nodeHttp, listener, honoAppListener, honoOnNode } = names;
atLeast(node, listener, nodeHttp, { [small]: 0.9, [items]: 0.9 });
atLeast(node, honoAppListener, nodeHttp, { [small]: 0.84, [items]: 0.87 });
atLeast(node, listener, honoOnNode, {
  [get]: 1,
  [upload]: 1,
  [stream]: 0.85,
});

for (const host of [node, bun, workerd]) {
  const [ours, ...peers] = starts.filter((each) => each.host === host);
  const medianOf = ({ samples }) => median(samples.map(({ ms }) => ms));
  const next = peers.reduce((best, each) =>
    medianOf(each) < medianOf(best) ? each : best,
  );
  goals.atMost(
    `start, ${host.name}: ${ownName}, relative to ${next.name}`,
    ratio(ours.samples, next.samples, "ms"),
    host === node ? 0.7 : 1,
  );
}
const [ours] = starts;
goals.atMost("server bundle, 40 methods, Node", ours.size / 1000, 30, " kB");

const report = printReport({
  tables,
  starts,
  rounds: plan.rounds,
  goals: goals.list(),
});
await endWith("hosts", report, goals);
