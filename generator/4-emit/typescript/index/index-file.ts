import { createUnitEmitter } from "../plan/unit-emitter.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { createScope } from "../plan/file-scope.js";
import { specifierOf, type FileName } from "../plan/layout.js";
import type { Plan, UnitPlan } from "../plan/plan.js";
import { buildReexport } from "../text/build.js";
import { printFile } from "../text/print.js";

/**
 * Writes `index.ts` for every unit. It omits servers and validators, so that
 * client bundles do not contain them.
 */
export const indexEmitter = createUnitEmitter({
  name: "index",
  summary: "A module that exports types, errors, and clients.",
  guide: "client.md",
  packaged: { entry: "index", content: "all clients, types and errors" },
  needs: ["client"],
  emitUnit(plan, unit) {
    const { imports } = createScope(plan, unit, "index");
    const from = [...ownFiles(plan, unit), ...hostIndexes(plan, unit)];
    return printFile(imports, from.map(buildReexport));
  },
});

/** Returns import specifiers of the unit's own files. */
function ownFiles(plan: Plan, unit: UnitPlan): readonly string[] {
  const methods = methodsOf(unit.host?.services ?? []);
  const isRoot = unit === plan.root;
  const files: readonly (readonly [FileName, boolean])[] = [
    ["types", unit.types.length > 0 || unit.messages.length > 0],
    ["errors", isRoot || methods.length > 0],
    ["client", methods.length > 0 || (isRoot && hasPlatform(plan))],
  ];
  return files
    .filter(([, isWritten]) => isWritten)
    .map(([file]) => specifierOf(plan.options, unit, unit, file));
}

/**
 * Returns the import specifier of each host's index, if the unit is the root.
 */
function hostIndexes(plan: Plan, unit: UnitPlan): readonly string[] {
  if (unit !== plan.root) return [];
  return plan.units
    .filter((other) => other !== unit && indexIsWritten(other))
    .map((other) => specifierOf(plan.options, unit, other, "index"));
}

function indexIsWritten({ host, types }: UnitPlan): boolean {
  return types.length > 0 || methodsOf(host?.services ?? []).length > 0;
}

function hasPlatform({ hosts }: Plan): boolean {
  return hosts.length > 1 && hosts.some(({ inbound }) => inbound.length > 0);
}
