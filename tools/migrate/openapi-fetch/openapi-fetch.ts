import type {
  CodeChange,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import type { MovedImport } from "../change/drop-imports.js";
import {
  type Base,
  clientFile,
  type ContractOperation,
  listForms,
} from "../change/operations.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";
import { outcomeArguments } from "../change/outcome-arguments.js";
import { type NewCall, restCalls } from "../change/rest-calls.js";
import { doubtOf } from "../change/base-url.js";
import { relativeSpecifier } from "../../implement/import-names.js";
import { documentOf, oldPackage, pathsOf } from "./declarations.js";
import { findUses } from "./find-uses.js";
import { middlewareFile, outcomeFile } from "./helper-files.js";
import { readArguments } from "./read-call.js";
import { readOptions } from "./read-options.js";
import type { ts } from "ts-morph";

/** The client of openapi-fetch. */
export const openapiFetch: OldClient = {
  name: oldPackage,
  missing: {
    message: `\`${oldPackage}\` is not installed, so its calls cannot be found`,
    help: "install the packages of the project first",
  },
  isMissing: () => false,
  isGenerated: () => false,
  findUses,
  documentOf,
  ...restCalls(readCall),
  printCreation,
  replaceReference: () => undefined,
  isCombination,
  typeName: ({ host }) => host.names.client,
  useTypes,
  moveImport,
  helperFiles: ({ entry }) => [outcomeFile(entry), middlewareFile(entry)],
};

function readCall(
  call: OldCall,
  operation: ContractOperation,
  { edits, file: { lookup } }: CodeChange,
): NewCall {
  const { address, init } = call;
  const form = { data: "data", response: "response" };
  const more = outcomeArguments(call, operation, form, lookup);
  const read = readArguments(init, address.path, operation, lookup);
  return {
    ...read,
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
  const { edits, file, generated, helpers, migration, surroundings } = change;
  const { hasMiddleware, operations } = migration;
  const read = readOptions(creation, {
    ...surroundings,
    replace: (start, end, text) => edits.replaceRange(start, end, text),
    checker: file.lookup.checker,
    prefix: base.prefix,
    areJoined: listForms(operations, base),
    hasMiddleware,
  });
  const create = generated.use({
    name: base.host.names.createClient,
    file: clientFile(base),
    isType: false,
  });
  const doubt = doubtOf(read, base);
  const kept = old === null ? null : withPaths(creation, old, file.lookup);
  if (hasMiddleware) {
    const name = helpers.use({
      name: "withMiddleware",
      file: "middleware",
      isType: false,
    });
    const all = [create, read.text, ...(kept === null ? [] : [kept])];
    return { text: `${name}(${all.join(", ")})`, doubt };
  }
  const text = `${create}(${read.text})`;
  return {
    text: kept === null ? text : `Object.assign(${kept}, ${text})`,
    doubt,
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
  const { generated, helpers, migration } = change;
  const name = generated.use({
    name: base.host.names.client,
    file: clientFile(base),
    isType: true,
  });
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
