import {
  addressPattern,
  amountPattern,
  describe,
  sides,
  statuses,
} from "./shapes.js";

const values = {
  text: "string",
  reference: "string & tags.MinLength<1> & tags.MaxLength<256>",
  address: `string & tags.Pattern<${JSON.stringify(addressPattern)}>`,
  amount: `string & tags.Pattern<${JSON.stringify(amountPattern)}> & tags.MaxLength<78>`,
  count: `number & tags.Type<"uint64"> & tags.Maximum<${Number.MAX_SAFE_INTEGER}>`,
  number: "number",
  time: 'string & tags.Format<"date-time">',
  side: unionOf(sides),
  status: unionOf(statuses),
};

/** Returns a message as a TypeScript type with typia's tags. */
export function typiaType(name) {
  return describe(name, {
    object: (fields) => {
      const members = fields.map(
        ([key, type, isOptional]) => `${key}${isOptional ? "?" : ""}: ${type};`,
      );
      return `{ ${members.join(" ")} }`;
    },
    list: (item, maxItems) =>
      maxItems === null
        ? `(${item})[]`
        : `(${item})[] & tags.MaxItems<${maxItems}>`,
    constant: (text) => JSON.stringify(text),
    union: (variants) => variants.join(" | "),
    value: (kind) => values[kind],
  });
}

function unionOf(members) {
  return members.map((member) => JSON.stringify(member)).join(" | ");
}
