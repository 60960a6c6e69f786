// Imports OpenAPI documents, and counts the operations that RIDL can describe.
//   npm run build && node scripts/measure-import.js <document>... [--list]
// Each document is an API of its own. For each, the script prints how many
// operations have
// - an address: the same verb, path, query, headers, credentials and body,
// - no loss: also the same values in requests and successful responses,
// - errors: also the same responses of errors.
// `--list` also prints how often each note is the reason of a loss.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { follow, read } from "./openapi-documents.js";

const words = process.argv.slice(2);
const isListing = words.includes("--list");
const bin = resolve(import.meta.dirname, "../bin/ridl.js");
const work = mkdtempSync(join(tmpdir(), "ridlkit-import-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/** Operations that RIDL has no verb for are without an address. */
const verbs = ["get", "post", "put", "patch", "delete", "head", "options"];

/** Returns the notes about losses, by file and JSON pointer. */
function importDocument(path) {
  const args = ["import", "openapi", basename(path), "--format", "json"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [bin, ...args, "--force", "--out", join(work, "imported.ridl")],
    { cwd: dirname(path), encoding: "utf8", maxBuffer: 1e9 },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).diagnostics.flatMap(
    ({ code, file, message, notes }) => {
      const level = code.replace("import-", "");
      const pointer = /`#(.*)`/u.exec(notes[0] ?? "")?.[1];
      if (pointer === undefined) throw new Error(`${path}: ${message}`);
      return level === "advice" ? [] : { level, message, at: file + pointer };
    },
  );
}

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Adds the places of a value and of all that it refers to. */
function addPlaces(value, path, pointer, root, places) {
  const place = relative(root, path) + pointer;
  if (typeof value !== "object" || value === null || places.has(place)) return;
  places.add(place);
  const target = resolveAt(value, path, pointer);
  addPlaces(target.value, target.path, target.pointer, root, places);
  for (const [key, child] of Object.entries(value)) {
    addPlaces(child, path, `${pointer}/${escaped(key)}`, root, places);
  }
}

/** Returns a value and its place, or those that it refers to. */
function resolveAt(value, path, pointer) {
  const target = value.$ref ? follow(value.$ref, path) : null;
  if (target === null) return { value, path, pointer };
  const [, at = ""] = value.$ref.split("#");
  const { schema, path: file } = target;
  return { value: schema, path: file, pointer: decodeURIComponent(at) };
}

function measure(path) {
  const root = dirname(path);
  const notes = importDocument(path);
  const document = read(path);
  if (document.swagger !== undefined) {
    // Their pointers are those of OpenAPI 3.
    for (const note of notes) {
      note.at = note.at.replace("/components/schemas/", "/definitions/");
    }
  }
  const counts = { operations: 0, address: 0, noLoss: 0, errors: 0 };
  const reasons = new Map();
  for (const [name, written] of Object.entries(document.paths ?? {})) {
    const own = `/paths/${escaped(name)}`;
    const item = resolveAt(written, path, own);
    for (const verb of verbs) {
      if (typeof item.value[verb] !== "object") continue;
      const used = item.value[verb];
      const operation = resolveAt(used, item.path, `${item.pointer}/${verb}`);
      counts.operations += 1;
      const parts = {
        request: new Set(),
        success: new Set(),
        errors: new Set(),
      };
      const placeOf = (each) => relative(root, each.path) + each.pointer;
      const at = placeOf(operation);
      const { security = document.security ?? [] } = operation.value;
      const schemes = security
        .flatMap((each) => Object.keys(each))
        .map((key) => `/components/securitySchemes/${key}`);
      // What a note says about the operation itself.
      for (const each of [own, "/servers/0", ...schemes]) {
        parts.request.add(basename(path) + each);
      }
      parts.request.add(placeOf(item)).add(at);
      const add = (holder, key, places) => {
        const pointer = `${holder.pointer}/${escaped(key)}`;
        addPlaces(holder.value[key], holder.path, pointer, root, places);
      };
      add(item, "parameters", parts.request);
      const { responses = {} } = operation.value;
      for (const key of Object.keys(operation.value)) {
        if (key !== "responses") add(operation, key, parts.request);
      }
      const pointer = `${operation.pointer}/responses`;
      const all = { ...operation, value: responses, pointer };
      for (const status of Object.keys(responses)) {
        const isSuccess = /^[23]/u.test(status);
        add(all, status, isSuccess ? parts.success : parts.errors);
      }
      const partOf = (note) => {
        const [, inside] = note.at.split(`${at}/`);
        if (inside !== undefined) {
          if (!inside.startsWith("responses/")) return "request";
          return /^responses\/[23]/u.test(inside) ? "success" : "errors";
        }
        const around = ancestors(note.at, placeOf(item));
        return Object.keys(parts).find((part) =>
          around.some((each) => parts[part].has(each)),
        );
      };
      const losses = notes.flatMap((note) => {
        const part = partOf(note);
        return part === undefined ? [] : { ...note, part };
      });
      const lost = (test) => losses.some(test);
      const noAddress = lost(
        ({ level, part }) => level === "wire" && part === "request",
      );
      const noValues = noAddress || lost(({ part }) => part !== "errors");
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
  }
  return { counts, reasons };
}

/** Returns a place and, if it is not of many operations, the one around it. */
function ancestors(place, top) {
  // A note can be about a key of a value or of the items of a list.
  const parent = place.slice(0, place.lastIndexOf("/"));
  const isOwn = parent !== top && !/(?:^|\/)(?:paths|schemas)$/u.test(parent);
  return isOwn ? [place, parent] : [place];
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
