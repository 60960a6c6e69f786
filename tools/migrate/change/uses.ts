import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import type { OperationAddress } from "./operations.js";
import type { UnsupportedCode } from "./unsupported-code.js";

/** Finds declarations behind names. */
export interface SymbolLookup {
  readonly compiler: Compiler;
  readonly checker: ts.TypeChecker;
}

/** A client, by the call that creates it, if known, and by its document. */
export interface ClientKey {
  readonly creation: ts.CallExpression | null;
  /** Empty if it is unknown. */
  readonly document: string;
}

/** Whether two clients can be the same. */
export function canBeSame(left: ClientKey, right: ClientKey): boolean {
  return left.creation === null || right.creation === null
    ? left.document === right.document ||
        left.document === "" ||
        right.document === ""
    : left.creation === right.creation;
}

/** A call that sends a request, e.g. `client.GET("/orders", …)`. */
export interface OldCall extends ClientKey {
  readonly node: ts.CallExpression;
  /** The client, or the function if the call names no client. */
  readonly client: ts.Expression;
  readonly address: OperationAddress;
  readonly init: ts.Expression | undefined;
}

/** A use of the client that a person has to change. */
export interface OtherUse extends ClientKey {
  readonly reason: UnsupportedCode;
  /** Whether no call of its client can be migrated. */
  readonly isBlocking: boolean;
}

/** What a file has of an old client. */
export interface Uses {
  readonly calls: readonly OldCall[];
  readonly others: readonly OtherUse[];
  /** Calls that create a client. */
  readonly creations: readonly ts.CallExpression[];
  /** Names of a client that generated code creates. */
  readonly references: readonly ts.Identifier[];
  /** Types such as `Client<paths>`. */
  readonly types: readonly ts.TypeNode[];
  /** Whether a client has middleware. */
  readonly hasMiddleware: boolean;
  /** The name of the client's package in an import, or null if there is none. */
  readonly importsOld: ts.Expression | null;
}
