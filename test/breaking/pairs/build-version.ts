import { lowerContract } from "../../../generator/3-lower/index.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import type { Contract } from "../../../generator/ir/contract.js";
import {
  createIndex,
  type ContractIndex,
} from "../../../generator/values/resolve.js";
import { basename } from "node:path";
import { checkDocuments } from "../../support/check-documents.js";
import { runFiles, type Exports } from "../../support/run-emitted.js";
import { type Documents, shared } from "./sketch.js";

/** Settings that change the wire format or how code represents it. */
export type Modes = Pick<EmitOptions, "int64" | "timestamp">;

/** One version of a contract and its generated code. */
export interface Version {
  /** The address of each host, by name: the path of its document. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly modes: Modes;
  readonly contract: Contract;
  readonly index: ContractIndex;
}

/** A version whose generated JavaScript has been loaded. */
export interface LoadedVersion extends Version {
  readonly exports: Exports;
}

/** Compiles a contract. Returns null if the contract has errors. */
export function buildVersion(
  documents: Documents,
  modes: Modes,
): Version | null {
  const entries = Object.keys(documents).filter((path) => path !== shared);
  const read = (path: string): string | null => documents[path] ?? null;
  const { value, diagnostics } = checkDocuments(entries, { read });
  if (diagnostics.some(({ severity }) => severity === "error")) return null;
  const contract = lowerContract(value);
  return {
    addresses: new Map(
      value.hosts.map(({ name, document }) => [name, document.path]),
    ),
    modes,
    contract,
    index: createIndex(contract),
  };
}

/** Generates and loads the JavaScript of a version. */
export function loadVersion(version: Version): LoadedVersion {
  const files = emitVersion(version, "javascript").filter(({ path }) =>
    path.endsWith(".js"),
  );
  const names = ["client", "errors", "server", "validators"];
  const run = runFiles(files);
  const exports: Exports = Object.assign(
    {},
    ...files
      .filter(({ path }) => names.includes(basename(path, ".js")))
      .map(({ path }) => run(`./${path}`)),
  );
  return { ...version, exports };
}

const targets = [
  "types",
  "errors",
  "validators",
  "codecs",
  "client",
  "server",
  "index",
];
const chosen = emitters.filter(({ name }) => targets.includes(name));

/** Creates the generated files of a version. */
export function emitVersion(
  { contract, modes }: Version,
  language: "javascript" | "typescript",
) {
  const options: EmitOptions = {
    ...modes,
    language,
    runtime: "import",
    importExtension: ".js",
  };
  return emitContract(contract, chosen, options, { runtimeSources: new Map() });
}
