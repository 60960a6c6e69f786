import type { CheckedContract } from "../2-check/index.js";
import type { DeclaredType, CheckedHost } from "../2-check/program/program.js";
import type {
  Contract,
  ErrorDeclaration,
  TypeDeclaration,
  Credential,
  Host,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { methodsOf } from "../ir/methods-of.js";
import { invalidRequestError, refusalErrors } from "../ir/refusal-errors.js";
import { lowerDocs, noDocs } from "./docs.js";
import { type ServiceSurroundings, lowerService } from "./services.js";
import { createMarkFields, type MarkFields } from "./mark-fields.js";
import { lowerType } from "./types.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import type { AliasDeclaration } from "../1-parse/ast.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import { findHeader } from "../2-check/notation/headers.js";
import {
  normalizeBasePath,
  parsePathTemplate,
} from "../2-check/notation/path-template.js";

/** The parts of a checked contract that are lowered. */
type Lowered = Pick<
  CheckedContract,
  "errors" | "hosts" | "importedPaths" | "scopes" | "types"
>;

/** Lowers a checked contract without errors to the model that emitters read. */
export function lowerContract(checked: Lowered): Contract {
  const errors = lowerErrors(checked);
  const credentials = lowerCredentials(checked);
  const lowered = lowerTypes(checked);
  const markFields = createMarkFields(lowered.values());
  const types = markStructs(lowered, markFields);
  const { scopes } = checked;
  const common = { errors, credentials };
  const surroundings = { contract: common, scopes, types, markFields };
  return {
    kind: "contract",
    hosts: checked.hosts.map((host) => lowerHost(host, surroundings)),
    types: [...types.values()],
    ...common,
  };
}

/**
 * Lowers the types. Returns them by declaration, in the order of the contract.
 */
function lowerTypes(checked: Lowered): ServiceSurroundings["types"] {
  const hostNames = new Map(
    checked.hosts.map((host) => [host.document.path, host.name]),
  );
  const lower = (type: DeclaredType): TypeDeclaration => {
    const { path } = type.document;
    const scope = checked.scopes.get(path);
    invariant(scope !== undefined, `no scope for ${path}`);
    const isShared = checked.importedPaths.has(path);
    const host = isShared ? null : (hostNames.get(path) ?? null);
    return lowerType(type, scope, host);
  };
  return new Map(checked.types.map((type) => [type.syntax, lower(type)]));
}

function markStructs(
  types: ServiceSurroundings["types"],
  markFields: MarkFields,
): ServiceSurroundings["types"] {
  const marked = new Map(types);
  for (const [syntax, type] of types) {
    if (type.kind !== "struct") continue;
    const fields = markFields(type.fields);
    if (fields !== type.fields) marked.set(syntax, { ...type, fields });
  }
  return marked;
}

/** Lowers the errors, sorted by code. Two hosts can declare the same error. */
function lowerErrors(checked: Lowered): readonly ErrorDeclaration[] {
  const byName = new Map<string, ErrorDeclaration>();
  for (const { syntax } of checked.errors) {
    const name = syntax.name.text;
    if (byName.has(name)) continue;
    byName.set(name, {
      kind: "error",
      name,
      code: Number(syntax.code.text),
      message: syntax.message.text,
      status: Number(syntax.status?.text ?? 400),
      docs: lowerDocs(syntax.docs),
    });
  }
  return [...byName.values()].sort((a, b) => a.code - b.code);
}

/** Lowers the aliases that declare a header, in the order of the types. */
function lowerCredentials({
  types,
}: Pick<CheckedContract, "types">): readonly Credential[] {
  return types.flatMap(({ syntax }) => {
    if (syntax.kind !== "alias") return [];
    const header = metadataValue(syntax, "header");
    if (header === undefined) return [];
    return {
      name: syntax.name.text,
      docs: lowerDocs(syntax.docs),
      header,
      scheme: metadataValue(syntax, "scheme") ?? null,
      error: metadataValue(syntax, "error") ?? "",
    };
  });
}

const DEFAULT_BASE_PATH = "/rpc/";

function lowerHost(
  { name, document, services }: CheckedHost,
  surroundings: Omit<ServiceSurroundings, "host">,
): Host {
  const address = findBaseAddress(document);
  const version = findHeader(document, "version")?.value.text;
  const written = findHeader(document, "basepath")?.value.text;
  const basePath = parsePathTemplate(
    normalizeBasePath(written ?? DEFAULT_BASE_PATH),
  );
  const described = address ?? findHeader(document, "name");
  const usable = usableErrors(
    [document, ...services.map((service) => service.document)],
    surroundings,
  );
  const validationError = usable.includes(invalidRequestError)
    ? invalidRequestError
    : "WebrpcBadRequest";
  const common = { basePath, validationError };
  const lowered = services.map((service) =>
    lowerService(service, { ...surroundings, host: common }),
  );
  const { contract } = surroundings;
  const names = new Set([
    ...usable,
    // A document that the host does not import can declare its credentials.
    ...methodsOf(lowered).flatMap((method) =>
      refusalErrors(method, contract, common),
    ),
  ]);
  return {
    kind: "host",
    name,
    document: document.path,
    version: version?.replace(/^v/, "") ?? null,
    docs: described ? lowerDocs(described.docs) : noDocs,
    ...common,
    baseUrl: address ? (metadataValue(address, "base") ?? null) : null,
    services: lowered,
    errors: contract.errors.flatMap(({ name }) =>
      names.has(name) ? name : [],
    ),
  };
}

/** Returns the names of the errors that documents declare or import. */
function usableErrors(
  documents: readonly LoadedDocument[],
  { scopes }: Pick<ServiceSurroundings, "scopes">,
): readonly string[] {
  const usable = documents.flatMap(
    ({ path }) => scopes.get(path)?.errors ?? [],
  );
  return usable.map(({ syntax }) => syntax.name.text);
}

function findBaseAddress(
  document: LoadedDocument,
): AliasDeclaration | undefined {
  return document.syntax.items
    .filter((item) => item.kind === "alias")
    .find((alias) => metadataValue(alias, "base") !== undefined);
}
