import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";
import { printType, wireKindOf } from "../wire-kind.js";

/** A text is no number, and a list no object. */
export const fieldSameJsonKind: BreakingRule = {
  code: "field-same-json-kind",
  find: ({ values, indexes }) =>
    values
      .map(({ before, after, ...place }) => ({
        ...place,
        types: [printType(before), printType(after)],
        kinds: [
          wireKindOf(before, indexes.before),
          wireKindOf(after, indexes.after),
        ],
      }))
      // What `any` holds is a matter of types.
      .filter(({ kinds }) => kinds[0] !== kinds[1] && !kinds.includes("any"))
      .map(({ subjects, path, types, kinds }) => ({
        effects: {
          wire: "error",
          "wire-strict": "error",
          "client-source": "error",
          "server-source": "error",
        },
        message: `${nameOf(subjects.after)} was ${kinds[0]} (\`${types[0]}\`) on the wire, and is ${kinds[1]} (\`${types[1]}\`)`,
        ...subjects,
        path,
        help: "add a field of the new type, and keep this",
      })),
};
