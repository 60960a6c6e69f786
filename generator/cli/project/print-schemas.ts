import type { CheckedContract } from "../../2-check/index.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { Contract } from "../../ir/contract.js";
import { printSchemaRidl } from "../../schema-json/index.js";
import type { Config } from "../config/config.js";
import { activeFilter } from "./apply-filter.js";

/** Adds the filtered RIDL of each host to the explorer's settings. */
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
 * Prints the RIDL of each host, by the path of its document. `part` is the part
 * of the contract to print. Null means everything, including private comments.
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
