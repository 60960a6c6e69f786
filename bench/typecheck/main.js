// Compares what the type checker does with clients and servers:
// `node typecheck/main.js [--quick]`.
import { runProcess } from "../harness/run-process.js";
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { endWith, isQuick } from "../harness/report.js";
import { runRounds } from "../harness/rounds.js";
import { median, ratio } from "../harness/statistics.js";
import { ridl, toolsIn } from "../generation/tools.js";
import { createWorkspace } from "../generation/workspace.js";
import { measureEditor } from "./editor.js";
import { generated, own } from "./generated.js";
import { check, writeProject } from "./project.js";
import { routers } from "./routers.js";

const rounds = isQuick ? 1 : 7;
/** Subjects that take more CPU seconds run in three rounds. */
const slowSeconds = 10;
const sizes = isQuick ? [60] : [100, 1_000, 3_000];
const largest = sizes.at(-1);
/** How often a program is edited in each of a few rounds in an editor. */
const edits = 10;
const editorRounds = Math.min(rounds, 3);

const say = (text) => console.error(text);
const goals = createGoals();
const [orpc] = routers;

const tables = sizes.flatMap((size) => {
  const projects = createProjects(size, `typecheck-${size}`, [
    ...Object.values(own),
    ...routers,
    ...generated,
  ]);
  return ["5.9", "7"].map((compiler) => ({
    title: `${size} methods, TypeScript ${compiler}`,
    size,
    compiler,
    projects,
    measured: measureChecks(projects, compiler, `${size}, ${compiler}`),
  }));
});
// oRPC publishes figures for a router of this shape.
const small = createProjects(largest, "typecheck-small", [own.both, orpc], {
  perService: 6,
});
tables.push({
  title: `${largest} methods in services of 6, TypeScript 7`,
  compiler: "7",
  measured: measureChecks(small, "7", "services of 6"),
});
const editors = await measureEditors();

/**
 * Returns the project of each subject, with the output of its generator. Input:
 * the number of methods, the name of the workspace, subjects, and the shape of
 * the contract.
 */
function createProjects(size, name, subjects, shape) {
  const workspace = createWorkspace(size, name, shape);
  const tools = toolsIn(workspace);
  const wanted = subjects.filter(
    ({ tool }) =>
      tool === undefined || tools.some((each) => each.name === tool),
  );
  for (const tool of tools) {
    if (wanted.some((each) => each.tool === tool.name)) tool.measure();
  }
  if (wanted.includes(own.javascript)) {
    runProcess(
      ridl("generate", "--force", "--config", "ridl.javascript.yaml"),
      workspace.folder,
    );
  }
  return wanted.map((subject, index) => ({
    subject,
    project: writeProject(workspace, subject, `project${index}`),
  }));
}

function measureChecks(projects, compiler, title) {
  const subjects = projects.map(({ subject, project }) => ({
    name: subject.name,
    // Goals refer to oRPC, so without it there is no report.
    isPeer: subject !== orpc && !Object.values(own).includes(subject),
    measure: () => check(project.folder, compiler),
    roundsFor: ({ cpu }) => (cpu > slowSeconds ? Math.min(rounds, 3) : null),
  }));
  return runRounds(subjects, rounds, (text) => say(`${title}: ${text}`));
}

async function measureEditors() {
  const { projects } = tables.find(({ size }) => size === largest);
  const subjects = projects.filter(({ subject }) =>
    [own.client, own.service, orpc].includes(subject),
  );
  const samples = subjects.map(() => []);
  for (let round = 0; round <= editorRounds; round++) {
    for (const [index, { project }] of subjects.entries()) {
      const sample = await measureEditor(project, edits);
      // The first round warms up.
      if (round > 0) samples[index].push(sample);
    }
    say(`editor: round ${round} of ${editorRounds}`);
  }
  return subjects.map(({ subject }, index) => ({
    name: subject.name,
    samples: samples[index],
  }));
}

function find(measured, { name }) {
  return measured.find((each) => each.name === name).samples;
}

function compare(measured, subject, key) {
  const mine = find(measured, subject);
  const theirs = find(measured, orpc);
  const count = Math.min(mine.length, theirs.length);
  return ratio(mine.slice(0, count), theirs.slice(0, count), key);
}

const at = (size, compiler) =>
  tables.find((each) => each.size === size && each.compiler === compiler)
    .measured;
const [of7, of59] = ["7", "5.9"].map((compiler) => at(largest, compiler));
const ofSmall = tables.at(-1).measured;
const than = `${largest} methods, relative to ${orpc.name}`;
goals.atMost(
  `CPU, client, TypeScript 7, ${than}`,
  compare(of7, own.client, "cpu"),
  0.26,
);
goals.atMost(
  `memory, client, TypeScript 7, ${than}`,
  compare(of7, own.client, "memory"),
  0.35,
);
goals.atMost(
  `CPU, client and server, TypeScript 7, ${than}`,
  compare(of7, own.both, "cpu"),
  0.5,
);
goals.atMost(
  `CPU, client and server, TypeScript 5.9, ${than}`,
  compare(of59, own.both, "cpu"),
  0.9,
);
goals.atMost(
  `CPU, services of 6, ${than}`,
  compare(ofSmall, own.both, "cpu"),
  0.5,
);
goals.atMost(
  `memory, services of 6, ${than}`,
  compare(ofSmall, own.both, "memory"),
  0.6,
);
goals.atMost(
  `first completion, ${than}`,
  compare(editors, own.client, "completion"),
  0.4,
);
goals.atMost(
  `an edit to diagnostics, p95, ${than}`,
  compare(editors, own.client, "slowEdit"),
  0.1,
);

const columns = [
  ["CPU", "cpu", 2, " s"],
  ["time", "wall", 2, " s"],
  ["memory", "memory", 0, " MB"],
  ["types", "types", 0, ""],
  ["instantiations", "instantiations", 0, ""],
];
const editorColumns = [
  ["first completion", "completion", 0, " ms"],
  ["hover", "hover", 0, " ms"],
  ["edit to diagnostics", "edit", 0, " ms"],
  ["p95", "slowEdit", 0, " ms"],
  ["memory", "memory", 0, " MB"],
];

function printTable(measured, shown) {
  const rows = measured.map(({ name, samples, failure }) => {
    const cells =
      samples === null
        ? [`failed: ${failure.split("\n")[1] ?? failure}`]
        : shown.map(
            ([, key, digits, unit]) =>
              `${median(samples.map((each) => each[key])).toFixed(digits)}${unit}`,
          );
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  return `| | ${shown.map(([title]) => title).join(" | ")} |
|${" --- |".repeat(shown.length + 1)}
${rows.join("\n")}`;
}

const report = `# Type checking

${describeMachine()} Each subject is the program of a user who makes three calls, with all that it imports: a
client that was generated, or a router, from whose type the types of the client are computed. "Client and
server" also has a handler for every method, as the routers do. The compiler runs with \`strict\` and
\`skipLibCheck\`. Types and instantiations are what the compiler counted. Figures are medians of ${rounds}
rounds in turns after a warm-up round (three rounds if one takes more than ${slowSeconds} CPU seconds).
${tables
  .map(
    ({ title, measured }) => `
## ${title}

${printTable(measured, columns)}
`,
  )
  .join("")}
## In an editor, ${largest} methods

TypeScript 7's language server, in ${editorRounds} rounds of ${2 * edits} edits. The first completion includes its start and loading
the project. An edit causes a type error or corrects it.

${printTable(editors, editorColumns)}

## Goals

${printGoals(goals.list())}
`;
await endWith("typecheck", report, goals);
