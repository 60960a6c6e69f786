import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const results = fileURLToPath(new URL("../results/", import.meta.url));
const ending = ".headline.json";

/**
 * Stores the bars that a benchmark adds to the chart of all benchmarks.
 *
 * Input: groups of bars in the form that `drawChart` accepts.
 */
export function writeHeadline(name, groups) {
  const text = `${JSON.stringify(groups, null, 2)}\n`;
  writeFileSync(`${results}${name}${ending}`, text);
}

/**
 * Returns the groups of all benchmarks with results, sorted by benchmark name.
 */
export function readHeadlines() {
  return readdirSync(results)
    .filter((file) => file.endsWith(ending))
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(results + file, "utf8")));
}
