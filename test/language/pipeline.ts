import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { lowerContract } from "../../generator/3-lower/index.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { catalog } from "../../generator/diagnostics/catalog.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import {
  printSchemaJson,
  printSchemaRidl,
  toSchemaJson,
} from "../../tools/schema-json/index.js";
import { checkDocuments } from "../support/check-documents.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
};

/**
 * Runs documents through every stage and checks the diagnostics. The first
 * document is the entry document. Fails if a stage throws or a diagnostic
 * points outside its document. Returns whether the documents were refused or
 * emitted.
 */
export function runPipeline(
  files: ReadonlyMap<string, string>,
): "refused" | "emitted" {
  const [entry = ""] = files.keys();
  for (const [path, text] of files) {
    const { value, diagnostics } = parseDocument({ path, text });
    expectSound(diagnostics);
    expect(typeof printDocument(value)).toBe("string");
  }
  const { value, diagnostics } = checkDocuments([entry], {
    read: (path) => files.get(path) ?? null,
  });
  expectSound(diagnostics);
  renderDiagnostics(diagnostics.slice(0, 50), { color: true });
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return "refused";
  }
  for (const host of value.hosts) {
    printSchemaJson(toSchemaJson(value, host));
    printSchemaRidl(value, host);
  }
  const contract = lowerContract(value);
  const sources = { runtimeSources: new Map<string, string>() };
  const written = emitContract(contract, emitters, options, sources);
  const paths = written.map(({ path }) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
  return "emitted";
}

function expectSound(diagnostics: readonly Diagnostic[]): void {
  // Use a single expectation, because there may be many thousands of
  // diagnostics.
  expect(diagnostics.find((each) => !isSound(each))).toBeUndefined();
}

function isSound({
  code,
  message,
  location,
  related,
  fix,
}: Diagnostic): boolean {
  const places = [location, ...(related ?? []).map((each) => each.location)];
  return (
    Object.hasOwn(catalog, code) &&
    !/[.\n]$/u.test(message) &&
    [...places, fix?.location].every((place) => {
      if (place === undefined) return true;
      const { start, end } = place.span;
      return 0 <= start && start <= end && end <= place.source.text.length;
    })
  );
}

/**
 * Reads every document in the `schema`, `test`, and `examples` folders.
 */
export function readFixtures(): readonly { path: string; text: string }[] {
  const root = join(import.meta.dirname, "../..");
  return ["schema", "test", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => /\.(ridl|json|ya?ml)$/u.test(path))
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
      // Skip JSON and YAML files that are not schemas. Most are not.
      .filter(
        ({ path, text }) => path.endsWith(".ridl") || text.includes("webrpc"),
      )
      .filter(({ path }) => !path.endsWith("package.json")),
  );
}
