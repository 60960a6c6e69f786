// Imports OpenAPI documents, and finds the operations that each note is about.
import { spawnSync } from "node:child_process";
import { basename, dirname, relative, resolve } from "node:path";
import { follow, read, verbs } from "./openapi-documents.js";

const bin = resolve(import.meta.dirname, "../bin/ridl.js");

/**
 * Imports a document into a file.
 *
 * Returns each operation with the notes about its request, its successes and
 * its errors. A note has a level, a message, and the file and JSON pointer.
 */
export function importDocument(path, out) {
  const root = dirname(path);
  const document = read(path);
  const notes = readNotes(path, out, document);
  const operations = [];
  for (const [name, written] of Object.entries(document.paths ?? {})) {
    const pointer = `/paths/${escaped(name)}`;
    const item = resolveAt(written, path, pointer);
    for (const verb of verbs) {
      const used = item.value[verb];
      if (typeof used !== "object") continue;
      const operation = resolveAt(used, item.path, `${item.pointer}/${verb}`);
      const parts = placesOf(operation, item, root);
      const { security = document.security ?? [] } = operation.value;
      const schemes = security
        .flatMap((each) => Object.keys(each))
        .map((key) => `/components/securitySchemes/${key}`);
      // What a note says about the operation itself.
      for (const each of [pointer, "/servers/0", ...schemes]) {
        parts.request.add(basename(path) + each);
      }
      const at = placeIn(root, operation);
      const partOf = finder(parts, at, placeIn(root, item));
      const own = notes.flatMap((note) => {
        const part = partOf(note.at);
        return part === undefined ? [] : { ...note, part };
      });
      operations.push({ verb, path: name, notes: own });
    }
  }
  return operations;
}

function readNotes(path, out, document) {
  const args = ["import", "openapi", basename(path), "--format", "json"];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [bin, ...args, "--force", "--out", out],
    { cwd: dirname(path), encoding: "utf8", maxBuffer: 1e9 },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).diagnostics.map(
    ({ code, file, message, notes }) => {
      const level = code.replace("import-", "");
      const pointer = /`#(.*)`/u.exec(notes[0] ?? "")?.[1];
      if (pointer === undefined) throw new Error(`${path}: ${message}`);
      const isSwagger = document.swagger !== undefined;
      // The pointers are those of OpenAPI 3.
      const at = isSwagger
        ? pointer.replace("/components/schemas/", "/definitions/")
        : pointer;
      return { level, message, at: file + at };
    },
  );
}

/** Returns the places that an operation consists of, by its parts. */
function placesOf(operation, item, root) {
  const parts = { request: new Set(), success: new Set(), errors: new Set() };
  const { responses = {} } = operation.value;
  parts.request.add(placeIn(root, item)).add(placeIn(root, operation));
  const add = (holder, key, places) => {
    const pointer = `${holder.pointer}/${escaped(key)}`;
    addPlaces(holder.value[key], holder.path, pointer, root, places);
  };
  add(item, "parameters", parts.request);
  for (const key of Object.keys(operation.value)) {
    if (key !== "responses") add(operation, key, parts.request);
  }
  const pointer = `${operation.pointer}/responses`;
  const all = { ...operation, value: responses, pointer };
  for (const status of Object.keys(responses)) {
    const isSuccess = /^[23]/u.test(status);
    add(all, status, isSuccess ? parts.success : parts.errors);
  }
  return parts;
}

/** Returns a function that says to which part of an operation a note belongs. */
function finder(parts, at, top) {
  return (place) => {
    const [, inside] = place.split(`${at}/`);
    if (inside !== undefined) {
      if (!inside.startsWith("responses/")) return "request";
      return /^responses\/[23]/u.test(inside) ? "success" : "errors";
    }
    const around = ancestors(place, top);
    return Object.keys(parts).find((part) =>
      around.some((each) => parts[part].has(each)),
    );
  };
}

/** Returns a place and, if it is not of many operations, the one around it. */
function ancestors(place, top) {
  // A note can be about a key of a value or of the items of a list.
  const parent = place.slice(0, place.lastIndexOf("/"));
  const isOwn = parent !== top && !/(?:^|\/)(?:paths|schemas)$/u.test(parent);
  return isOwn ? [place, parent] : [place];
}

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");
const placeIn = (root, { path, pointer }) => relative(root, path) + pointer;

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
