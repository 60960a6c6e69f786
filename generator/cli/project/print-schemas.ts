import type { CheckedContract } from "../../2-check/index.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { Contract } from "../../ir/contract.js";
import { printSchemaRidl } from "../../schema-json/index.js";
import type { Config } from "../config/config.js";
import { activeFilter } from "./active-filter.js";

/**
 * Adds the RIDL of each host to the settings of the explorer, with its imports
 * included and without the parts that the filter excludes.
 */
export function withSchemas(
  options: EmitOptions,
  { contract, checked, config }: SchemaSource,
): EmitOptions {
  const { docs } = options;
  if (docs === undefined) return options;
  const part = activeFilter(config.filter) === null ? null : contract;
  const schemas = printSchemas(contract, checked, part);
  return { ...options, docs: { ...docs, schemas } };
}

/**
 * Prints the RIDL of each host of a contract, with its imports included.
 * `part` is what to print. Null prints everything, including private comments.
 * Returns texts by the path of the host's document.
 */
export function printSchemas(
  { hosts }: Contract,
  checked: CheckedContract,
  part: Contract | null,
): ReadonlyMap<string, string> {
  const kept = new Set(hosts.map(({ document }) => document));
  return new Map(
    checked.hosts
      .filter(({ document }) => kept.has(document.path))
      .map((host) => [
        host.document.path,
        printSchemaRidl(checked, host, part),
      ]),
  );
}

/** The data from which RIDL is printed. */
export interface SchemaSource {
  /** The contract without the parts that the filter excludes. */
  readonly contract: Contract;
  readonly checked: CheckedContract;
  readonly config: Pick<Config, "filter">;
}
