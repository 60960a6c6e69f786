import type { Emitter, OutputFile } from "../../emitter/emitter.js";
import { createPlan } from "./create-plan.js";
import type { Plan, UnitPlan } from "./plan.js";

/** An emitter that prints the files of each unit separately. */
export interface UnitEmitter extends Emitter {
  readonly emitUnit: (plan: Plan, unit: UnitPlan) => readonly OutputFile[];
}

/** Creates an emitter from a function that prints one unit. */
export function createUnitEmitter(
  emitter: Omit<UnitEmitter, "emit">,
): UnitEmitter {
  return {
    ...emitter,
    emit: (contract, options) => {
      const plan = createPlan(contract, options);
      return plan.units.flatMap((unit) => emitter.emitUnit(plan, unit));
    },
  };
}
