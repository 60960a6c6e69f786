// Compares generators: `node generation/main.js [--quick]`.
import { createGoals } from "../harness/goals.js";
import { writeHeadline } from "../harness/headline.js";
import { endWith, isQuick, writeChart } from "../harness/report.js";
import { runRounds } from "../harness/rounds.js";
import { measureChanges } from "./changes.js";
import { compile } from "./compile.js";
import { generateJavaScript } from "./javascript.js";
import { drawGeneration, headlineOf, printReport } from "./report.js";
import { baseline, ownSubject, toolsIn } from "./tools.js";
import { measureWatch } from "./watch.js";
import { createWorkspace, javascriptOutput } from "./workspace.js";
import { median, ratio } from "../harness/statistics.js";

const rounds = isQuick ? 2 : 7;
/**
 * `--sizes=10,100` measures only these sizes, because the larger ones are slow,
 * and leaves the results as they are.
 */
const wanted = process.argv.find((each) => each.startsWith("--sizes="));
const sizes =
  wanted === undefined
    ? isQuick
      ? [10]
      : [10, 100, 1_000, 5_000]
    : wanted.slice("--sizes=".length).split(",").map(Number);
const changed = isQuick ? [100] : sizes.filter((size) => size >= 1_000);
/** The size at which editing and watching are measured. */
const middle = isQuick ? 100 : 1_000;
/** The size at which TypeScript checks the output. */
const compiledSize = 100;
/**
 * The number of methods in the largest contract. Each method has two structs.
 */
const largest = isQuick ? 500 : 10_000;

const say = (text) => console.error(text);
const goals = createGoals();

const tables = sizes.map((size) => {
  const workspace = createWorkspace(size);
  const tools = toolsIn(workspace);
  const measured = runRounds(tools, rounds, (text) =>
    say(`${size} methods: ${text}`),
  );
  return { size, tools, measured: withSamples(measured, tools) };
});

function withSamples(measured, tools) {
  return measured.map((each, index) => ({ ...tools[index], ...each }));
}

for (const { size, measured } of tables) {
  const [mine, theirs] = [ownSubject, baseline].map(
    (name) => measured.find((each) => each.name === name).samples,
  );
  const times = (kind) => `${kind} at ${size} methods, relative to ${baseline}`;
  goals.atMost(
    times("CPU"),
    ratio(mine, theirs, "cpu"),
    size === 10 ? 0.7 : 0.5,
  );
  goals.atMost(
    times("peak memory"),
    ratio(mine, theirs, "peak"),
    size < 1_000 ? 1 : 0.8,
  );
}
const cpuAt = (size) =>
  median(
    tables
      .find((table) => table.size === size)
      .measured.find(({ name }) => name === ownSubject)
      .samples.map(({ cpu }) => cpu),
  );
if (sizes.includes(1_000) && sizes.includes(5_000)) {
  goals.atMost(
    "growth of CPU from 1000 to 5000 methods",
    cpuAt(5_000) / cpuAt(1_000),
    5,
    " times",
  );
}

const changes = measureChanges(changed, middle, rounds, goals, say);
const watch = await measureWatch(middle, rounds, goals, say);
const compiled = measureCompile();
const huge = measureLargest();

/**
 * Compares `tsc` on our output with `tsc` on the baseline's. The declaration
 * files of ridlkit and the baseline are checked, too.
 */
function measureCompile() {
  const workspace = createWorkspace(compiledSize, "compile");
  const tools = toolsIn(workspace).filter(({ name }) =>
    [ownSubject, baseline].includes(name),
  );
  for (const tool of tools) tool.measure();
  generateJavaScript(workspace);
  const subjects = [
    { name: baseline, include: ["openapi-typescript/**/*.ts"] },
    {
      name: `${ownSubject}, what a client imports`,
      include: ["ridlkit/index.ts"],
    },
    {
      name: `${ownSubject}, everything, JavaScript with declarations`,
      include: [`${javascriptOutput}/**/*.ts`],
    },
    {
      name: `${ownSubject}, everything, TypeScript`,
      include: ["ridlkit/**/*.ts"],
    },
  ].map(({ name, include }) => ({
    name,
    measure: () => compile(workspace.folder, include, true),
  }));
  const measured = runRounds(subjects, rounds, (text) => say(`tsc: ${text}`));
  const [theirs, clients, declared] = measured.map(({ samples }) => samples);
  const cost = (what) =>
    `CPU of tsc on ${what} at ${compiledSize} methods, relative to ${baseline}`;
  goals.atMost(cost("types and client"), ratio(clients, theirs, "cpu"), 1.15);
  goals.atMost(
    cost("everything as JavaScript with declarations"),
    ratio(declared, theirs, "cpu"),
    1.15,
  );
  return measured;
}

/** Generates the largest contract and checks that the output is complete. */
function measureLargest() {
  say(`${largest} methods`);
  const workspace = createWorkspace(largest, "largest");
  const [mine] = toolsIn(workspace);
  const sample = mine.measure();
  mine.check();
  return { size: largest, sample };
}

// TypeScript output must compile. Only small sizes are compiled, because
// compiling the largest takes minutes.
const compiledTables = tables.filter(
  ({ size }) => size <= (isQuick ? 10 : 100),
);
for (const { size, tools } of compiledTables) {
  for (const { name, output, folder } of tools) {
    if (name === "TypeSpec") continue;
    const failed = tables.some(({ measured }) =>
      measured.some((each) => each.name === name && each.samples === null),
    );
    if (failed) continue;
    compile(folder, [`${output}/**/*.ts`]);
    say(`${name} compiles at ${size} methods`);
  }
}

const report = printReport({
  tables,
  changes,
  watch,
  compiled,
  huge,
  rounds,
  compiledSize,
  goals: goals.list(),
});
const isComplete = !isQuick && wanted === undefined;
if (await endWith("generation", report, goals, isComplete)) {
  writeChart("generation", drawGeneration(tables));
  writeHeadline("generation", headlineOf(tables));
}
