import type { CheckedContract } from "../2-check/index.js";
import type {
  CheckedHost,
  Declared,
  DeclaredType,
  TypeSyntax,
} from "../2-check/program/program.js";
import type {
  Contract,
  ErrorBody,
  ErrorDeclaration,
  TypeDeclaration,
  Credential,
  Host,
} from "../ir/contract.js";
import { methodsOf } from "../ir/methods-of.js";
import { invalidRequestError, refusalErrors } from "../ir/refusal-errors.js";
import { lowerDocs, noDocs } from "./docs.js";
import { type ServiceSurroundings, lowerService } from "./services.js";
import { createMarkFields, type MarkFields } from "./mark-fields.js";
import { lowerType, scopeIn } from "./types.js";
import { lowerStruct } from "./unions.js";
import {
  errorBodiesIn,
  errorBodyKey,
  findErrorMembers,
  structOf,
} from "../2-check/program/error-members.js";
import { resolveType } from "../2-check/program/resolve-type.js";
import {
  anyStatusKey,
  listErrorsWithData,
} from "../2-check/notation/error-data.js";
import { placesOf } from "../2-check/program/credentials.js";
import { keyOf } from "../ir/credentials-of.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import type { AliasDeclaration } from "../1-parse/ast.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import { findHeader } from "../2-check/notation/headers.js";
import { basePathOf, parseBasePath } from "../2-check/notation/base-path.js";

/** The parts of a checked contract that are lowered. */
type Lowered = Pick<
  CheckedContract,
  "errors" | "hosts" | "importedPaths" | "scopes" | "types"
>;

/** Lowers a checked contract without errors to the model that emitters read. */
export function lowerContract(checked: Lowered): Contract {
  const credentials = lowerCredentials(checked);
  const lowered = lowerTypes(checked);
  const markFields = createMarkFields([...lowered.values()].flat());
  const marked = markStructs(lowered, markFields);
  const types = new Map(
    [...marked].flatMap(([syntax, declarations]) => {
      const own = declarations.at(-1);
      return own === undefined ? [] : [[syntax, own]];
    }),
  );
  const errors = lowerErrors(checked);
  const common = { errors, credentials };
  const surroundings = {
    contract: common,
    program: checked,
    types,
    markFields,
  };
  return {
    kind: "contract",
    hosts: checked.hosts.map((host) => lowerHost(host, surroundings)),
    types: [...marked.values()].flat(),
    ...common,
  };
}

/** What each declaration becomes: its own type last. */
type LoweredTypes = ReadonlyMap<TypeSyntax, readonly TypeDeclaration[]>;

/**
 * Lowers the types. Returns them by declaration, in the order of the contract.
 */
function lowerTypes(checked: Lowered): LoweredTypes {
  const hostNames = new Map(
    checked.hosts.map((host) => [host.document.path, host.name]),
  );
  const lower = (type: DeclaredType): readonly TypeDeclaration[] => {
    const { syntax } = type;
    const { path } = type.document;
    const isShared = checked.importedPaths.has(path);
    const host = isShared ? null : (hostNames.get(path) ?? null);
    const scoped = scopeIn(checked, type.document);
    const lowered = lowerType(type, scoped, host);
    return syntax.kind === "struct" && lowered.kind === "struct"
      ? lowerStruct(syntax, lowered, scoped)
      : [lowered];
  };
  return new Map(checked.types.map((type) => [type.syntax, lower(type)]));
}

function markStructs(
  types: LoweredTypes,
  markFields: MarkFields,
): LoweredTypes {
  const mark = (type: TypeDeclaration): TypeDeclaration => {
    if (type.kind !== "struct") return type;
    const fields = markFields(type.fields);
    return fields === type.fields ? type : { ...type, fields };
  };
  return new Map(
    [...types].map(([syntax, declared]) => [syntax, declared.map(mark)]),
  );
}

/** Lowers the errors, sorted by code. Two hosts can declare the same error. */
function lowerErrors(checked: Lowered): readonly ErrorDeclaration[] {
  const data = findErrorData(checked);
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
      ...(data.get(name) ?? noData),
      docs: lowerDocs(syntax.docs),
    });
  }
  return [...byName.values()].sort((a, b) => a.code - b.code);
}

