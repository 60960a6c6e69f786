import {
  addressPattern,
  amountPattern,
  describe,
  sides,
  statuses,
} from "./shapes.js";

const values = {
  text: { type: "string" },
  reference: { type: "string", minLength: 1, maxLength: 256 },
  address: { type: "string", pattern: addressPattern },
  amount: { type: "string", pattern: amountPattern, maxLength: 78 },
  count: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  number: { type: "number" },
  time: { type: "string", format: "date-time" },
  side: { type: "string", enum: sides },
  status: { type: "string", enum: statuses },
};

/** Returns a message as JSON Schema. */
export function jsonSchema(name) {
  return describe(name, {
    object: (fields) => ({
      type: "object",
      properties: Object.fromEntries(fields),
      required: fields
        .filter(([, , isOptional]) => !isOptional)
        .map(([key]) => key),
    }),
    list: (items, maxItems) => ({
      type: "array",
      items,
      ...(maxItems !== null && { maxItems }),
    }),
    constant: (text) => ({ const: text }),
    union: (variants) => ({
      type: "object",
      discriminator: { propertyName: "kind" },
      required: ["kind"],
      oneOf: variants,
    }),
    value: (kind) => values[kind],
  });
}
