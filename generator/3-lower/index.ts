import type { CheckedContract } from "../2-check/index.js";
import type {
  Contract,
  ErrorDeclaration,
  TypeDeclaration,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { lowerCredentials } from "./credentials.js";
import { lowerDocs } from "./docs.js";
import { lowerHost } from "./hosts.js";
import { lowerType } from "./types.js";

/**
 * Turns a checked contract into the model that emitters read.
 * Input: a contract about which no diagnostic is an error.
 * Errors: none; what check let through and cannot be lowered is a bug.
 */
export function lowerContract(checked: CheckedContract): Contract {
  const errors = lowerErrors(checked);
  const credentials = lowerCredentials(checked);
  const canSayWhy = errors.some((error) => error.name === "InvalidArgument");
  return {
    kind: "contract",
    hosts: checked.hosts.map((host) => lowerHost(host, credentials, checked)),
    types: lowerTypes(checked),
    errors,
    credentials,
    validationError: canSayWhy ? "InvalidArgument" : "WebrpcBadRequest",
  };
}

function lowerTypes(checked: CheckedContract): readonly TypeDeclaration[] {
  const hostNames = new Map(
    checked.hosts.map((host) => [host.document.path, host.name]),
  );
  return checked.types.map((type) => {
    const { path } = type.document;
    const scope = checked.scopes.get(path);
    invariant(scope !== undefined, `no scope for ${path}`);
    const isShared = checked.importedPaths.has(path);
    const host = isShared ? null : (hostNames.get(path) ?? null);
    return lowerType(type, scope, host);
  });
}

/** By code; the same error declared for two hosts is one. */
function lowerErrors(checked: CheckedContract): readonly ErrorDeclaration[] {
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
