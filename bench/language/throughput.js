// Measures how fast a large schema is read and checked, in one cold process
// without warm-up. Run it after `npm run build`:
//   node bench/language/throughput.js [lines] [--parse]
import { checkContract } from "../../dist/generator/2-check/index.js";
import { parseDocument } from "../../dist/generator/1-parse/load/parse-document.js";
import { loadDocuments } from "../../dist/generator/1-parse/load/load-documents.js";
import { writeSchema } from "./large-schema.js";

const wanted = Number(process.argv[2] ?? 50_000);
const text = writeSchema(wanted);
const lines = text.split("\n").length - 1;
const path = "large.ridl";

/** Runs one stage and prints its cost. */
function measure(name, stage) {
  const before = process.cpuUsage();
  const { diagnostics } = stage();
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  const linesPerSecond = Math.round(lines / (cpuMs / 1000));
  // The peak of the process so far, including about 40 MiB of Node itself.
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${name}: ${cpuMs.toFixed(0)} ms CPU, ${linesPerSecond} lines/s, peak ${peakMiB} MiB, ${diagnostics.length} diagnostics`,
  );
}

console.log(`${lines} lines, ${text.length} characters`);
if (process.argv.includes("--parse")) {
  measure("parse", () => parseDocument({ path, text }));
} else {
  const read = (name) => (name === path ? text : null);
  measure("parse and check", () =>
    checkContract([path], loadDocuments([path], { read })),
  );
}
