import * as v from "valibot";
import {
  addressPattern,
  amountPattern,
  describe,
  sides,
  statuses,
} from "./shapes.js";

const values = {
  text: v.string(),
  reference: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  address: v.pipe(v.string(), v.regex(new RegExp(addressPattern))),
  amount: v.pipe(
    v.string(),
    v.regex(new RegExp(amountPattern)),
    v.maxLength(78),
  ),
  count: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  number: v.number(),
  time: v.pipe(v.string(), v.isoTimestamp()),
  side: v.picklist(sides),
  status: v.picklist(statuses),
};

/** Returns a message as a valibot schema. */
export function valibotSchema(name) {
  return describe(name, {
    object: (fields) =>
      v.object(
        Object.fromEntries(
          fields.map(([key, schema, isOptional]) => [
            key,
            isOptional ? v.optional(schema) : schema,
          ]),
        ),
      ),
    list: (item, maxItems) =>
      maxItems === null
        ? v.array(item)
        : v.pipe(v.array(item), v.maxLength(maxItems)),
    constant: (text) => v.literal(text),
    union: (variants) => v.variant("kind", variants),
    value: (kind) => values[kind],
  });
}
