import type { Severity } from "../../generator/diagnostics/diagnostic.js";
import { audiences } from "./diff/index.js";
import type { Audience, Change, Effects, Level } from "./diff/index.js";
import type { BreakingOptions } from "./options.js";

/**
 * A change that breaks calls is an error. A change that only breaks code is a
 * warning, because compilers find it.
 */
const severities: Readonly<
  Record<Audience, Readonly<Record<Level, Severity>>>
> = {
  wire: { error: "error", danger: "warning", note: "info" },
  "wire-strict": { error: "error", danger: "warning", note: "info" },
  "client-source": { error: "warning", danger: "info", note: "info" },
  "server-source": { error: "warning", danger: "info", note: "info" },
};

const order: readonly Severity[] = ["info", "warning", "error"];

/**
 * Returns the configured severity of a change or, if there is none, the
 * severity of its worst effect.
 */
export function severityOf(
  { code, effects }: Change,
  { isStrict, rules }: BreakingOptions,
): Severity | "off" {
  if (Object.hasOwn(rules, code)) return rules[code] ?? "off";
  const found = listEffects(effects)
    .filter(({ audience }) => isStrict || audience !== "wire-strict")
    .map(({ audience, level }) => order.indexOf(severities[audience][level]));
  return order[Math.max(...found)] ?? "off";
}

const words: Readonly<Record<Audience, string>> = {
  wire: "old clients of the new server",
  "wire-strict": "new clients of an old server",
  "client-source": "code that calls the client",
  "server-source": "code that implements the server",
};

const verbs: Readonly<Record<Level, string>> = {
  error: "breaks",
  danger: "may break",
  note: "matters to",
};

/**
 * Returns the worst effect of a change, if it has any. Unless `isStrict` is
 * true, effects on new clients of old servers count only if there are no
 * others.
 */
export function worstEffect(
  effects: Effects,
  isStrict: boolean,
): Effect | undefined {
  const found = listEffects(effects);
  const heeded = found.filter(
    ({ audience }) => isStrict || audience !== "wire-strict",
  );
  const list = heeded.length > 0 ? heeded : found;
  return (["error", "danger", "note"] as const)
    .map((wanted) => list.find(({ level }) => level === wanted))
    .find((effect) => effect !== undefined);
}

/**
 * Returns a phrase for each level, e.g. `breaks old clients of the new server`.
 */
export function describeEffects(effects: Effects): readonly string[] {
  const found = listEffects(effects);
  return (["error", "danger", "note"] as const).flatMap((level) => {
    const whom = found
      .filter((each) => each.level === level)
      .map(({ audience }) => words[audience]);
    return whom.length === 0 ? [] : [`${verbs[level]} ${whom.join(", ")}`];
  });
}

/** The effect of a change on one audience. */
export interface Effect {
  readonly audience: Audience;
  readonly level: Level;
}

function listEffects(effects: Effects): readonly Effect[] {
  return audiences.flatMap((audience) => {
    const level = effects[audience];
    return level === undefined ? [] : [{ audience, level }];
  });
}
