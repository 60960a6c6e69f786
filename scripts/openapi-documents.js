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

/** Returns the place of a reference, or null if there is none. */
export function follow(ref, path) {
  const [file, pointer = ""] = ref.split("#");
  const target = file === "" ? path : resolve(dirname(path), file);
  try {
    const schema = pointer
      .split("/")
      .slice(1)
      .map((each) =>
        decodeURIComponent(each).replaceAll("~1", "/").replaceAll("~0", "~"),
      )
      .reduce((node, name) => node[name], read(target));
    const name = basename(pointer === "" ? file : pointer);
    return schema == null ? null : { schema, path: target, name };
  } catch {
    return null;
  }
}
