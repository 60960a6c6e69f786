import type { Finding } from "../change.js";
import { removedFields } from "../fields.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** A policy: what goes was announced in the version before. */
export const deprecatedBeforeDelete: BreakingRule = {
  code: "deprecated-before-delete",
  find: (contracts) => {
    const methods = contracts.methods.removed
      .filter(({ method }) => method.deprecated === null)
      .map(({ subject }): Finding => ({
        effects: {},
        message: `${nameOf(subject)} is gone, and was not deprecated before`,
        before: subject,
        after: { ...subject, kind: "service" },
        help: "bring out a version in which it is `@deprecated` first",
      }));
    const fields = (["request", "response"] as const)
      .flatMap((direction) => removedFields(contracts, direction))
      .filter(({ field }) => field.deprecated === null)
      .map(({ subject, owners, path }): Finding => ({
        effects: {},
        message: `${nameOf(subject)} is gone, and was not deprecated before`,
        before: subject,
        after: owners.after,
        path,
        help: "bring out a version in which it is `+ deprecated` first",
      }));
    return [...methods, ...fields];
  },
};
