import { isBytes } from "../../ir/bytes.js";
import type { Contract } from "../../ir/contract.js";
import { createIndex } from "../../ir/resolve.js";
import type { ChangeEffect } from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { fitsSegment } from "../facts/sets.js";
import type { CodeModes } from "../facts/modes.js";
import { describeValue } from "../facts/value.js";

/** A literal in a path wins over a parameter that may have the same value. */
export const routeNoShadow: BreakingRule = {
  code: "route-no-shadow",
  find: (contracts) =>
    contracts.methods.kept.flatMap(
      ({ before, after }): readonly ChangeEffect[] => {
        const then = findShadows(before, contracts.before, contracts.modes);
        const now = findShadows(after, contracts.after, contracts.modes);
        const [come] = now.filter((path) => !then.includes(path));
        const [gone] = then.filter((path) => !now.includes(path));
        const shadow = come ?? gone;
        if (shadow === undefined || pathOf(before) !== pathOf(after)) return [];
        return [
          {
            effects: {
              wire: "error",
              // Calls of the other method may be refused before that.
              "wire-strict":
                after.method.credentials.length === 0 ? "error" : "danger",
            },
            message: `\`${shadow}\` ${come === undefined ? "no longer answers" : "answers"} some calls of ${nameOfMethod(after)} at \`${pathOf(after)}\``,
            before: before.subject,
            after: after.subject,
            help: "choose a path that no value of a parameter can match",
          },
        ];
      },
    ),
};

function pathOf({ method: { route } }: PlacedMethod): string {
  if (route.kind === "webhook") return "";
  return route.kind === "rest" ? route.path.text : route.path;
}

/** Paths of other methods that answer calls which are meant for this one. */
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
    const index = createIndex(contract);
    const type = index.resolve(field.type);
    // Elements of lists stand between commas, which no literal has.
    const part =
      type.kind === "list" && !isBytes(index, type)
        ? { type: type.element, constraints: {} }
        : field;
    const source = { ...part, subject: placed.subject, form: "path" } as const;
    return fitsSegment(text, describeValue(source, index, modes));
  };
  return contract.hosts
    .flatMap(({ services }) => services)
    .flatMap(({ methods }) => methods)
    .map((method) => pathOf({ ...placed, method }))
    .filter((path) => {
      const other = path.split("/");
      return (
        other.length === own.length &&
        winsOver(other, own) &&
        own.every((segment, place) => {
          const rival = other[place] ?? "";
          if (segment === rival || isParameter(rival)) return true;
          return isParameter(segment) && fits(segment.slice(1, -1), rival);
        })
      );
    });
}

/** Later parameters win: more of the path is literal before them. */
function winsOver(one: readonly string[], other: readonly string[]): boolean {
  const place = one.findIndex(
    (segment, index) =>
      isParameter(segment) !== isParameter(other[index] ?? ""),
  );
  return place !== -1 && !isParameter(one[place] ?? "");
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
