// Imports OpenAPI documents, and compares the values that the contracts accept
// with those that ajv accepts with the schemas of the documents.
//   npm run build && node scripts/compare-import.js <document>... [--list]
// For each document, the script prints the numbers of its types, of random values,
// of those that the document accepts, of disagreements that a note announces, and
// of silent ones. `--list` also prints an example for each place of a silent one,
// and how many values each note stands for. `--count=100` is the number of values
// of each type, and `--seed=1` chooses other ones.
import { join, resolve, basename } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const words = process.argv.slice(2);
const isListing = words.includes("--list");
const numberOf = (name, fallback) => {
  const word = words.find((each) => each.startsWith(`--${name}=`));
  return word === undefined ? fallback : Number(word.split("=")[1]);
};
const options = { count: numberOf("count", 100), seed: numberOf("seed", 1) };

// The comparison is shared with a test, so it is written in TypeScript.
const outfile = join(root, "dist/compare-import.js");
await build({
  absWorkingDir: root,
  entryPoints: ["test/import/compare/compare-file.ts"],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
const { compareFile } = await import(pathToFileURL(outfile).href);

const shorten = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

function list({ disagreements, missing }) {
  const notes = new Map();
  const silent = new Map();
  for (const each of disagreements) {
    if (each.note === null) {
      const fault = each.faults[0].replaceAll(/\d+/gu, "0");
      const end = /\S+ (.*)/u.exec(fault)?.[1] ?? "";
      const key = `${each.acceptedBy} ${fault.split(" ")[0].split("/").slice(-2)} ${end}`;
      silent.set(key, [...(silent.get(key) ?? []), each]);
    } else {
      const key = `${each.acceptedBy} accepts: ${each.note.replaceAll(/`[^`]*`/gu, "`…`")}`;
      notes.set(key, (notes.get(key) ?? 0) + 1);
    }
  }
  for (const [, [first, ...others]] of silent) {
    console.log(
      `\n${first.place} (${others.length + 1}): only the ${first.acceptedBy} accepts`,
    );
    console.log(`  ${shorten(JSON.stringify(first.value))}`);
    console.log(`  ${shorten(first.faults.join("; "))}`);
  }
  for (const [note, count] of notes) console.log(`${count}\t${note}`);
  for (const each of missing) console.log(`missing\t${each}`);
}

console.log("document\ttypes\tvalues\tvalid\tnoted\tsilent\tmissing");
for (const word of words.filter((each) => !each.startsWith("--"))) {
  const found = compareFile(resolve(word), options);
  if (found === null) throw new Error(`${word} cannot be imported`);
  const { types, values, valid, disagreements, missing } = found;
  const silent = disagreements.filter(({ note }) => note === null).length;
  const noted = disagreements.length - silent;
  const counts = [types, values, valid, noted, silent, missing.length];
  console.log([basename(word), ...counts].join("\t"));
  if (isListing) list(found);
}
