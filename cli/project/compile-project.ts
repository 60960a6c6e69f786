import type { LoadedDocuments } from "../../generator/1-parse/load/load-documents.js";
import { loadEntries } from "../../generator/1-parse/load/select-entries.js";
import type { CheckedContract } from "../../generator/2-check/index.js";
import { compileDocuments } from "../../generator/compile-documents.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import type { Contract } from "../../generator/ir/contract.js";
import {
  lintContract,
  loadRules,
  withoutAdvice,
} from "../../generator/lint/index.js";
import { applyFilter } from "./apply-filter.js";
import type { Config } from "../config/config.js";
import { digestText } from "./manifest.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";
import { findUnknownNames } from "./unknown-names.js";

/** The data from which files are generated. */
export interface CompiledProject {
  readonly contract: Contract;
  /** The contract before the filter. */
  readonly whole: Contract;
  readonly documents: LoadedDocuments;
  readonly checked: CheckedContract;
}

/** Reads and checks documents of a project, and applies its filter. */
export async function compileProject(
  { config }: Project,
  listed: readonly string[],
  reader: RecordingReader,
): Promise<Diagnosed<CompiledProject | null>> {
  const { entries, documents } = loadEntries(listed, reader);
  const { value, diagnostics, checked } = compileDocuments(
    entries,
    documents,
    await lintErrors(config),
    reader,
  );
  if (value === null) return { value, diagnostics };
  const filtered = applyFilter(value, config);
  const contract = filtered.value;
  return {
    value: contract && { contract, whole: value, documents, checked },
    diagnostics: [
      ...diagnostics,
      ...findUnknownNames(config, value),
      ...filtered.diagnostics,
    ],
  };
}

/**
 * Returns the check of lint rules for code that people get. Only `ridl check`
 * gives advice, so only rules that are set to `error` matter.
 */
export async function lintErrors(
  config: Pick<Config, "lint">,
): Promise<(found: Diagnosed<CheckedContract>) => readonly Diagnostic[]> {
  const lint = withoutAdvice(config.lint);
  const rules = await loadRules(lint.rules);
  return (found) => lintContract(found, lint, rules);
}

/**
 * Reads what generated code says about contracts, if the setting is on. Returns
 * null if the history is invalid.
 */
export async function readSkew(
  { skew }: Config,
  contracts: Pick<CompiledProject, "contract" | "whole">,
  reader: RecordingReader,
): Promise<Diagnosed<Pick<EmitOptions, "skew"> | null>> {
  if (skew === null) return { value: {}, diagnostics: [] };
  const { history: path } = skew;
  const { readHistory } =
    await import("../../tools/breaking/compatibility/read-history.js");
  return readHistory({ path, text: reader.read(path) }, contracts, digestText);
}

/** Finds what targets cannot represent. */
export function findUnsuitable(
  targets: readonly Target[],
  config: Config,
  contract: Contract,
): readonly Diagnostic[] {
  return targets.flatMap((target) => {
    const faults = target.findFaults?.(contract, config.options) ?? [];
    const entry = config.targets.find(({ name }) => name === target.name);
    return faults.map(({ key, ...fault }): Diagnostic => {
      const location = entry?.keys.get(key ?? "") ?? entry?.location;
      return { ...fault, ...(location && { location }) };
    });
  });
}
