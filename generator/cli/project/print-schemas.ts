import type { CheckedContract } from "../../2-check/index.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { Contract } from "../../ir/contract.js";
import { printSchemaRidl } from "../../schema-json/index.js";

/** Adds the RIDL of each host to the explorer's settings. */
export function withSchemas(
  options: EmitOptions,
  { contract, checked }: SchemaSource,
): EmitOptions {
  const { docs } = options;
  if (docs === undefined) return options;
  const schemas = printSchemas(contract, checked);
  return { ...options, docs: { ...docs, schemas } };
}

/**
 * Prints the RIDL of each host, by the path of its document, without private
 * comments and without the parts that the filter excludes.
 */
export function printSchemas(
  contract: Contract,
  checked: CheckedContract,
): ReadonlyMap<string, string> {
  const kept = new Set(contract.hosts.map(({ document }) => document));
  return new Map(
    checked.hosts
      .filter(({ document }) => kept.has(document.path))
      .map((host) => [
        host.document.path,
        printSchemaRidl(checked, host, contract),
      ]),
  );
}

/** The data from which RIDL is printed. */
export interface SchemaSource {
  /** The contract without the parts that the filter excludes. */
  readonly contract: Contract;
  readonly checked: CheckedContract;
}
