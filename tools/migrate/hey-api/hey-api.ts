import type { ts } from "ts-morph";
import type {
  CodeChange,
  Migration,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import { helperFile, runtimeEntry } from "../change/helper-file.js";
import { useHelper } from "../change/new-client.js";
import type { Base, ContractOperation } from "../change/operations.js";
import { outcomeArguments } from "../change/outcome-arguments.js";
import { type NewCall, restCalls } from "../change/rest-calls.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { OldCall } from "../change/uses.js";
import { apiClientFile } from "./api-client-file.js";
import { configOf } from "./check-config.js";
import { declarationOf, documentOf, isGenerated } from "./declarations.js";
import { readDefault } from "./default-client.js";
import { findUses, sdkFunctionAt } from "./find-uses.js";
import { type OutcomeStyle, readArguments, styleOf } from "./read-call.js";
import { readOptions } from "./read-spread.js";
import { checkSecurity } from "./check-security.js";

/** The functions and the client that hey-api generates. */
export const heyApi: OldClient = {
  name: "hey-api",
  missing: {
    message: "the project has no code that hey-api generated",
    help: "run `openapi-ts` first, or choose a project with `--tsconfig`",
  },
  isMissing: (programs) =>
    !programs.some((each) => each.getSourceFiles().some(isGenerated)),
  isGenerated,
  findUses,
  documentOf,
  ...restCalls(readCall),
  printCreation,
  replaceReference,
  isCombination: (call, creation) =>
    isNewCreation(call) && call.arguments[1] === creation,
  typeName: () => "ApiClient",
  useTypes: (_, { helpers }) => [
    helpers.use({ name: "ApiClient", file: "api-client", isType: true }),
  ],
  moveImport: () => null,
  helperFiles,
};

/** Returns the only host whose calls are migrated. */
function mainBase({ bases }: Migration): Base | null {
  return [...bases.values()].find((each) => each !== null) ?? null;
}

function readCall(
  call: OldCall,
  operation: ContractOperation,
  change: CodeChange,
): NewCall {
  const { edits, file, migration } = change;
  const { compiler } = migration;
  const { lookup } = file;
  if (operation.host !== mainBase(migration)?.host) {
    throw new UnsupportedCode(call.node, "its client is for another host");
  }
  const called = sdkFunctionAt(call.node, lookup);
  if (called === null)
    throw new UnsupportedCode(call.node, "its address is unknown");
  checkSecurity(call.node, called.security, operation, migration);
  const options = readOptions(call.init, lookup);
  const style = styleOf(options, called);
  const form = { data: "data", response: "response", missing: "request" };
  const more = outcomeArguments(
    call,
    operation,
    style.isData ? null : form,
    lookup,
  );
  const read = readArguments(call, options, operation, lookup);
  const isNamed = call.client !== call.node.expression;
  const declared = isNamed ? declarationOf(lookup, call.client) : called.client;
  if (declared === null && !isNamed)
    throw new UnsupportedCode(call.node, "its client is unknown");
  if (declared !== null) readDefault(declared, call.client, lookup);
  const client =
    declared === null
      ? printOperand(call.client, edits.slice(call.client), compiler)
      : useDefault(change);
  return { ...read, client, outcome: outcomeName(style), more };
}

function outcomeName({ isData, isThrowing }: OutcomeStyle): string {
  if (isData) return isThrowing ? "dataOrThrow" : "dataOf";
  return isThrowing ? "successOf" : "outcomeOf";
}

/** Prints an expression before a dot. */
function printOperand(
  node: ts.Expression,
  text: string,
  { isLeftHandSideExpression }: Migration["compiler"],
): string {
  return isLeftHandSideExpression(node) ? text : `(${text})`;
}

/** Imports the client that replaces the one in generated code. */
function useDefault(change: CodeChange): string {
  return useHelper("apiClient", "api-client", change);
}

function printCreation(
  creation: ts.CallExpression,
  old: string | null,
  base: Base,
  change: CodeChange,
): NewCreation {
  const { edits, migration } = change;
  if (base.host !== mainBase(migration)?.host) {
    throw new UnsupportedCode(creation, "the client is for another host");
  }
  const config = configOf(creation, migration.compiler);
  const name = useHelper("createApiClient", "api-client", change);
  const options = config === null ? null : edits.slice(config);
  const all = [
    ...(options === null && old === null ? [] : [options ?? "{}"]),
    ...(old === null ? [] : [old]),
  ];
  return { text: `${name}(${all.join(", ")})`, warning: null };
}

function replaceReference(name: ts.Identifier, change: CodeChange): void {
  const { edits, file, migration } = change;
  const { compiler, isUsed, blocked, staysOld } = migration;
  const { lookup } = file;
  const declaration = declarationOf(lookup, name);
  if (declaration === null) return;
  const { creation } = readDefault(declaration, name, lookup);
  const key = {
    creation,
    document: documentOf(lookup, lookup.checker.getTypeAtLocation(name)),
  };
  const { parent } = name;
  if (compiler.isCallExpression(parent) && isNewCreation(parent)) {
    if (staysOld(key)) return;
    // The file with the new client needs the old one no longer.
    const [before] = parent.arguments;
    if (before) edits.replaceRange(before.end, name.end, "");
    return;
  }
  if (mainBase(migration) === null) return;
  if (blocked.some((each) => each.creation === creation)) return;
  if (staysOld(key) && !isUsed(key)) return;
  const text = useDefault(change);
  const isShort = compiler.isShorthandPropertyAssignment(parent);
  edits.replace(name, isShort ? `${name.text}: ${text}` : text);
}

function isNewCreation({ expression }: ts.CallExpression): boolean {
  return expression.getText().endsWith("createApiClient");
}

function helperFiles(migration: Migration) {
  const base = mainBase(migration);
  if (base === null) return [];
  return [
    helperFile("hey-api/outcome.ts", "outcomeOf", {
      [runtimeEntry]: migration.entry,
      "./api-client.js": `./api-client${migration.importExtension}`,
    }),
    apiClientFile(base, migration),
  ];
}