/** What an error carries. */
type CarriedData = Pick<
  ErrorDeclaration,
  "anyStatus" | "data" | "dataMembers" | "isDataOptional"
>;

const noData: CarriedData = {
  anyStatus: false,
  data: null,
  dataMembers: [],
  isDataOptional: false,
};

/**
 * Returns what errors carry, by error: their own data, or the body of their
 * host's errors.
 */
function findErrorData(checked: Lowered): ReadonlyMap<string, CarriedData> {
  const bodies = checked.hosts.flatMap((host) => {
    const data = findErrorBody(host, checked);
    const errors = usableErrors(documentsOf(host), { program: checked });
    return data === null ? [] : errors.map((name) => [name, data] as const);
  });
  const own = checked.types.flatMap(({ document, syntax }) => {
    if (syntax.kind !== "alias") return [];
    const errors = listErrorsWithData(syntax) ?? [];
    const data = errors.length > 0 && lowerData(checked, { document, syntax });
    if (!data) return [];
    const anyStatus = metadataValue(syntax, anyStatusKey) === "true";
    return errors.map(({ text }) => [text, { ...data, anyStatus }] as const);
  });
  return new Map<string, CarriedData>([...bodies, ...own]);
}

/** Returns the body that a host declares or imports for its errors, or null. */
function findErrorBody(
  { document }: Pick<CheckedHost, "document">,
  { scopes }: Pick<Lowered, "scopes">,
): (CarriedData & ErrorBody) | null {
  const scope = scopes.get(document.path);
  const [alias] = scope === undefined ? [] : errorBodiesIn(scope);
  const data = alias && lowerData({ scopes }, alias);
  if (alias === undefined || !data) return null;
  const mediaType = metadataValue(alias.syntax, errorBodyKey) ?? "";
  return {
    ...data,
    struct: data.data,
    members: data.dataMembers,
    mediaType: mediaType.toLowerCase(),
  };
}

function lowerData(
  program: Pick<Lowered, "scopes">,
  { document, syntax }: Declared<AliasDeclaration>,
) {
  const struct = structOf(resolveType(program, document, syntax.type));
  if (struct === null) return null;
  const { found, unfilled } = findErrorMembers(program, struct);
  const hasRole = found.some(({ member }) => member.role !== null);
  return {
    anyStatus: false,
    data: struct.syntax.name.text,
    dataMembers: hasRole ? found.map(({ member }) => member) : [],
    isDataOptional: hasRole && unfilled.length === 0,
  };
}

/** Lowers the aliases that declare a credential, in the order of the types. */
function lowerCredentials({
  types,
}: Pick<CheckedContract, "types">): readonly Credential[] {
  return types.flatMap(({ syntax }) => {
    if (syntax.kind !== "alias") return [];
    const [written] = placesOf(syntax);
    if (written === undefined) return [];
    const { parameter, place } = written;
    return {
      name: syntax.name.text,
      docs: lowerDocs(syntax.docs),
      key: keyOf({ parameter: parameter.text, place }),
      place,
      parameter: parameter.text,
      scheme: metadataValue(syntax, "scheme") ?? null,
      error: metadataValue(syntax, "error") ?? "",
    };
  });
}

function lowerHost(
  checked: CheckedHost,
  surroundings: Omit<ServiceSurroundings, "host">,
): Host {
  const { document, name, services } = checked;
  const address = findBaseAddress(document);
  const version = findHeader(document, "version")?.value.text;
  const basePath = parseBasePath(basePathOf(document));
  const described = address ?? findHeader(document, "name");
  const usable = usableErrors(documentsOf(checked), surroundings);
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
    errorBody: findErrorBody(checked, surroundings.program),
    baseUrl: address ? (metadataValue(address, "base") ?? null) : null,
    services: lowered,
    errors: contract.errors.flatMap(({ name }) =>
      names.has(name) ? name : [],
    ),
  };
}

function documentsOf({
  document,
  services,
}: CheckedHost): readonly LoadedDocument[] {
  return [document, ...services.map((service) => service.document)];
}

/** Returns the names of the errors that documents declare or import. */
function usableErrors(
  documents: readonly LoadedDocument[],
  { program }: Pick<ServiceSurroundings, "program">,
): readonly string[] {
  const usable = documents.flatMap(
    ({ path }) => program.scopes.get(path)?.errors ?? [],
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
