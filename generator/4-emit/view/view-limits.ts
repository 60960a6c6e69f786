import type { Constraints } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import { toRe2 } from "../../pattern/to-re2.js";
import type { CheckView, LimitFactView, NumberCheckView } from "./view.js";

/** Describes limits in prose. */
export function limitsOf(constraints: Constraints): readonly LimitFactView[] {
  return Object.entries(constraints).map(([name, value]) => ({
    kind: "limit",
    name,
    value: String(value),
  }));
}

const numberChecks: readonly NumberCheckView["name"][] = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];

/** Describes limits for code. */
export function checksOf(constraints: Constraints): readonly CheckView[] {
  const { format, pattern, uniqueItems } = constraints;
  const checks: CheckView[] = numberChecks.flatMap((name) => {
    const value = constraints[name];
    return value === undefined
      ? []
      : { kind: "number", name, value: String(value) };
  });
  if (uniqueItems === true) checks.push({ kind: "flag", name: "uniqueItems" });
  if (pattern !== undefined) {
    checks.push({
      kind: "pattern",
      source: pattern,
      // Most template sets do not print it.
      get re2() {
        return re2Of(constraints);
      },
    });
  }
  if (format !== undefined) checks.push({ kind: "format", format });
  return checks;
}

const re2Of = rememberEach(({ pattern = "" }: Constraints) => toRe2(pattern));
