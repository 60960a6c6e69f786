import type { CheckedContract } from "../../2-check/index.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { Contract } from "../../ir/contract.js";
import { printSchemaRidl } from "../../schema-json/index.js";
import type { Config } from "../config/config.js";
import { activeFilter } from "./active-filter.js";

/**
 * Adds to the settings of the explorer what only the documents know: the RIDL of
 * each host, with its imports taken in and without what the filter leaves out.
 */
export function withSchemas(
  options: EmitOptions,
  { contract, checked, config }: SchemaSource,
): EmitOptions {
  const { docs } = options;
  if (docs === undefined) return options;
  const part = activeFilter(config.filter) === null ? null : contract;
  const kept = new Set(contract.hosts.map(({ document }) => document));
  const schemas = checked.hosts
    .filter(({ document }) => kept.has(document.path))
    .map(
      (host) =>
        [host.document.path, printSchemaRidl(checked, host, part)] as const,
    );
  return { ...options, docs: { ...docs, schemas: new Map(schemas) } };
}

/** What RIDL is printed from. */
export interface SchemaSource {
  /** What the filter leaves. */
  readonly contract: Contract;
  readonly checked: CheckedContract;
  readonly config: Pick<Config, "filter">;
}
