import { drawChart } from "../harness/chart.js";
import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { median, ratio, spread } from "../harness/statistics.js";
import { baseline, ownSubject, rival, subjects } from "./subjects/index.js";

/** Prints all measurements as Markdown. */
export function printReport({ tables, memory, refused, rest, rounds, goals }) {
  return `# Servers

${describeMachine()} Each server runs in a separate process. A single process sends the requests over persistent connections. It never sleeps, so no server spends CPU time on waking it up. CPU is the time (user and system) of the server's process for one request, and capacity is 1 / CPU. Figures are medians of ${rounds} rounds after a warm-up round, with the servers taking turns. Memory is the median of ${memory[0].length} new processes. ± is half of the interquartile range, as a percentage of the median. Ratios are medians of the ratios within each round, so they can differ from the ratios of the figures. Before the measurement, each server's response is compared byte for byte with the expected response, or by value if a server orders fields differently. A response to \`GetOrders\` has 34 fields per order. \`GetPrice\` takes two fields and returns three.

| server | version | does |
| --- | --- | --- |
${subjects
  .map(
    ({ name, version, features }) => `| ${name} | ${version} | ${features} |`,
  )
  .join("\n")}

${tables.map(printTable).join("\n\n")}

## REST methods, 10 connections

| request | ${ownSubject} | ${rival} | capacity, relative to ${rival} |
| --- | --- | --- | --- |
${rest.map(printRest).join("\n")}

Requests and responses have the same limits in both servers. The response to a GET of ridlkit has an \`ETag\`.

## Peak memory after the same mix of these requests, in a new process

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

| server | CPU | capacity, relative to ${baseline} | p99 |
| --- | --- | --- | --- |
${lines.join("\n")}`;
}

function printRest({ name, own, other }) {
  const capacity = ratio(other, own, "cpu").toFixed(2);
  return `| ${name} | ${cost(own)} | ${cost(other)} | ${capacity} |`;
}

function printRefusals({ name, rows }) {
  const [valid] = rows;
  const lines = rows.map(
    ({ name: kind, status, samples }) =>
      `| ${kind} | ${status} | ${cost(samples)} | ${ratio(samples, valid.samples, "cpu").toFixed(2)} |`,
  );
  return `| ${name} | status | CPU | relative to a valid request |
| --- | --- | --- | --- |
${lines.join("\n")}`;
}

function cost(samples) {
  const values = samples.map(({ cpu }) => cpu);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(1)} µs ±${share}%`;
}

function peakOf(samples) {
  const values = samples.map(({ peak }) => peak);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(0)} ±${share}%`;
}

/** Draws the capacity of every server in every cell. */
export function drawServers(tables) {
  return drawChart(
    `Capacity of servers, relative to bare ${baseline}`,
    tables.map(({ cell, rows }) => ({
      name: cell.name,
      bars: rows.map(({ subject, samples }) => {
        const bare = rows.find((row) => row.subject.name === baseline).samples;
        const value = ratio(bare, samples, "cpu");
        return {
          name: subject.name,
          value,
          label: value.toFixed(2),
          isOwn: subject.name.startsWith("ridlkit"),
        };
      }),
    })),
  );
}

/**
 * Returns the CPU cost of a request in the first cell, the most informative one,
 * relative to the baseline.
 */
export function headlineOf(tables) {
  return tables.slice(0, 1).map(({ cell, rows }) => ({
    name: `CPU of a request, relative to ${baseline}: ${cell.name}`,
    bars: rows.map(({ subject, samples }) => {
      const bare = rows.find((row) => row.subject.name === baseline).samples;
      const value = ratio(samples, bare, "cpu");
      return {
        name: subject.name,
        value,
        label: value.toFixed(2),
        isOwn: subject.name.startsWith("ridlkit"),
      };
    }),
  }));
}
