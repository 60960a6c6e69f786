import type { ts } from "ts-morph";
import { indentAt } from "../../implement/file-style.js";
import type {
  CodeChange,
  NewCreation,
  OldClient,
} from "../change/old-client.js";
import { type Base, clientFile } from "../change/operations.js";
import { reindent } from "../change/print-code.js";
import { Unclear } from "../change/unclear.js";
import { bothClientsFile, definedHeadersFile } from "./client-files.js";
import { documentOf, oldPackage } from "./declarations.js";
import { findBase } from "./find-method.js";
import { findNulls } from "./find-nulls.js";
import { findUses } from "./find-uses.js";
import { readLinks } from "./read-links.js";
import { readOptions } from "./read-options.js";
import { replaceCall } from "./replace-call.js";

/** The client of tRPC. */
export const trpc: OldClient = {
  name: "trpc",
  missing: {
    message: `\`${oldPackage}\` is not installed, so its calls cannot be found`,
    help: "install the packages of the project first",
  },
  isMissing: () => false,
  isGenerated: () => false,
  findUses,
  documentOf,
  findBase,
  replaceCall,
  printCreation,
  replaceReference: () => undefined,
  isCombination: (call, creation) =>
    call.expression.getText().endsWith("addClient") &&
    call.arguments[0] === creation,
  typeName: ({ host }) => host.names.client,
  useTypes: (base, { generated }) => [
    generated.use({
      name: base.host.names.client,
      file: clientFile(base),
      isType: true,
    }),
  ],
  moveImport: () => null,
  helperFiles: () => [bothClientsFile, definedHeadersFile],
};

function printCreation(
  creation: ts.CallExpression,
  old: string | null,
  base: Base,
  change: CodeChange,
): NewCreation {
  const { doubts, file, generated, helpers, migration } = change;
  const link = readLinks(creation, file.lookup);
  const { doubtful, text: options } = readOptions(link, base, change);
  const create = generated.use({
    name: base.host.names.createClient,
    file: clientFile(base),
    isType: false,
  });
  const document = documentOf(
    file.lookup,
    file.lookup.checker.getTypeAtLocation(creation),
  );
  const nulls = findNulls(creation, document, base, migration);
  doubts.push(
    ...(old === null ? link.doubts : []),
    ...(nulls === null ? [] : [nulls]),
  );
  const { text: code } = file.source;
  const indent = indentAt(code, creation.getStart());
  const text = `${create}(${reindent(options, indent)})`;
  const doubt =
    doubtful &&
    new Unclear(
      doubtful,
      `the new client calls \`${base.host.host.basePath.text}\` at this address, and no longer tRPC's server`,
      "serve the contract there before you run the program",
    );
  if (old === null) return { text, doubt };
  const add = helpers.use({
    name: "addClient",
    file: bothClientsFile.name,
    isType: false,
  });
  return { text: `${add}(${old}, ${text})`, doubt };
}
