import { drawChart } from "../harness/chart.js";
import { printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { spread } from "../harness/statistics.js";
import { bare, ownSubject } from "./subjects.js";

/** Prints all measurements as Markdown. */
export function printReport({ rows, parts, platform, plan, goals }) {
  return `# Clients

${describeMachine()} Bundle sizes are in bytes, bundled and minified by esbuild and compressed by gzip at
level 9, for a client with one method and one with forty. The last column is the CPU time (user and
system) that a call takes beyond a bare wrapper around \`fetch\`, in microseconds, with a \`fetch\` that
answers immediately. It is the median of ${plan.rounds} rounds of ${plan.count} calls after a warm-up round, with the
clients taking turns. ± is half of the interquartile range. Every client sends a key in a header and
fails if the server returns an error. ridlkit's also includes typed errors, a time limit, and signals.

| | one method | forty | a call |
| --- | --- | --- | --- |
${rows.map(printRow).join("\n")}

webrpc's own generator is not included, because it is installed through the Go module proxy, which is
not available everywhere.

## What other parts add to ridlkit's client with one method

| part | bytes |
| --- | --- |
| queries for TanStack Query | ${parts.query} |
| the validator of the request | ${parts.validator} |
| the Standard Schema of the request | ${parts.schema} |
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

/** Returns the size of a client with one method, and the cost of a call. */
export function headlineOf(rows) {
  const bars = (valueOf, labelOf) =>
    rows.map((row) => ({
      name: row.name,
      value: valueOf(row),
      label: labelOf(row),
      isOwn: row.name === ownSubject,
    }));
  const peers = rows.filter(({ name }) => name !== bare);
  return [
    {
      name: "client with one method, bytes, minified and gzip",
      bars: bars(
        ({ one }) => one,
        ({ one, forty }) => `${one} B; forty methods: ${forty} B`,
      ),
    },
    {
      name: "CPU of a call beyond bare fetch, µs",
      bars: peers.map(({ name, call }) => ({
        name,
        value: Math.max(0, call.middle),
        label: `${call.middle.toFixed(1)} µs`,
        isOwn: name === ownSubject,
      })),
    },
  ];
}

/** Draws the headline as a chart. */
export function drawClients(rows) {
  return drawChart("Clients", headlineOf(rows));
}
