import type { AllowedValue, Constraints } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import { writeJson } from "../../values/json.js";
import { toRe2 } from "../../pattern/to-re2.js";
import type {
  CheckView,
  LimitFactView,
  ListedView,
  NumberCheckView,
  TagView,
} from "./type-view.js";

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

/** Returns the values that limits list, or null. */
export function listedIn({ enum: values }: Constraints): ListedView | null {
  if (values === undefined) return null;
  const hasFractions = values.some(
    (each) => typeof each === "number" && !Number.isInteger(each),
  );
  return { values: values.map(tagOf), hasFractions };
}

/** Returns a value of a tag or of a list. */
export function tagOf(tag: AllowedValue): TagView {
  if (typeof tag === "string") return { kind: "text", text: tag };
  return tag === true || tag === false
    ? { kind: "boolean", isTrue: tag }
    : { kind: "number", number: writeJson(tag) };
}
