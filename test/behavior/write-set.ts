import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  EmitOptions,
  TemplateSet,
} from "../../generator/4-emit/emitter/emitter.js";
import { placeRuntime } from "../../generator/4-emit/kotlin/kotlin.js";
import goSet from "../../generator/4-emit/templates/own/go-set.json" with { type: "json" };
import kotlinSet from "../../generator/4-emit/templates/own/kotlin-set.json" with { type: "json" };
import pythonSet from "../../generator/4-emit/templates/own/python-set.json" with { type: "json" };
import rustSet from "../../generator/4-emit/templates/own/rust-set.json" with { type: "json" };
import {
  findOwnSet,
  printSet,
} from "../../generator/4-emit/templates/template-set.js";
import type { Contract } from "../../generator/ir/contract.js";

const ownSets = {
  go: goSet,
  kotlin: kotlinSet,
  python: pythonSet,
  rust: rustSet,
};

/** Writes what a template set prints for a contract into a folder. */
export function writeSet(
  set: keyof typeof ownSets | TemplateSet,
  contract: Contract,
  folder: string,
  name: string,
  skew?: EmitOptions["skew"],
  namespace?: string,
): void {
  const used = typeof set === "string" ? findOwnSet(ownSets[set]) : set;
  const named = { name, ...(namespace !== undefined && { namespace }) };
  const printed = printSet(used, contract, { package: named, skew });
  const files = set === "kotlin" ? placeRuntime(printed) : printed;
  for (const { path, text } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
