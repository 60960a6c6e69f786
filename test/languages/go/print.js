// Prints a contract as Go, with the templates of this checkout.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { printSet, readTemplateSet } from "../../../dist/generator/4-emit/templates/template-set.js";
import { compileContract } from "../../../dist/generator/compile.js";

const templates = fileURLToPath(new URL("../../../templates/go/", import.meta.url));

/** Returns the paths of all files below a folder. */
function filesIn(folder, under = "") {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under + entry.name;
    return entry.isDirectory() ? filesIn(folder, `${path}/`) : [path];
  });
}

/**
 * Compiles documents.
 *
 * Errors: Error if a document has an error.
 */
export function compile(folder, documents) {
  const { value, diagnostics } = compileContract(documents, {
    read: (path) => {
      try {
        return readFileSync(join(folder, path), "utf8");
      } catch {
        return null;
      }
    },
  });
  if (value === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

/** Returns the files of the Go module of a contract. */
export function printGo(contract, name) {
  const sources = filesIn(templates).map((path) => [
    path,
    { path: `templates/go/${path}`, text: readFileSync(join(templates, path), "utf8") },
  ]);
  const { value, diagnostics } = readTemplateSet(new Map(sources));
  if (value === null) {
    throw new Error(
      diagnostics
        .map(({ location, message, help }) => {
          const { source, span } = location;
          const line = source.text.slice(0, span.start).split("\n").length;
          return `${source.path}:${line}: ${message}. ${help ?? ""}`;
        })
        .join("\n"),
    );
  }
  return printSet(value, contract, { name });
}

/** Writes the files of the Go module of a contract. */
export function writeGo(contract, name, target) {
  rmSync(target, { recursive: true, force: true });
  for (const { path, text } of printGo(contract, name)) {
    const file = join(target, path.replace(/^go\//u, ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
