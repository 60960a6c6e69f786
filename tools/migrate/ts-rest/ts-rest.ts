import type { ts } from "ts-morph";
import { addTo, bothClients } from "../change/both-clients.js";
import { relativeSpecifier } from "../../implement/import-names.js";
import type {
  CodeChange,
  HelperFile,
  Migration,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import {
  type Base,
  clientFile,
  type ContractOperation,
} from "../change/operations.js";
import { outcomeArguments } from "../change/outcome-arguments.js";
import { doubtOf } from "../change/base-url.js";
import { type NewCall, restCalls } from "../change/rest-calls.js";
import { Unclear } from "../change/unclear.js";
import type { OldCall } from "../change/uses.js";
import { documentOf, oldPackage, routeAt } from "./declarations.js";
import { findUses } from "./find-uses.js";
import { fetchByFile, restClientsFile } from "./client-files.js";
import { outcomeFile } from "./outcome-file.js";
import { readArguments } from "./read-call.js";
import { readOptions } from "./read-options.js";

/** The client of ts-rest. */
export const tsRest: OldClient = {
  name: "ts-rest",
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
  ...bothClients,
  moveImport: () => null,
  helperFiles,
};

function readCall(
  call: OldCall,
  operation: ContractOperation,
  { edits, file, migration }: CodeChange,
): NewCall {
  const { address, client, init } = call;
  const { lookup } = file;
  if (!isWhole(call, migration)) {
    throw new Unclear(
      client,
      "its client is a part of another one, or unknown",
    );
  }
  const form = { data: "body", status: "status", missing: "headers" };
  const more = outcomeArguments(call, operation, form, lookup);
  const read = readArguments(init, address.path, operation, lookup);
  return {
    ...read,
    client: edits.slice(client),
    outcome: outcomeName(call, operation, lookup),
    more,
  };
}

/** Whether a client is one that the program creates, and not a part of one. */
function isWhole(
  { creation, document }: OldCall,
  { client, files }: Migration,
): boolean {
  if (creation !== null) return true;
  return files.some(({ lookup, uses }) =>
    uses.creations.some((each) => {
      const type = lookup.checker.getTypeAtLocation(each);
      return client.documentOf(lookup, type) === document;
    }),
  );
}

function outcomeName(
  { node }: OldCall,
  { method }: ContractOperation,
  lookup: CodeChange["file"]["lookup"],
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
  const { edits, file, generated, helpers, surroundings } = change;
  const read = readOptions(creation, {
    ...surroundings,
    replace: (start, end, text) => edits.replaceRange(start, end, text),
    checker: file.lookup.checker,
    prefix: base.prefix,
    useFetchBy: () =>
      helpers.use({ name: "fetchBy", file: fetchByFile.name, isType: false }),
  });
  const create = generated.use({
    name: base.host.names.createClient,
    file: clientFile(base),
    isType: false,
  });
  const doubt = doubtOf(read, base);
  const text = `${create}(${read.text})`;
  return { text: addTo(old, text, change), doubt };
}

function helperFiles(migration: Migration): readonly HelperFile[] {
  const { bases, entry, helpers, importExtension, output } = migration;
  const base = [...bases.values()].find((each) => each !== null);
  if (base === undefined || base === null) return [];
  const { folder } = base.host.unit;
  const errors = `${output}/${folder === "" ? "" : `${folder}/`}errors${importExtension}`;
  const specifier = relativeSpecifier(`${helpers}/outcome.ts`, errors);
  return [outcomeFile(entry, specifier), restClientsFile, fetchByFile];
}
