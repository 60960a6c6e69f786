import { breaksEveryone } from "../change.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** On the wire a field is its name. */
export const fieldSameJsonName: BreakingRule = {
  code: "field-same-json-name",
  find: ({ objects }) =>
    objects.flatMap(({ renamed, path }) =>
      renamed.map(({ before, after }) => ({
        effects: breaksEveryone,
        message: `${nameOf(after.subject)} was \`${before.field.jsonName}\` on the wire, and is \`${after.field.jsonName}\``,
        before: before.subject,
        after: after.subject,
        path,
        help: `leave it \`+ json = ${before.field.jsonName}\`, or add a field for the new name`,
      })),
    ),
};
