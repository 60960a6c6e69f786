import { allMethods } from "../../ir/methods-of.js";
import { valuesOf } from "../../values/value.js";
import type { Contract, Method } from "../../ir/contract.js";
import { type CodeModes, describeValue } from "../facts/value.js";
import { nameOf } from "../facts/names.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import { type BreakingRules, keptMethod } from "../facts/rule.js";
import { fitsSegment } from "../facts/sets.js";

/** Rules about paths that match the same calls. */
export const routeRules = {
  // A literal in a path takes precedence over a parameter with the same value.
  "route-no-shadow": keptMethod(({ before, after }, contracts) => {
    const { modes } = contracts;
    const then = findShadows(before, contracts.before, modes.before);
    const now = findShadows(after, contracts.after, modes.after);
    const [come] = now.filter((path) => !then.includes(path));
    const [gone] = then.filter((path) => !now.includes(path));
    const shadow = come ?? gone;
    if (shadow === undefined || pathOf(before) !== pathOf(after)) return false;
    return {
      effects: { wire: "error", "wire-strict": "error" },
      message: `\`${shadow}\` ${come === undefined ? "no longer receives" : "receives"} some calls to ${nameOf(after.subject)} at \`${pathOf(after)}\``,
      help: "choose a path that no parameter value can match",
    };
  }),
} satisfies BreakingRules;

function pathOf({ method: { route } }: PlacedMethod): string {
  if (route.kind === "webhook") return "";
  return route.kind === "rest" ? route.path.text : route.path;
}

function verbOf({ route }: Method): string {
  return route.kind === "rest" ? route.verb : "POST";
}

/** Finds paths of other methods that receive calls for this one. */
function findShadows(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): readonly string[] {
  const own = pathOf(placed).split("/");
  const fits = (name: string, text: string): boolean => {
    const { fields } = placed.method.request;
    const field = fields.find(({ jsonName }) => jsonName === name);
    if (placed.method.route.kind !== "rest" || !field) return true;
    const values = valuesOf(contract);
    const value = values.valueOf(field.type);
    // List elements are separated by commas, which no literal contains.
    const part =
      value.kind === "list" ? { type: value.element, constraints: {} } : field;
    const source = {
      ...part,
      subject: placed.subject,
      form: "path",
      isRequired: true,
      isItem: false,
    } as const;
    return fitsSegment(text, describeValue(source, values, modes));
  };
  return allMethods(contract.hosts)
    .filter((method) => verbOf(method) === verbOf(placed.method))
    .map((method) => pathOf({ ...placed, method }))
    .filter((path) => {
      const other = path.split("/");
      return (
        other.length === own.length &&
        takesPrecedence(other, own) &&
        own.every((segment, place) => {
          const rival = other[place] ?? "";
          if (segment === rival || isParameter(rival)) return true;
          return isParameter(segment) && fits(segment.slice(1, -1), rival);
        })
      );
    });
}

/**
 * Whether the first path takes precedence over the second: at the first
 * position where only one of them has a parameter, the first path has literal
 * text.
 */
function takesPrecedence(
  one: readonly string[],
  other: readonly string[],
): boolean {
  const place = one.findIndex(
    (segment, index) =>
      isParameter(segment) !== isParameter(other[index] ?? ""),
  );
  return place !== -1 && !isParameter(one[place] ?? "");
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
