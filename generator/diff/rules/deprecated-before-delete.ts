import type { ChangeEffect } from "../facts/change.js";
import { removedFields } from "../facts/fields.js";
import { nameOf } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** A policy: what goes was announced in the version before. */
export const deprecatedBeforeDelete: BreakingRule = {
  code: "deprecated-before-delete",
  find: (contracts) => {
    const methods = contracts.methods.removed
      .filter(({ method }) => method.deprecated === null)
      .map(({ subject }): ChangeEffect => ({
        effects: {},
        message: `${nameOf(subject)} was removed without being deprecated first`,
        before: subject,
        after: { ...subject, kind: "service" },
        help: "release a version that marks it `@deprecated` first",
      }));
    const fields = (["request", "response"] as const)
      .flatMap((direction) => removedFields(contracts, direction))
      .filter(({ field }) => field.deprecated === null)
      .map(({ subject, owners, path }): ChangeEffect => ({
        effects: {},
        message: `${nameOf(subject)} was removed without being deprecated first`,
        before: subject,
        after: owners.after,
        path,
        help: "release a version that marks it `+ deprecated` first",
      }));
    return [...methods, ...fields];
  },
};
