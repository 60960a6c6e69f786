import type { Host } from "../../ir/contract.js";
import type { OpenapiOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";

/** Returns the base address of a host, with its parameters as variables. */
export function serversOf(
  { baseUrl, name }: Host,
  { addresses = {}, parameters = {} }: OpenapiOptions,
): readonly JsonObject[] {
  const given = Object.hasOwn(addresses, name) ? addresses[name] : undefined;
  // Anything else is a placeholder, such as `{shop_url}`.
  const isAddress = /^https?:\/\//u.test(baseUrl ?? "");
  const url = given ?? (isAddress ? baseUrl : null) ?? "/";
  const names = [...url.matchAll(/\{([^{}]*)\}/gu)].map(
    ([, word = ""]) => word,
  );
  const variables = names.map((word) => [
    word,
    { default: Object.hasOwn(parameters, word) ? parameters[word] : word },
  ]);
  return [
    {
      url,
      ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    },
  ];
}
