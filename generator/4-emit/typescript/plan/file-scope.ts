import type { NamePool } from "../../names/name-pool.js";
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

/** The scope of a file of the host that a unit is for; null for none. */
export function hostScope(
  plan: Plan,
  unit: UnitPlan,
  file: FileName,
): HostScope | null {
  const { host } = unit;
  return host && { ...createScope(plan, unit, file), host };
}
