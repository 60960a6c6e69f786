// Writes one page and one chart of all existing results: `node summary.js`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawChart } from "./harness/chart.js";
import { readHeadlines } from "./harness/headline.js";
import { describeMachine } from "./harness/machine.js";

const results = fileURLToPath(new URL("results/", import.meta.url));
const own = "summary";

/**
 * Returns the header and the rows of the table under "Goals" in a report, or an
 * empty list if there is no such table.
 */
function goalsIn(report) {
  const [, after = ""] = report.split("\n## Goals\n");
  return after
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
}

const reports = readdirSync(results)
  .filter((file) => file.endsWith(".md") && file !== `${own}.md`)
  .sort()
  .map((file) => ({
    name: file.slice(0, -".md".length),
    goals: goalsIn(readFileSync(results + file, "utf8")).slice(1),
  }))
  .filter(({ goals }) => goals.length > 0);

const isMissed = (line) => line.includes("**missed**");
const counts = reports.map(({ name, goals }) => {
  const met = goals.filter((line) => !isMissed(line)).length;
  return `| [${name}](${name}.md) | ${met} of ${goals.length} |`;
});
const missed = reports.flatMap(({ name, goals }) =>
  goals.filter(isMissed).map((line) => `| ${name} ${line}`),
);

const page = `# All benchmarks

${describeMachine()} Each report describes what was measured, how, and with which versions.

![Headline figures of each benchmark](${own}.svg)

| report | goals met |
| --- | --- |
${counts.join("\n")}

${missed.length === 0 ? "All goals were met." : `Missed goals:\n\n| report | goal | limit | measured | |\n| --- | --- | --- | --- | --- |\n${missed.join("\n")}`}
`;
writeFileSync(`${results}${own}.md`, page);
const headlines = readHeadlines();
if (headlines.length > 0) {
  const title = "ridlkit and its peers (lower is better)";
  const narrow = drawChart(title, headlines, { isNarrow: true });
  writeFileSync(`${results}${own}.svg`, drawChart(title, headlines));
  writeFileSync(`${results}${own}-narrow.svg`, narrow);
}
console.log(page);
