import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { createScope } from "../../generator/4-emit/typescript/plan/file-scope.js";
import type { Imports } from "../../generator/4-emit/typescript/plan/imports.js";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { PackageView } from "../../generator/4-emit/view/package-view.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { EntryPoint } from "./entry-points.js";

/** The context for every part of a README. */
export interface ReadmeContext {
  readonly plan: Plan;
  readonly name: string;
  /** The targets whose modules users can import. */
  readonly targets: readonly Target[];
  readonly entryPoints: readonly EntryPoint[];
  /** Entry points of `@ridlkit/runtime` that users need, e.g. `errors`. */
  readonly runtimeEntries: PackageView["runtimeEntries"];
  /** Collects imports of type names, as for a file in the root folder. */
  readonly imports: Imports;
}

/** Creates the context of a README. */
export function createReadmeContext(
  contract: Contract,
  options: EmitOptions,
  targets: readonly Target[],
  name: string,
  entryPoints: readonly EntryPoint[],
  runtimeEntries: PackageView["runtimeEntries"],
): ReadmeContext {
  const plan = createPlan(contract, options);
  const { imports } = createScope(plan, plan.root, "types");
  return { plan, name, targets, entryPoints, runtimeEntries, imports };
}
