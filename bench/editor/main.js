// Compares language servers: `node editor/main.js [--quick]`. With
// `--only=methods`, `--only=large` or `--only=uses`, it measures one workspace
// and does not update the results.
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine, versionOf } from "../harness/machine.js";
import { endWith, isQuick } from "../harness/report.js";
import { median, p95 } from "../harness/statistics.js";
import { positionOf, startServer } from "./client.js";
import { writeLarge, writeMethods, writeUses } from "./workspaces.js";

const rounds = isQuick ? 1 : 7;
const times = isQuick ? 10 : 100;
const only = process.argv.find((each) => each.startsWith("--only="))?.slice(7);
const workspaces = ["methods", "large", "uses"];
if (only !== undefined && !workspaces.includes(only)) {
  throw new Error(`--only is one of ${workspaces.join(", ")}`);
}
const isWanted = (workspace) => only === undefined || only === workspace;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Returns the path of buf's binary, because the launcher that npm installs would
 * start it in another process.
 */
function findBuf() {
  const { platform, arch } = process;
  const name = `@bufbuild/buf-${platform}-${arch}/package.json`;
  const path = createRequire(import.meta.url).resolve(name);
  return join(dirname(path), "bin/buf");
}

const subjects = [
  {
    name: "ridl",
    key: "ridl",
    command: [process.execPath, here("../../bin/ridl.js"), "lsp"],
    field: /^ {2}- \w+\??: (\w+)$/mu,
  },
  {
    name: `buf ${versionOf("@bufbuild/buf")}`,
    key: "proto",
    command: [findBuf(), "lsp", "serve"],
    field: /^ {2}(\w+) \w+ = \d+;$/mu,
  },
];

const methods = writeMethods(isQuick ? 100 : 1_000);
const large = writeLarge(isQuick ? 1_000 : 50_000);
const uses = writeUses(isQuick ? 100 : 2_000);

const start = (subject, workspace) =>
  startServer({
    command: subject.command,
    folder: workspace.folder,
    file: workspace[subject.key],
  });

/** Returns a function that misspells the type of a field and then corrects it. */
function createTypist(server, { field }) {
  const match = field.exec(server.text);
  const from = match.index + match[0].indexOf(match[1]);
  const wrong = "Nope";
  return async () => [
    await server.edit(from, from + match[1].length, wrong, true),
    await server.edit(from, from + wrong.length, match[1], false),
  ];
}

/**
 * Alternates between edits and requests for completion, hover, and definition at
 * the request types of successive methods.
 */
async function measureSession(server, subject) {
  const type = createTypist(server, subject);
  const places = [...server.text.matchAll(/\((\w+Request)\)/gu)].map(
    ({ index }) => positionOf(server.text, index + 4),
  );
  const samples = { keys: [], completion: [], hover: [], definition: [] };
  for (let index = 0; index < times; index++) {
    samples.keys.push(...(await type()));
    const position = places[index % places.length];
    for (const method of ["completion", "hover", "definition"]) {
      const { answer, ms } = await server.ask(method, { position });
      const isEmpty = (answer?.items ?? answer)?.length === 0;
      if (answer === null || isEmpty) {
        throw new Error(`${subject.name} has no ${method}`);
      }
      samples[method].push(ms);
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([key, values]) => [key, p95(values)]),
  );
}

async function measureKeys(server, subject, count) {
  const type = createTypist(server, subject);
  const samples = [];
  for (let index = 0; index < count; index++) samples.push(...(await type()));
  return p95(samples);
}

async function measureRename(server, expected) {
  const offset = server.text.search(/\bHub\b/u);
  const position = positionOf(server.text, offset + 1);
  const { answer, ms } = await server.ask("rename", {
    position,
    newName: "Axle",
  });
  const edits = [
    ...Object.values(answer?.changes ?? {}),
    ...(answer?.documentChanges ?? []).map((each) => each.edits),
  ].flat();
  if (edits.length < expected) throw new Error(`${edits.length} edits`);
  return ms;
}

async function measure(subject) {
  const figures = {};
  if (isWanted("methods")) {
    const server = await start(subject, methods);
    figures.start = server.readyMs;
    Object.assign(figures, await measureSession(server, subject));
    figures.memory = server.memory();
    await server.stop();
  }
  if (isWanted("large")) {
    const server = await start(subject, large);
    const count = Math.ceil(times / 10);
    figures.largeKeys = await measureKeys(server, subject, count);
    figures.largeMemory = server.memory();
    await server.stop();
  }
  if (isWanted("uses")) {
    const server = await start(subject, uses);
    figures.rename = await measureRename(server, isQuick ? 100 : 2_000);
    await server.stop();
  }
  return figures;
}

const rows = [
  ["start", `start to first diagnostics, ${methods.name}`, 500, " ms"],
  ["keys", `keystroke to diagnostics, p95, ${methods.name}`, 20, " ms"],
  ["largeKeys", `keystroke to diagnostics, p95, ${large.name}`, 150, " ms"],
  ["completion", `completion, p95, ${methods.name}`, 10, " ms"],
  ["hover", `hover, p95, ${methods.name}`, 10, " ms"],
  ["definition", `definition, p95, ${methods.name}`, 10, " ms"],
  ["rename", `rename of ${uses.name}`, 200, " ms"],
  ["memory", `memory, ${methods.name}`, 150, " MB"],
  ["largeMemory", `memory, ${large.name}`, null, " MB"],
];

const samples = subjects.map(() => []);
const [load = 0] = loadavg();
const busyNote =
  load < 1
    ? "The machine was otherwise idle."
    : `The machine was busy (load average ${load.toFixed(1)} before the run), so times are longer than on an idle machine.`;
for (let round = 0; round <= (isQuick ? 0 : rounds); round++) {
  for (const [index, subject] of subjects.entries()) {
    const figures = await measure(subject);
    // The first round warms up.
    if (round > 0 || isQuick) samples[index].push(figures);
  }
  console.error(`round ${round} of ${rounds}`);
}

const goals = createGoals();
const measured = rows.filter(([key]) => Object.hasOwn(samples[0][0], key));
const table = measured.map(([key, title, limit, unit]) => {
  const [own, other] = samples.map((each) =>
    median(each.map((one) => one[key])),
  );
  if (limit !== null && !isQuick) {
    goals.atMost(title, own, limit, unit);
    const ratios = samples[0].map(
      (one, index) => one[key] / samples[1][index][key],
    );
    goals.atMost(`${title}, relative to buf`, median(ratios), 0.7);
  }
  const show = (value) => `${value.toFixed(1)}${unit}`;
  return `| ${title} | ${show(own)} | ${show(other)} |`;
});
const report = `# Language servers

${describeMachine()} Both servers get the same contract, one in RIDL and the other in Protocol Buffers. Each runs in its
own process and is reached over standard input and output. A keystroke misspells the type of a field or
corrects it. Its time ends when the server has published the document's new diagnostics. At 1,000 methods,
each pair of keystrokes is followed by requests for a completion, a hover, and a definition. Figures are
medians of ${rounds} runs after a warm-up run. Ratios are medians of the ratios within each run. ${busyNote}

| | ${subjects.map(({ name }) => name).join(" | ")} |
| --- | --- | --- |
${table.join("\n")}

## Goals

${printGoals(goals.list())}
`;
await endWith("editor", report, goals, !isQuick && only === undefined);
