import type {
  CodeChange,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import type { MovedImport } from "../change/drop-imports.js";
import { type Base, type ContractOperation } from "../change/operations.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";
import { ArgumentReader, type OptionTable } from "../change/arguments.js";
import { helperFile, runtimeEntry } from "../change/helper-file.js";
import { useCreate, useHelper, useType } from "../change/new-client.js";
import { packageClient } from "../change/package-client.js";
import { propertiesOf } from "../change/properties.js";
import { outcomeArguments } from "../change/outcome-arguments.js";
import { type NewCall, restCalls } from "../change/rest-calls.js";
import { warningFor } from "../change/base-url.js";
import { relativeSpecifier } from "../../implement/import-names.js";
import { declared, oldPackage, pathsOf } from "./declarations.js";
import { readOptions } from "./read-options.js";
import type { ts } from "ts-morph";

/** The client of openapi-fetch. */
export const openapiFetch: OldClient = {
  name: oldPackage,
  ...packageClient(declared),
  ...restCalls(readCall),
  printCreation,
  isCombination,
  typeName: ({ host }) => host.names.client,
  useTypes,
  moveImport,
  helperFiles: ({ entry }) => [
    helperFile("openapi-fetch/outcome.ts", "outcomeOf", {
      [runtimeEntry]: entry,
    }),
    helperFile("openapi-fetch/middleware.ts", "withMiddleware", {
      [runtimeEntry]: entry,
    }),
  ],
};

const options: OptionTable = {
  params: {
    options: { path: "path", query: "query", header: "headers" },
    refuse: (name) => `parameters in \`${name}\` have no equivalent`,
  },
  body: "body",
  headers: "option",
  signal: "option",
  parseAs: "parser",
};

function readCall(
  call: OldCall,
  operation: ContractOperation,
  { edits, file: { lookup } }: CodeChange,
): NewCall {
  const { address, init } = call;
  const form = { data: "data", response: "response" };
  const more = outcomeArguments(call, operation, form, lookup);
  const reader = new ArgumentReader(address.path, operation, lookup);
  reader.readAll(propertiesOf(init, lookup.compiler), { options });
  return {
    ...reader.finish(),
    client: edits.slice(call.client),
    outcome: "outcomeOf",
    more,
  };
}

function printCreation(
  creation: ts.CallExpression,
  old: string | null,
  base: Base,
  change: CodeChange,
): NewCreation {
  const { file, migration } = change;
  const read = readOptions(creation, base, change);
  const create = useCreate(base, change);
  const warning = warningFor(read, base);
  const kept = old === null ? null : withPaths(creation, old, file.lookup);
  if (migration.hasMiddleware) {
    const name = useHelper("withMiddleware", "middleware", change);
    const all = [create, read.text, ...(kept === null ? [] : [kept])];
    return { text: `${name}(${all.join(", ")})`, warning };
  }
  const text = `${create}(${read.text})`;
  return {
    text: kept === null ? text : `Object.assign(${kept}, ${text})`,
    warning,
  };
}

/**
 * Writes the type of the paths in the code that creates the old client. As an
 * argument, it can no longer be inferred from what the client is assigned to.
 */
function withPaths(
  creation: ts.CallExpression,
  old: string,
  lookup: SymbolLookup,
): string {
  const name =
    creation.typeArguments === undefined ? pathsOf(creation, lookup) : null;
  if (name === null) return old;
  const callee = creation.expression.getText();
  return `${callee}<${name}>${old.slice(callee.length)}`;
}

function isCombination(
  call: ts.CallExpression,
  creation: ts.CallExpression,
): boolean {
  const name = call.expression.getText();
  return (
    (name === "Object.assign" && call.arguments[0] === creation) ||
    (name.endsWith("withMiddleware") && call.arguments[2] === creation)
  );
}

function useTypes(base: Base, change: CodeChange): readonly string[] {
  const { helpers, migration } = change;
  const name = useType(base, change);
  if (!migration.hasMiddleware) return [name];
  const middleware = helpers.use({
    name: "HasMiddleware",
    file: "middleware",
    isType: true,
  });
  return [name, middleware];
}

/** Types of middleware move to the file with the function that adds it. */
function moveImport({ file, migration }: CodeChange): MovedImport | null {
  const { hasMiddleware, helpers, importExtension, staysOld } = migration;
  if (!hasMiddleware || staysOld({ creation: null, document: "" })) return null;
  const specifier = relativeSpecifier(
    file.source.fileName,
    `${helpers}/middleware${importExtension}`,
  );
  return { from: oldPackage, name: "Middleware", specifier };
}
