import { hostScope, type HostScope } from "../plan/file-scope.js";
import type { Plan, UnitPlan } from "../plan/plan.js";

/** The scope of a file with handlers. */
export interface ServerScope extends HostScope {
  /** Type parameter for the state of a request: `State` unless that is taken. */
  readonly state: string;
  /** The same with its default, as interfaces and functions declare it. */
  readonly typeParameter: string;
}

/** The scope of the file with the handlers of a host; null for no host. */
export function serverScope(
  plan: Plan,
  unit: UnitPlan,
  file: "server" | "webhooks",
): ServerScope | null {
  const scope = hostScope(plan, unit, file);
  if (scope === null) return null;
  const state = scope.locals.claim("State", "RequestState");
  return { ...scope, state, typeParameter: `${state} = undefined` };
}
