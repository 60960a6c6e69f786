import type { BreakingRule } from "../rule.js";

/** `InvalidArgument` answers requests that do not fit, as soon as it is declared. */
export const validationErrorSameName: BreakingRule = {
  code: "validation-error-same-name",
  find: ({ before, after }) => {
    const [then, now] = [before.validationError, after.validationError];
    if (then === now) return [];
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
