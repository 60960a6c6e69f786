import type { Contract } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter.js";
import { hostScopes, type HostScope } from "../calls/call-scope.js";

/** The scope of a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State` unless that is taken. */
  readonly state: string;
  /** The same with its default, as interfaces and functions declare it. */
  readonly typeParameter: string;
}

/** One scope for each host of a contract, for the file that has its handlers. */
export function serverScopes(
  contract: Contract,
  options: EmitOptions,
  file: "server" | "webhooks",
): readonly ServerScope[] {
  return hostScopes(contract, options, file).map((scope) => {
    const state = scope.locals.claim("State", "RequestState");
    return { ...scope, state, typeParameter: `${state} = undefined` };
  });
}
