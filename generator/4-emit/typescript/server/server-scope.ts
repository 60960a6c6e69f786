import { hostScopes, type HostScope } from "../plan/file-scope.js";
import type { Plan } from "../plan/plan.js";

/** The scope of a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State` unless that is taken. */
  readonly state: string;
  /** The same with its default, as interfaces and functions declare it. */
  readonly typeParameter: string;
}

/** One scope for each host, for the file that has its handlers. */
export function serverScopes(
  plan: Plan,
  file: "server" | "webhooks",
): readonly ServerScope[] {
  return hostScopes(plan, file).map((scope) => {
    const state = scope.locals.claim("State", "RequestState");
    return { ...scope, state, typeParameter: `${state} = undefined` };
  });
}
