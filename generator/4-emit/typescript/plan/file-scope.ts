import type { NamePool } from "../names/name-pool.js";
import { Imports } from "./imports.js";
import type { FileName } from "./layout.js";
import type { HostPlan, Plan, UnitPlan } from "./plan.js";

/** What is known while a file is built. */
export interface FileScope {
  readonly plan: Plan;
  readonly unit: UnitPlan;
  readonly imports: Imports;
  /** Names of this file that are not exported. */
  readonly locals: NamePool;
}

/** The scope of a file that is made for a host. */
export interface HostScope extends FileScope {
  readonly host: HostPlan;
}

/** The scope of one file. */
export function createScope(
  plan: Plan,
  unit: UnitPlan,
  file: FileName,
): FileScope {
  return {
    plan,
    unit,
    imports: new Imports(plan, unit, file),
    locals: plan.names.fileScope(unit.host?.host),
  };
}

/** One scope for each host. */
export function hostScopes(plan: Plan, file: FileName): readonly HostScope[] {
  return plan.hosts.map((host) => ({
    ...createScope(plan, host.unit, file),
    host,
  }));
}
