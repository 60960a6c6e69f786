import type { Route } from "../../ir/contract.js";
import { nameOfMethod } from "../names.js";
import type { BreakingRule } from "../rule.js";
import { shapeOf } from "../path-shape.js";

/** A method keeps its verb and path, and what its body is. */
export const methodSameRoute: BreakingRule = {
  code: "method-same-route",
  find: ({ methods }) =>
    methods.kept
      .filter(
        ({ before, after }) =>
          keyOf(before.method.route) !== keyOf(after.method.route),
      )
      .map(({ before, after }) => ({
        effects: { wire: "error", "wire-strict": "error" },
        message: `${nameOfMethod(after)} was ${describe(before.method.route)}, and is ${describe(after.method.route)}`,
        before: before.subject,
        after: after.subject,
        help: "add a method for the new one, and keep this",
      })),
};

/** Where an RPC method is follows from names that other rules look at. */
function keyOf(route: Route): string {
  if (route.kind !== "rest") return route.kind;
  return `${shapeOf(route.path)} ${route.body === null}`;
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
