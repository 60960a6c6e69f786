// Imports OpenAPI documents, and counts the operations that RIDL can describe.
//   npm run build && node scripts/measure-import.js <document>... [--list]
// Each document is an API of its own. For each, the script prints how many
// operations have
// - an address: the same verb, path, query, headers, credentials and body,
// - no loss: also the same values in requests and successful responses,
// - errors: also the same responses of errors.
// `--list` also prints how often each note is the reason of a loss.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { importDocument } from "./import-notes.js";

const words = process.argv.slice(2);
const isListing = words.includes("--list");
const work = mkdtempSync(join(tmpdir(), "ridlkit-import-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

function measure(path) {
  const counts = { operations: 0, address: 0, noLoss: 0, errors: 0 };
  const reasons = new Map();
  for (const { notes } of importDocument(path, join(work, "imported.ridl"))) {
    const losses = notes.filter(({ level }) => level !== "advice");
    const noAddress = losses.some(
      ({ level, part }) => level === "wire" && part === "request",
    );
    const noValues = noAddress || losses.some(({ part }) => part !== "errors");
    counts.operations += 1;
    if (!noAddress) counts.address += 1;
    if (!noValues) counts.noLoss += 1;
    if (losses.length === 0) counts.errors += 1;
    const messages = losses.map(
      ({ level, part, message }) =>
        `${level} ${part}: ${message.replaceAll(/`[^`]*`/gu, "`…`")}`,
    );
    for (const each of new Set(messages)) {
      reasons.set(each, (reasons.get(each) ?? 0) + 1);
    }
  }
  return { counts, reasons };
}

const total = { operations: 0, address: 0, noLoss: 0, errors: 0 };
const all = new Map();
const print = (name, { operations, ...counts }) => {
  const shares = Object.values(counts).map(
    (count) => `${((100 * count) / operations).toFixed(1)} %`,
  );
  console.log([name, operations, ...shares].join("\t"));
};
console.log(
  ["document", "operations", "address", "no loss", "errors"].join("\t"),
);
for (const word of words.filter((each) => !each.startsWith("--"))) {
  const { counts, reasons } = measure(resolve(word));
  print(basename(word), counts);
  for (const key of Object.keys(total)) total[key] += counts[key];
  for (const [key, count] of reasons) all.set(key, (all.get(key) ?? 0) + count);
}
print("all", total);
if (isListing) {
  for (const [message, count] of [...all].sort(([, a], [, b]) => b - a)) {
    console.log(`${count}\t${message}`);
  }
}
