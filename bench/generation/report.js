import { drawChart } from "../harness/chart.js";
import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { median, ratio, spread } from "../harness/statistics.js";
import { baseline, ownSubject, slowRounds, slowSeconds } from "./tools.js";

/** Prints all measurements as Markdown. */
export function printReport(measured) {
  const { tables, changes, watch, compiled, huge } = measured;
  return `# Generation

${describeMachine()} CPU is the user and system time of the process and all its child processes.
Figures are medians of ${measured.rounds} rounds after a warm-up round, with the tools taking turns. A tool that
takes more than ${slowSeconds} s of CPU time runs in only ${slowRounds} rounds, as noted next to its name, unless a goal below refers to it. ± is half
of the interquartile range, as a percentage of the median. Ratios are relative to ${baseline}, and
are medians of the ratios within each round. Peak memory is that of the largest Node process.

${tables.map((table) => printTable(table, measured.rounds)).join("\n\n")}

## Repeated runs of ${ownSubject}

| | CPU | wall |
| --- | --- | --- |
${[
  ...changes.unchanged.map(({ size, samples }) =>
    row(`nothing changed, ${size} methods`, samples),
  ),
  row(
    `one field of a struct added or removed, ${changes.edited.size} methods`,
    changes.edited.samples,
  ),
  `| \`--watch\`, ${watch.size} methods, save to disk | | ${median(watch.samples).toFixed(0)} ms |`,
  row(
    `everything generated, ${huge.size} methods and ${huge.size * 2} structs, a single run (peak memory ${huge.sample.peak.toFixed(0)} MB)`,
    [huge.sample],
  ),
].join("\n")}

Files written after the last edit: ${changes.edited.touched.map((path) => `\`${path}\``).join(", ")}.

## Checking the output with TypeScript, ${measured.compiledSize} methods

Cost of \`tsc --strict\`, which also checks declaration files, except those of TypeScript's own library. The
benchmark first ran the JavaScript to verify that each file has all declared exports, that the TypeScript
has the same exports, and that each server method rejects an invalid request.

| | CPU | ratio |
| --- | --- | --- |
${compiled
  .map(
    ({ name, samples }) =>
      `| ${name} | ${seconds(samples, "cpu")} | ${ratio(samples, compiled[0].samples, "cpu").toFixed(2)} |`,
  )
  .join("\n")}

## Goals

${printGoals(measured.goals)}
`;
}

function printTable({ size, measured }, rounds) {
  const reference = measured.find(({ name }) => name === baseline).samples;
  const rows = measured.map(({ name, version, makes, samples, failure }) => {
    const title = `${name} ${version}`;
    if (samples === null) {
      return `| ${title} | ${makes} | failed: ${failure.split("\n")[0]} | | | |`;
    }
    const fewer = samples.length < rounds ? `, ${samples.length} rounds` : "";
    const peak = median(samples.map((each) => each.peak)).toFixed(0);
    return `| ${title}${fewer} | ${makes} | ${seconds(samples, "cpu")} | ${ratio(samples, reference, "cpu").toFixed(2)} | ${seconds(samples, "wall")} | ${peak} MB | ${ratio(samples, reference, "peak").toFixed(2)} |`;
  });
  return `## ${size} methods

| | emits | CPU | CPU ratio | wall | peak | peak ratio |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}`;
}

function row(name, samples) {
  return `| ${name} | ${seconds(samples, "cpu")} | ${seconds(samples, "wall")} |`;
}

function seconds(samples, key) {
  const values = samples.map((each) => each[key]);
  const middle = median(values);
  const digits = middle < 0.5 ? 3 : 2;
  const share = Math.round(spread(values) * 100);
  return `${middle.toFixed(digits)} s ±${share}%`;
}

/** Draws the CPU time of every tool at every size. */
export function drawGeneration(tables) {
  return drawChart(
    "CPU seconds to generate a tool's complete output",
    groupsOf(tables),
  );
}

/**
 * Returns the figures of the chart at 1,000 methods, the most informative size,
 * or at the largest size if 1,000 methods were not measured.
 */
export function headlineOf(tables) {
  const [table] = tables.filter(({ size }) => size === 1_000);
  return groupsOf(table === undefined ? tables.slice(-1) : [table]).map(
    ({ name, bars }) => ({
      name: `CPU to generate a tool's complete output, ${name}`,
      bars,
    }),
  );
}

function groupsOf(tables) {
  return tables.map(({ size, measured }) => ({
    name: `${size} methods`,
    bars: measured
      .filter(({ samples }) => samples !== null)
      .map(({ name, makes, samples }) => {
        const value = median(samples.map(({ cpu }) => cpu));
        return {
          name,
          value,
          label: `${value.toFixed(2)} s: ${name === ownSubject ? "everything" : makes}`,
          isOwn: name === ownSubject,
        };
      }),
  }));
}
