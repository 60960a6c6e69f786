import { z } from "zod";
import {
  addressPattern,
  amountPattern,
  describe,
  sides,
  statuses,
} from "./shapes.js";

const values = {
  text: z.string(),
  reference: z.string().min(1).max(256),
  address: z.string().regex(new RegExp(addressPattern)),
  amount: z.string().regex(new RegExp(amountPattern)).max(78),
  count: z.int().min(0),
  number: z.number(),
  time: z.iso.datetime(),
  side: z.enum(sides),
  status: z.enum(statuses),
};

/** Returns a message as a zod 4 schema. */
export function zodSchema(name) {
  return describe(name, {
    object: (fields) =>
      z.object(
        Object.fromEntries(
          fields.map(([key, schema, isOptional]) => [
            key,
            isOptional ? schema.optional() : schema,
          ]),
        ),
      ),
    list: (item, maxItems) =>
      maxItems === null ? z.array(item) : z.array(item).max(maxItems),
    constant: (text) => z.literal(text),
    union: (variants) => z.discriminatedUnion("kind", variants),
    value: (kind) => values[kind],
  });
}
