import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { median, ratio, spread } from "../harness/statistics.js";

/** Prints all measurements as Markdown. */
export function printReport({ tables, starts, rounds, goals }) {
  return `# Hosts

${describeMachine()} Each program is one bundle in a process of its own and serves the same contract on a host, with \`NODE_ENV=production\`. A single process sends the requests over persistent connections (10, and 2 for uploads and streams) and never sleeps. CPU is the time of all threads of the server's process for one request, as Linux counts it, and capacity is 1 / CPU. Figures are medians of ${rounds} rounds after a warm-up round of 40,000 requests or 10 seconds (20 uploads and streams), with the programs of a host taking turns. ± is half of the interquartile range, as a percentage of the median. Ratios are medians of the ratios within each round. Memory is the peak of the process so far: the requests of a host come in the order of its tables. Before the measurement, the status, content type and values of each response are compared with the expected ones.

All programs but bare \`fetch\` and \`node:http\` check a credential and the request, and validate the response unless the table says "requests alone". Elysia serves itself on Bun.

${tables.map(printTable).join("\n\n")}

## Start of a server with 40 methods

From the start of the process until the first response, and the size of the minified bundle after gzip.

| host | server | version | start | CPU | bundle |
| --- | --- | --- | --- | --- | --- |
${starts.map(printStart).join("\n")}

## Goals

${printGoals(goals)}
`;
}

function printTable({ host, cell, rows }) {
  const [bare] = rows;
  const lines = rows.map(({ subject, samples, peak }) => {
    const capacity = ratio(bare.samples, samples, "cpu").toFixed(2);
    const p99 = median(samples.map((each) => each.p99)).toFixed(2);
    return `| ${subject.name} | ${cost(samples)} | ${capacity} | ${p99} ms | ${peak.toFixed(0)} MB |`;
  });
  return `## ${host.name}: ${cell.name}

| server | CPU | capacity, relative to ${bare.subject.name} | p99 | memory |
| --- | --- | --- | --- | --- |
${lines.join("\n")}`;
}

function cost(samples) {
  const values = samples.map(({ cpu }) => cpu);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(1)} µs ±${share}%`;
}

function printStart({ host, name, version, samples, size }) {
  const ms = samples.map((each) => each.ms);
  const share = Math.round(spread(ms) * 100);
  const cpu = median(samples.map((each) => each.cpu * 1000));
  return `| ${host.name} | ${name} | ${version} | ${median(ms).toFixed(0)} ms ±${share}% | ${cpu.toFixed(0)} ms | ${(size / 1000).toFixed(1)} kB |`;
}
