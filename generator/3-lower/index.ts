import type { CheckedContract } from "../2-check/index.js";
import type { DeclaredType } from "../2-check/program/program.js";
import type {
  Contract,
  ErrorDeclaration,
  TypeDeclaration,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { invalidRequestError } from "../ir/refusal-errors.js";
import { lowerCredentials } from "./credentials.js";
import { lowerDocs } from "./docs.js";
import { lowerHost } from "./hosts.js";
import type { ServiceSurroundings } from "./services.js";
import { createMarkSensitive, type MarkSensitive } from "./sensitive-types.js";
import { lowerType } from "./types.js";

/** The parts of a checked contract that are lowered. */
type Lowered = Pick<
  CheckedContract,
  "errors" | "hosts" | "importedPaths" | "scopes" | "types"
>;

/**
 * Turns a checked contract into the model that emitters read. Input: a contract
 * without errors. It never fails: if a checked contract cannot be lowered, that
 * is a bug.
 */
export function lowerContract(checked: Lowered): Contract {
  const errors = lowerErrors(checked);
  const credentials = lowerCredentials(checked);
  const lowered = lowerTypes(checked);
  const markSensitive = createMarkSensitive(lowered.values());
  const types = markStructs(lowered, markSensitive);
  const { scopes } = checked;
  const canSayWhy = errors.some((error) => error.name === invalidRequestError);
  const validationError = canSayWhy ? invalidRequestError : "WebrpcBadRequest";
  const common = { errors, credentials, validationError };
  const surroundings = { contract: common, scopes, types, markSensitive };
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
  markSensitive: MarkSensitive,
): ServiceSurroundings["types"] {
  const marked = new Map(types);
  for (const [syntax, type] of types) {
    if (type.kind !== "struct") continue;
    const fields = markSensitive(type.fields);
    if (fields !== type.fields) marked.set(syntax, { ...type, fields });
  }
  return marked;
}

/**
 * Lowers the errors, sorted by code. An error that two hosts declare counts
 * once.
 */
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
