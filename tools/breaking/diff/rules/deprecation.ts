import { nameOf } from "../facts/names.js";
import type { BreakingRules } from "../facts/rule.js";

/** Checks that methods and fields were deprecated before they were removed. */
export const deprecationRules = {
  "deprecated-before-delete": ({ methods, objects }) => {
    const removed = [
      ...methods.removed.map(({ method, subject }) => ({
        is: method,
        before: subject,
        after: { ...subject, kind: "service" } as const,
        mark: "@deprecated",
      })),
      ...objects.flatMap(({ fields, subjects: { after }, path }) =>
        fields.removed.map(({ field, subject: before }) => {
          return { is: field, before, after, path, mark: "+ deprecated" };
        }),
      ),
    ];
    return removed
      .filter(({ is }) => is.deprecated === null)
      .map(({ is: _, mark, ...place }) => ({
        ...place,
        effects: {},
        message: `${nameOf(place.before)} was removed without being deprecated first`,
        help: `first release a version that marks it \`${mark}\``,
      }));
  },
} satisfies BreakingRules;
