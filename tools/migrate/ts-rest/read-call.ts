import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import { type Arguments, ArgumentReader } from "../change/arguments.js";
import {
  type ContractOperation,
  listFieldsOf,
  querySlots,
} from "../change/operations.js";
import { type NamedProperty, propertiesOf } from "../change/properties.js";
import { Unclear } from "../change/unclear.js";
import type { SymbolLookup } from "../change/uses.js";

/**
 * Reads the argument of a call of ts-rest as the fields of a request.
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
  for (const each of propertiesOf(init, compiler)) {
    readMember(each, reader, operation, compiler);
  }
  return reader.finish();
}

function readMember(
  { name, node, value }: NamedProperty,
  reader: ArgumentReader,
  operation: ContractOperation,
  compiler: Compiler,
): void {
  switch (name) {
    case "params":
      reader.readPath(value);
      break;
    case "query":
      refuseLists(value, operation, compiler);
      reader.readQuery(value);
      break;
    case "body":
      reader.readBody(value);
      break;
    case "headers":
      reader.readHeaders(value);
      break;
    case "extraHeaders":
      if (compiler.isObjectLiteralExpression(value)) reader.readHeaders(value);
      else reader.addOption("headers", value);
      break;
    case "fetchOptions":
      readFetchOptions(value, reader, compiler);
      break;
    default:
      throw new Unclear(node, `the option \`${name}\` has no equivalent`);
  }
}

/** Throws if a query has a list, which ts-rest writes as `tags[0]=a`. */
function refuseLists(
  value: ts.Expression,
  operation: ContractOperation,
  compiler: Compiler,
): void {
  const lists = listFieldsOf(operation);
  if (lists.size === 0) return;
  const isList = (name: string): boolean =>
    querySlots(operation).some(
      (each) => each.name === name && lists.has(each.field.jsonName),
    );
  const found = compiler.isObjectLiteralExpression(value)
    ? value.properties.find(
        (each) => each.name === undefined || isList(each.name.getText()),
      )
    : value;
  if (found === undefined) return;
  throw new Unclear(
    found,
    "ts-rest sends the items of a list as `name[0]`, and the contract as `name`",
    "check that the server understands both, and change this call by hand",
  );
}

function readFetchOptions(
  value: ts.Expression,
  reader: ArgumentReader,
  compiler: Compiler,
): void {
  for (const { name, node, value: option } of propertiesOf(value, compiler)) {
    if (name !== "signal") {
      throw new Unclear(node, `the option \`${name}\` has no equivalent`);
    }
    reader.addOption(name, option);
  }
}
