import { hostScopes, type HostScope } from "../plan/file-scope.js";
import type { Plan } from "../plan/plan.js";
import { widthOf } from "../text/format.js";

/** The scope of a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State` unless that is taken. */
  readonly state: string;
}

/** One scope for each host, for the file that has its handlers. */
export function serverScopes(
  plan: Plan,
  file: "server" | "webhooks",
): readonly ServerScope[] {
  return hostScopes(plan, file).map((scope) => ({
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
