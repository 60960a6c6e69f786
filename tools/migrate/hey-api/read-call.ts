import {
  type Arguments,
  ArgumentReader,
  type OptionTable,
} from "../change/arguments.js";
import type { ContractOperation } from "../change/operations.js";
import type { NamedProperty } from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";
import type { SdkFunction } from "./declarations.js";
import type { CallOptions } from "./read-spread.js";

const options: OptionTable = {
  path: "path",
  query: "query",
  headers: "writtenHeaders",
  body: "body",
  parseAs: "parser",
  signal: "option",
  client: "nothing",
  responseStyle: "nothing",
  throwOnError: "nothing",
};

/** How a call returns its outcome. */
export interface OutcomeStyle {
  readonly isThrowing: boolean;
  readonly isData: boolean;
}

/**
 * Reads the options of a call of hey-api as the fields of a request.
 *
 * Errors: {@link UnsupportedCode} for what has no equivalent.
 */
export function readArguments(
  { address }: OldCall,
  { spread, written }: CallOptions,
  operation: ContractOperation,
  lookup: SymbolLookup,
): Arguments {
  const reader = new ArgumentReader(address.path, operation, lookup);
  for (const each of spread) reader.readSpread(each);
  reader.readAll(written, { options });
  return reader.finish();
}

/** Reads how a call returns its outcome. Errors: {@link UnsupportedCode} if it varies. */
export function styleOf(
  { written }: CallOptions,
  { isData, isThrowing }: SdkFunction,
): OutcomeStyle {
  const options = new Map(written.map((each) => [each.name, each] as const));
  const throwing = textOf(options.get("throwOnError"), ["true", "false"]);
  const style = textOf(options.get("responseStyle"), [
    '"data"',
    "'data'",
    '"fields"',
    "'fields'",
  ]);
  return {
    isThrowing: throwing === null ? isThrowing : throwing === "true",
    isData: style === null ? isData : style.includes("data"),
  };
}

function textOf(
  property: NamedProperty | undefined,
  known: readonly string[],
): string | null {
  if (property === undefined) return null;
  const text = property.value.getText();
  if (known.includes(text)) return text;
  throw new UnsupportedCode(
    property.node,
    `the option \`${property.name}\` is not a constant`,
  );
}
