// Reads OpenAPI documents for the scripts that count in many of them.
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parse } from "yaml";

const documents = new Map();

/** Reads a document in JSON or YAML. */
export function read(path) {
  const known = documents.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  const document = path.endsWith("json")
    ? JSON.parse(text)
    : parse(text, { maxAliasCount: -1, uniqueKeys: false, logLevel: "silent" });
  documents.set(path, document);
  return document;
}

/** Frees the memory of all documents. */
export function forgetDocuments() {
  documents.clear();
}

/** The operations of a path. */
export const verbs = [
  "get",
  "post",
  "put",
  "patch",
  "delete",
  "head",
  "options",
];

/** Returns the value at a JSON pointer, or undefined. */
export function valueAt(root, pointer) {
  return pointer
    .split("/")
    .slice(1)
    .map((each) =>
      decodeURIComponent(each).replaceAll("~1", "/").replaceAll("~0", "~"),
    )
    .reduce((node, name) => node?.[name], root);
}

/** Returns the place of a reference, or null if there is none. */
export function follow(ref, path) {
  const [file, pointer = ""] = ref.split("#");
  const target = file === "" ? path : resolve(dirname(path), file);
  try {
    const schema = valueAt(read(target), pointer);
    const name = basename(pointer === "" ? file : pointer);
    return schema == null ? null : { schema, path: target, name };
  } catch {
    return null;
  }
}

/** The kind of component that each key has, or that its members have. */
const single = { schema: "schemas", requestBody: "requestBodies" };
const maps = {
  schemas: "schemas",
  parameters: "parameters",
  responses: "responses",
  headers: "headers",
  requestBodies: "requestBodies",
};

/** Returns a copy of a document that contains all that it refers to. */
export function bundle(path) {
  const names = new Map();
  const components = {};
  const refer = (ref, file, kind) => {
    const [other, pointer = ""] = ref.split("#");
    const target = other === "" ? file : resolve(dirname(file), other);
    if (target === path) return { $ref: `#${pointer}` };
    const key = `${kind} ${target}#${pointer}`;
    if (!names.has(key)) {
      const name = `External${String(names.size)}`;
      names.set(key, name);
      const { schema = {} } = follow(ref, file) ?? {};
      components[kind] ??= {};
      components[kind][name] = copy(schema, target, kind);
    }
    return { $ref: `#/components/${kind}/${names.get(key)}` };
  };
  const inline = (ref, file, kind) => {
    const found = follow(ref, file);
    return found === null ? {} : copy(found.schema, found.path, kind);
  };
  const copy = (value, file, kind) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      return value.map((each) => copy(each, file, kind));
    }
    if (typeof value.$ref === "string") {
      return kind === null
        ? inline(value.$ref, file, kind)
        : refer(value.$ref, file, kind);
    }
    return mapValues(value, (each, key) => {
      if (key === "examples" && kind !== "schemas") return {};
      if (kind === "schemas") {
        const isShared = key === "properties" && typeof each.$ref === "string";
        return isShared
          ? inline(each.$ref, file, kind)
          : copy(each, file, kind);
      }
      const members = maps[key];
      return members === undefined || Array.isArray(each)
        ? copy(each, file, members ?? single[key] ?? null)
        : mapValues(each, (member) => copy(member, file, members));
    });
  };
  const root = copy(read(path), path, null);
  for (const [kind, added] of Object.entries(root.components ?? {})) {
    components[kind] = { ...added, ...components[kind] };
  }
  return { ...root, components };
}

/** Returns an object with other values. */
export function mapValues(value, map) {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, map(each, key)]),
  );
}
