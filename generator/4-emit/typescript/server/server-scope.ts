import type { Contract } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter.js";
import { hostScopes, type HostScope } from "../calls/call-scope.js";
import { widthOf } from "../text/format.js";

/** The scope of a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State` unless that is taken. */
  readonly state: string;
}

/** One scope for each host of a contract, for the file that has its handlers. */
export function serverScopes(
  contract: Contract,
  options: EmitOptions,
  file: "server" | "webhooks",
): readonly ServerScope[] {
  return hostScopes(contract, options, file).map((scope) => ({
    ...scope,
    state: scope.locals.claim("State", "RequestState"),
  }));
}

/**
 * Name of an interface with its type parameter, broken as Prettier does it.
 *
 * Input: what the interface extends, or "".
 */
export function genericHead(
  { state }: ServerScope,
  name: string,
  extended = "",
): string {
  const parameter = `${state} = undefined`;
  const rest = extended === "" ? " {" : ` extends ${extended} {`;
  const line = `export interface ${name}<${parameter}>${rest}`;
  return widthOf(line) <= 80
    ? `${name}<${parameter}>`
    : `${name}<\n  ${parameter},\n>`;
}
