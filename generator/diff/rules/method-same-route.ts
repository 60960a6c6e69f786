import type { Route } from "../../ir/contract.js";
import { nameOfMethod } from "../facts/names.js";
import { haveSamePlaces } from "../facts/path-shape.js";
import type { BreakingRule } from "../facts/rule.js";

/** A method keeps its verb and path, and what its body is. */
export const methodSameRoute: BreakingRule = {
  code: "method-same-route",
  find: ({ methods }) =>
    methods.kept
      .filter(
        ({ before, after }) =>
          !isSameRoute(before.method.route, after.method.route),
      )
      .map(({ before, after }) => ({
        effects: { wire: "error", "wire-strict": "error" },
        message: `${nameOfMethod(after)} was ${describe(before.method.route)}, and is now ${describe(after.method.route)}`,
        before: before.subject,
        after: after.subject,
        help: "add a method for the new address, and keep this one",
      })),
};

/** Where an RPC method is follows from names that other rules look at. */
function isSameRoute(before: Route, after: Route): boolean {
  if (before.kind !== "rest" || after.kind !== "rest") {
    return before.kind === after.kind;
  }
  const isSameBody = (before.body === null) === (after.body === null);
  return isSameBody && haveSamePlaces(before.path, after.path);
}

function describe(route: Route): string {
  switch (route.kind) {
    case "rpc":
      return "called by POST";
    case "webhook":
      return "a webhook";
    case "rest":
      return route.body === null
        ? `read at \`${route.path.text}\``
        : `read at \`${route.path.text}\` with \`${route.body}\` as the body`;
  }
}
