import { drawChart } from "../harness/chart.js";
import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { median, ratio, spread } from "../harness/statistics.js";
import { baseline, subjects } from "./subjects/index.js";

/** Everything that was measured, as Markdown. */
export function printReport({ tables, memory, refused, rounds, goals }) {
  return `# Servers

${describeMachine()} Each server is a process of its own; one process sends the requests, over connections that stay open, and never sleeps, so that no server pays for waking it up. CPU is that of the server's process for a request, user and system; capacity is 1 / CPU. Medians of ${rounds} rounds after one to warm up, the servers in turn; ± is half of the distance between the quartiles. Ratios are medians of the ratios within a round. Answers are compared byte for byte, or as values where the wire has them in another order. An answer to \`GetOrders\` has 34 fields an order; \`GetPrice\` takes two fields and gives three.

| server | version | does |
| --- | --- | --- |
${subjects
  .map(
    ({ name, version, features }) => `| ${name} | ${version} | ${features} |`,
  )
  .join("\n")}

${tables.map(printTable).join("\n\n")}

## Peak memory after the same requests of all these kinds, in a new process

| server | MB |
| --- | --- |
${memory.map((samples, index) => `| ${subjects[index].name} | ${peakOf(samples)} |`).join("\n")}

## Requests that ridlkit refuses, native adapter

${refused.map(printRefusals).join("\n\n")}

## Goals

${printGoals(goals)}
`;
}

function printTable({ cell, rows }) {
  const bare = rows.find(({ subject }) => subject.name === baseline).samples;
  const lines = rows.map(({ subject, samples }) => {
    const capacity = ratio(bare, samples, "cpu").toFixed(2);
    const p99 = median(samples.map((each) => each.p99));
    return `| ${subject.name} | ${cost(samples)} | ${capacity} | ${p99.toFixed(2)} ms |`;
  });
  return `## ${cell.name}

| server | CPU | capacity, of ${baseline} | p99 |
| --- | --- | --- | --- |
${lines.join("\n")}`;
}

function printRefusals({ name, rows }) {
  const [valid] = rows;
  const lines = rows.map(
    ({ name: kind, status, samples }) =>
      `| ${kind} | ${status} | ${cost(samples)} | ${ratio(samples, valid.samples, "cpu").toFixed(2)} |`,
  );
  return `| ${name} | status | CPU | ratio |
| --- | --- | --- | --- |
${lines.join("\n")}`;
}

function cost(samples) {
  const values = samples.map(({ cpu }) => cpu);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(1)} µs ±${share} %`;
}

function peakOf(samples) {
  const values = samples.map(({ peak }) => peak);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(0)} ±${share} %`;
}

/** Capacity of every server in every cell. */
export function drawServers(tables) {
  return drawChart(
    `Capacity of servers, of bare ${baseline}`,
    tables.map(({ cell, rows }) => ({
      name: cell.name,
      bars: rows.map(({ subject, samples }) => {
        const bare = rows.find((row) => row.subject.name === baseline).samples;
        const value = ratio(bare, samples, "cpu");
        return {
          name: subject.name,
          value,
          label: value.toFixed(2),
          isOurs: subject.name.startsWith("ridlkit"),
        };
      }),
    })),
  );
}

/** What a request costs, in the cells that say most. */
export function headlineOf(tables) {
  return tables.slice(0, 1).map(({ cell, rows }) => ({
    name: `CPU of a request, of ${baseline}'s: ${cell.name}`,
    bars: rows.map(({ subject, samples }) => {
      const bare = rows.find((row) => row.subject.name === baseline).samples;
      const value = ratio(samples, bare, "cpu");
      return {
        name: subject.name,
        value,
        label: value.toFixed(2),
        isOurs: subject.name.startsWith("ridlkit"),
      };
    }),
  }));
}
