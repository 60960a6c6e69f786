import type { AllowedValue } from "../../ir/contract.js";
import type { ResolvedVariant } from "../../values/variants.js";
import type { JsonObject } from "../emitter/json-value.js";

/** Describes an object with a tag that is none of those that are known. */
export function unknownVariant(
  tag: string,
  tags: readonly AllowedValue[],
): JsonObject {
  const types = [...new Set(tags.map((each) => typeof each))];
  const [only, ...others] = types.map((each) =>
    each === "bigint" ? "number" : each,
  );
  const type = others.length > 0 ? [only, ...others] : only;
  return {
    type: "object",
    properties: { [tag]: { type, not: { enum: [...tags] } } },
    required: [tag],
  };
}

/** OpenAPI's `discriminator`, which tells generators which variant a tag means. */
export function discriminatorOf(
  tag: string,
  variants: readonly ResolvedVariant[],
  refTo: (type: string) => string,
): JsonObject {
  const mapping = variants.flatMap(({ tags, value: { name } }) =>
    name === null ? [] : tags.map((each) => [String(each), refTo(name)]),
  );
  return { propertyName: tag, mapping: Object.fromEntries(mapping) };
}
