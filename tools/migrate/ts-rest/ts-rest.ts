import type { ts } from "ts-morph";
import { ArgumentReader, type OptionTable } from "../change/arguments.js";
import {
  addTo,
  bothClients,
  bothClientsFile,
  requireWhole,
  useCreate,
} from "../change/new-client.js";
import {
  type HelperFile,
  helperFile,
  runtimeEntry,
} from "../change/helper-file.js";
import { packageClient } from "../change/package-client.js";
import { propertiesOf } from "../change/properties.js";
import { relativeSpecifier } from "../../implement/import-names.js";
import type {
  CodeChange,
  Migration,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import {
  type Base,
  type ContractOperation,
  listFieldsOf,
  querySlots,
} from "../change/operations.js";
import { outcomeArguments } from "../change/outcome-arguments.js";
import { warningFor } from "../change/base-url.js";
import { type NewCall, restCalls } from "../change/rest-calls.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";
import { declared, routeAt } from "./declarations.js";
import { readOptions } from "./read-options.js";

/** The client of ts-rest. */
export const tsRest: OldClient = {
  name: "ts-rest",
  ...packageClient(declared),
  ...restCalls(readCall),
  printCreation,
  ...bothClients,
  helperFiles,
};

const options: OptionTable = {
  params: "path",
  query: "query",
  body: "body",
  headers: "headers",
  extraHeaders: "writtenHeaders",
  fetchOptions: { options: { signal: "option" } },
};

function readCall(
  call: OldCall,
  operation: ContractOperation,
  { edits, file, migration }: CodeChange,
): NewCall {
  const { address, client, init } = call;
  const { lookup } = file;
  requireWhole(call, migration);
  const form = { data: "body", status: "status", missing: "headers" };
  const more = outcomeArguments(call, operation, form, lookup);
  const reader = new ArgumentReader(address.path, operation, lookup);
  const properties = propertiesOf(init, lookup.compiler);
  const query = properties.find(({ name }) => name === "query");
  if (query !== undefined) refuseLists(query.value, operation, lookup);
  reader.readAll(properties, { options });
  return {
    ...reader.finish(),
    client: edits.slice(client),
    outcome: outcomeName(call, operation, lookup),
    more,
  };
}

/** Throws if a query has a list, which ts-rest writes as `tags[0]=a`. */
function refuseLists(
  value: ts.Expression,
  operation: ContractOperation,
  { compiler }: SymbolLookup,
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
  throw new UnsupportedCode(
    found,
    "ts-rest sends the items of a list as `name[0]`, and the contract as `name`",
    "check that the server understands both, and change this call by hand",
  );
}

function outcomeName(
  { node }: OldCall,
  { method }: ContractOperation,
  lookup: SymbolLookup,
): string {
  const { expression } = node;
  const route = lookup.compiler.isPropertyAccessExpression(expression)
    ? routeAt(expression, lookup)
    : null;
  if (route?.isStrict !== true) return "outcomeOf";
  // Without a list of its own, a method has all errors of the contract.
  return method.method.errors === null ? "successOf" : "strictOutcomeOf";
}

function printCreation(
  creation: ts.CallExpression,
  old: string | null,
  base: Base,
  change: CodeChange,
): NewCreation {
  const read = readOptions(creation, base, change);
  const create = useCreate(base, change);
  const warning = warningFor(read, base);
  const text = `${create}(${read.text})`;
  return { text: addTo(old, text, change), warning };
}

function helperFiles(migration: Migration): readonly HelperFile[] {
  const { bases, entry, helpers, importExtension, output } = migration;
  const base = [...bases.values()].find((each) => each !== null);
  if (base === undefined || base === null) return [];
  const { folder } = base.host.unit;
  const errors = `${output}/${folder === "" ? "" : `${folder}/`}errors${importExtension}`;
  const specifier = relativeSpecifier(`${helpers}/outcome.ts`, errors);
  return [
    helperFile("ts-rest/outcome.ts", "outcomeOf", {
      [runtimeEntry]: entry,
      "../contract/errors.js": specifier,
    }),
    bothClientsFile("ts-rest"),
    helperFile("ts-rest/fetch-by.ts", "fetchBy"),
  ];
}
