import type { Emitter, OutputFile } from "../../emitter/emitter.js";
import { createPlan } from "./create-plan.js";
import type { Plan, UnitPlan } from "./plan.js";

/** An emitter that prints the files of each unit separately. */
export interface UnitEmitter extends Emitter {
  readonly emitUnit: (plan: Plan, unit: UnitPlan) => readonly OutputFile[];
}

/** Creates an emitter from a function that prints one unit. */
export function createUnitEmitter<Facts extends Omit<UnitEmitter, "emit">>(
  facts: Facts,
): Facts & UnitEmitter {
  return {
    ...facts,
    emit: (contract, options) => {
      const plan = createPlan(contract, options);
      return plan.units.flatMap((unit) => facts.emitUnit(plan, unit));
    },
  };
}

/** Whether an emitter prints the files of each unit separately. */
export function isUnitEmitter<Some extends Emitter>(
  emitter: Some,
): emitter is Some & UnitEmitter {
  return "emitUnit" in emitter;
}
