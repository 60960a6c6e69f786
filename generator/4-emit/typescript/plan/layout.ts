import type { Contract, Host, TypeDeclaration } from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { nameContract } from "../names/name-contract.js";
import type { Names } from "../names/names.js";
import { runtimePath } from "../names/runtime-entries.js";
import { quoteComment } from "../text/quote.js";

/** Names of the files that a unit can have, without ending. */
export type FileName =
  | "types"
  | "errors"
  | "validators"
  | "codecs"
  | "printers"
  | "client"
  | "credentials"
  | "server"
  | "webhooks"
  | "index"
  | "query"
  | "webrpc";

/**
 * A group of output files: the root, with what is shared, or the folder of a
 * host, with what its own document declares. A contract with one host has one
 * unit only, which is both.
 */
export interface Unit {
  /** "" for the root, else e.g. `marketplace`. */
  readonly folder: string;
  /** The host whose services are emitted here; null for a shared root. */
  readonly host: Host | null;
  /** Declared types that are emitted here, in the order of the contract. */
  readonly types: readonly TypeDeclaration[];
  /** Documents that it comes from, for the first line of its files. */
  readonly documents: readonly string[];
}

/** What all emitters of TypeScript need to know before they start. */
export interface Layout {
  readonly contract: Contract;
  readonly options: EmitOptions;
  readonly names: Names;
  /** The root first, then the hosts in their order. */
  readonly units: readonly Unit[];
  /** The root unit. */
  readonly root: Unit;
  /** The unit in which a declared type is emitted, by its name in RIDL. */
  unitOfType(name: string): Unit;
  /** The unit in which the methods of a host are emitted. */
  unitOfHost(host: Host): Unit;
}

/** Decides where everything goes: {@link layOut}, once for the same input. */
export const createLayout = remember(
  (contract: Contract, options: EmitOptions) => layOut(contract, options),
);

/**
 * Decides where everything goes.
 *
 * Input: a checked contract; of a part of one, the names of methods that count
 * as repeated. Output: its units and names. Errors: none.
 */
export function layOut(
  contract: Contract,
  options: EmitOptions,
  repeated: readonly string[] = [],
): Layout {
  const names = nameContract(contract, repeated);
  const units = unitsOf(contract, names);
  const root = units[0] ?? emptyUnit;
  const byType = new Map(
    units.flatMap((unit) => unit.types.map(({ name }) => [name, unit])),
  );
  const byHost = new Map(units.map((unit) => [unit.host, unit]));
  return {
    contract,
    options,
    names,
    units,
    root,
    unitOfType: (name) => byType.get(name) ?? root,
    unitOfHost: (host) => byHost.get(host) ?? root,
  };
}

const emptyUnit: Unit = { folder: "", host: null, types: [], documents: [] };

function unitsOf(contract: Contract, names: Names): readonly Unit[] {
  const { hosts, types } = contract;
  const documents = hosts.map((host) => host.document);
  const [only] = hosts;
  if (only !== undefined && hosts.length === 1) {
    return [{ folder: "", host: only, types, documents }];
  }
  const byHost = typesByHost(types);
  const root: Unit = {
    folder: "",
    host: null,
    types: byHost.get(null) ?? [],
    documents,
  };
  return [
    root,
    ...hosts.map((host) => ({
      folder: names.host(host).folder,
      host,
      types: byHost.get(host.name) ?? [],
      documents: [host.document],
    })),
  ];
}

function typesByHost(
  types: readonly TypeDeclaration[],
): ReadonlyMap<string | null, readonly TypeDeclaration[]> {
  const byHost = new Map<string | null, TypeDeclaration[]>();
  for (const type of types) {
    const list = byHost.get(type.host);
    if (list === undefined) byHost.set(type.host, [type]);
    else list.push(type);
  }
  return byHost;
}

/** A group of output files, by its folder. */
export type Folder = Pick<Unit, "folder">;

/** Path of a file below the output folder, without ending, e.g. `api/types`. */
export function pathOf({ folder }: Folder, file: string): string {
  return folder === "" ? file : `${folder}/${file}`;
}

/** Import specifier of another generated file, e.g. `../types.js`. */
export function specifierOf(
  { importExtension }: EmitOptions,
  from: Folder,
  to: Folder,
  file: string,
): string {
  if (from.folder === to.folder) return `./${file}${importExtension}`;
  const up = pathToRoot(from);
  const folder = to.folder === "" ? "" : `${to.folder}/`;
  return `${up}${folder}${file}${importExtension}`;
}

/**
 * Import specifier of an entry of the runtime, e.g. `@ridlkit/runtime/errors`,
 * or `../runtime/wire/errors.js` when the output has a copy of it.
 */
export function runtimeSpecifier(
  { importExtension, runtime }: EmitOptions,
  from: Folder,
  entry: string,
): string {
  if (runtime === "import") return `@ridlkit/runtime/${entry}`;
  const up = pathToRoot(from);
  return `${up}runtime/${runtimePath(entry)}${importExtension}`;
}

function pathToRoot({ folder }: Folder): string {
  return folder === "" ? "./" : "../".repeat(folder.split("/").length);
}

/** First line of every file: what it is and where it comes from. */
export function headerOf({ documents }: Pick<Unit, "documents">): string {
  const from = quoteComment([documents.join(", ")]).join("");
  return `// Generated by ridlkit from ${from}. Do not edit.`;
}
