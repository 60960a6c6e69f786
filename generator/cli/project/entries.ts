import { posix } from "node:path";
import type { Document } from "../../1-parse/ast.js";
import { parseDocument } from "../../1-parse/index.js";
import { joinImportPath } from "../../2-check/imports/path.js";
import type { Host } from "../../2-check/host.js";

/**
 * Which of the documents that a project lists stand for a service host.
 * A document without services that another one imports only lends its types;
 * every other one is an entry. Documents that do not exist stay, so that
 * checking reports them.
 *
 * Input: paths in the order of the configuration, e.g. what `schema/*.ridl`
 * matches. Output: those of them that are entries, in the same order.
 */
export function selectEntries(
  listed: readonly string[],
  host: Host,
): readonly string[] {
  const parse = host.parse ?? parseDocument;
  const documents = listed.map((path) => {
    const text = host.read(path);
    return text === null ? null : parse({ path, text }).value;
  });
  const imported = new Set(
    documents.flatMap((document) => (document ? importsOf(document) : [])),
  );
  return listed.filter((path, index) => {
    const document = documents[index];
    const isLender =
      document && !hasServices(document) && imported.has(posix.normalize(path));
    return !isLender;
  });
}

function importsOf(document: Document): readonly string[] {
  return document.items
    .filter((item) => item.kind === "import")
    .map(({ path }) => joinImportPath(document.source.path, path.text));
}

function hasServices(document: Document): boolean {
  return document.items.some((item) => item.kind === "service");
}
