import type { ts } from "ts-morph";
import { type Arguments, ArgumentReader } from "../change/arguments.js";
import type { ContractOperation } from "../change/operations.js";
import { propertiesOf } from "../change/properties.js";
import { Unclear } from "../change/unclear.js";
import type { SymbolLookup } from "../change/uses.js";
import type { Compiler } from "../../implement/compiler.js";

/**
 * Reads the options of a call of openapi-fetch as the fields of a request.
 *
 * Errors: {@link Unclear} for what has no equivalent.
 */
export function readArguments(
  init: ts.Expression | undefined,
  path: string,
  operation: ContractOperation,
  lookup: SymbolLookup,
): Arguments {
  const { compiler } = lookup;
  const reader = new ArgumentReader(path, operation, lookup);
  for (const { name, node, value } of propertiesOf(init, compiler)) {
    switch (name) {
      case "params":
        readParams(value, reader, compiler);
        break;
      case "body":
        reader.readBody(value);
        break;
      case "headers":
      case "signal":
        reader.addOption(name, value);
        break;
      case "parseAs":
        reader.readParser(value);
        break;
      default:
        throw new Unclear(node, `the option \`${name}\` has no equivalent`);
    }
  }
  return reader.finish();
}

function readParams(
  params: ts.Expression,
  reader: ArgumentReader,
  compiler: Compiler,
): void {
  for (const { name, node, value } of propertiesOf(params, compiler)) {
    switch (name) {
      case "path":
        reader.readPath(value);
        break;
      case "query":
        reader.readQuery(value);
        break;
      case "header":
        reader.readHeaders(value);
        break;
      default:
        throw new Unclear(node, `parameters in \`${name}\` have no equivalent`);
    }
  }
}
