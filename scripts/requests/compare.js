// Calls every operation of OpenAPI documents with the clients of ridlkit and of
// hey-api, and counts the requests that arrive as the documents ask.
//   npm run build && node scripts/requests/compare.js <document>... [--list]
//     [--hey-api=<folder with node_modules/@hey-api/openapi-ts>]
// All parameters have values, bodies have all fields of their two outer levels and
// the required ones below. A request arrives if its verb, path, query, headers,
// media type and body are those of one of the media types of the document.
// Credentials are not judged. The script prints the number of operations, and how
// many arrive from each client. `silent` counts requests of ridlkit that differ
// although no note says that requests of the
// operation do. `--list` prints the differences.
// `documents.tsv` lists the documents of docs/import.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { importDocument } from "../import-notes.js";
import { read } from "../openapi-documents.js";
import { operationsOf } from "./expected.js";
import { createHeyApi } from "./hey-api.js";
import { judge } from "./judge.js";
import { createOurs } from "./ours.js";

const words = process.argv.slice(2);
const isListing = words.includes("--list");
const packages = words
  .find((each) => each.startsWith("--hey-api="))
  ?.replace("--hey-api=", "");
const work = mkdtempSync(join(tmpdir(), "ridlkit-requests-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** The last request, in place of a network. */
let sent = null;
async function record(input, init) {
  sent = new Request(input, init);
  return new Response("{}", {
    headers: { "content-type": "application/json" },
  });
}

/** Returns why no client of an operation sends the request, or null. */
async function differenceOf(operation, calls) {
  let reason = "no method";
  for (const call of calls) {
    const bodies = operation.bodies.length === 0 ? [null] : operation.bodies;
    for (const body of bodies) {
      sent = null;
      let fault = "no request";
      // The answer does not fit most operations.
      await call(body).catch((error) => {
        fault = String(error?.message ?? error);
      });
      if (sent !== null) {
        fault = await judge(operation, body, sent).catch((error) =>
          String(error.message),
        );
      }
      if (fault === null) return null;
      reason = fault;
    }
  }
  return reason;
}

console.log("document\toperations\tridlkit\tsilent\they-api");
for (const word of words.filter((each) => !each.startsWith("--"))) {
  const path = resolve(word);
  const name = basename(path);
  const folder = mkdtempSync(join(work, "ours-"));
  const notes = importDocument(path, join(folder, "imported.ridl"));
  const operations = operationsOf(read(path));
  const ours = await createOurs(folder, record);
  const theirs =
    packages === undefined
      ? null
      : await createHeyApi(path, join(folder, "hey"), packages, record);
  const counts = { ours: 0, silent: 0, theirs: 0 };
  for (const operation of operations) {
    const difference = await differenceOf(operation, ours(operation));
    if (difference === null) counts.ours += 1;
    else {
      const own = notes.find(
        (each) => each.path === operation.path && each.verb === operation.verb,
      );
      const isNoted = own?.notes.some(
        ({ level, part }) => level !== "advice" && part === "request",
      );
      if (!isNoted) counts.silent += 1;
      if (isListing) {
        const mark = isNoted ? "noted" : "SILENT";
        console.log(
          `${mark}\t${operation.verb} ${operation.path}\t${difference}`,
        );
      }
    }
    if (theirs === null) continue;
    const other = await differenceOf(operation, theirs(operation));
    if (other === null) counts.theirs += 1;
    else if (isListing) {
      console.log(`hey-api\t${operation.verb} ${operation.path}\t${other}`);
    }
  }
  const all = operations.length;
  const other = theirs === null ? "–" : counts.theirs;
  console.log([name, all, counts.ours, counts.silent, other].join("\t"));
}
