import type { PlacedMethod } from "../facts/paired-contracts.js";
import type { BreakingRule } from "../facts/rule.js";

/** `InvalidArgument` answers requests that do not fit, as soon as it is declared. */
export const validationErrorSameName: BreakingRule = {
  code: "validation-error-same-name",
  find: ({ before, after, methods }) => {
    const [then, now] = [before.validationError, after.validationError];
    const isChecked = methods.kept.some((method) => mayBeInvalid(method.after));
    if (then === now || !isChecked) return [];
    const declared = (name: string, errors: typeof after.errors) =>
      errors.some((error) => error.name === name)
        ? ({ kind: "error", name } as const)
        : null;
    return [
      {
        effects: { wire: "error", "wire-strict": "error" },
        message: `invalid requests were answered by \`${then}\`, and are now answered by \`${now}\``,
        before: declared(then, before.errors),
        after: declared(now, after.errors),
        help: "make sure that clients know both errors",
      },
    ];
  },
};

/** Whether some request does not fit. Any segment of a path is a string. */
function mayBeInvalid({ method: { request, route } }: PlacedMethod): boolean {
  const free = route.kind === "rest" ? "string" : "any";
  return request.fields.some(
    ({ type }) => type.kind !== "scalar" || type.name !== free,
  );
}
