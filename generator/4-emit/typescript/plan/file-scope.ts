import type { NamePool } from "../../names/name-pool.js";
import { Imports } from "./imports.js";
import type { FileName } from "./layout.js";
import type { HostPlan, Plan, UnitPlan } from "./plan.js";

/** The context for building a file. */
export interface FileScope {
  readonly plan: Plan;
  readonly unit: UnitPlan;
  readonly imports: Imports;
  /** Names in this file that are not exported. */
  readonly locals: NamePool;
}

/** The context for building a file of a host. */
export interface HostScope extends FileScope {
  readonly host: HostPlan;
}

/** Creates the scope of a file. */
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

/** Creates the scope of a host's file. Returns null if the unit has no host. */
export function hostScope(
  plan: Plan,
  unit: UnitPlan,
  file: FileName,
): HostScope | null {
  const { host } = unit;
  return host && { ...createScope(plan, unit, file), host };
}
