import { drawChart } from "../harness/chart.js";
import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { spread } from "../harness/statistics.js";
import { bare, ours } from "./subjects.js";

/** Everything that was measured, as Markdown. */
export function printReport({ rows, parts, platform, plan, goals }) {
  return `# Clients

${describeMachine()} Bytes of a bundle by esbuild, minified, gzip at level 9: a client that calls one
method, and one of forty. CPU of a call over that of the same call by a bare wrapper around
\`fetch\`, in microseconds, user and system, against a \`fetch\` that answers at once: median of
${plan.rounds} rounds of ${plan.count} calls after one to warm up, the clients in turn, ± half of the distance
between the quartiles. Every client sends a key in a header, and fails when the server answers an
error; typed errors, a time limit and signals are in ours.

| | one method | forty | a call |
| --- | --- | --- | --- |
${rows.map(printRow).join("\n")}

What webrpc's own generator makes is not among them: it is installed by the Go module proxy, which
does not have it everywhere.

## What parts of one method add

| to ridlkit's client of one method | bytes |
| --- | --- |
| queries for TanStack Query | ${parts.query} |
| the validator of the request | ${parts.validator} |
| the Standard Schema of the request, with the validator | ${parts.schema} |
| the Standard Schema, for a client that has the validator | ${parts.schemaOverValidator} |

## The platform's client

| bundle | bytes |
| --- | --- |
| one method | ${platform.one} |
| all methods | ${platform.all} |
| all methods and the whole error table | ${platform.withErrors} |

## Goals

${printGoals(goals)}
`;
}

function printRow({ name, version, one, forty, call }) {
  const title = `${name} ${version}`.trim();
  const cost =
    name === bare
      ? "0 µs"
      : `${call.middle.toFixed(1)} µs ±${(spread(call.values) * call.middle).toFixed(1)}`;
  return `| ${title} | ${one} | ${forty} | ${cost} |`;
}

/** Size of a client of one method, and what a call costs. */
export function headlineOf(rows) {
  const bars = (valueOf, labelOf) =>
    rows.map((row) => ({
      name: row.name,
      value: valueOf(row),
      label: labelOf(row),
      isOurs: row.name === ours,
    }));
  const peers = rows.filter(({ name }) => name !== bare);
  return [
    {
      name: "a client of one method, bytes minified and gzip",
      bars: bars(
        ({ one }) => one,
        ({ one, forty }) => `${one} B; of forty ${forty} B`,
      ),
    },
    {
      name: "CPU of a call over bare fetch, µs",
      bars: peers.map(({ name, call }) => ({
        name,
        value: Math.max(0, call.middle),
        label: `${call.middle.toFixed(1)} µs`,
        isOurs: name === ours,
      })),
    },
  ];
}

/** The headline as a chart. */
export function drawClients(rows) {
  return drawChart("Clients", headlineOf(rows));
}
