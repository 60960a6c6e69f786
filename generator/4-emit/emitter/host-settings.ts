import type { Host } from "../../ir/contract.js";
import type { JsonObject } from "./json-value.js";

/** Settings that several targets have: what a contract does not know. */
export interface HostSettings {
  /**
   * Base addresses by host, e.g. `https://api.example.com/{network}`. Default:
   * the address in the schema.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Values of address parameters, e.g. `{ network: "polygon" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/**
 * Returns the base address of a host: that of the settings, or that of the
 * schema unless it is only a placeholder such as `{shop_url}`.
 */
export function addressOf(
  { baseUrl, name }: Host,
  { addresses = {} }: HostSettings = {},
): string | null {
  const given = Object.hasOwn(addresses, name) ? addresses[name] : undefined;
  const isAddress = /^https?:\/\//u.test(baseUrl ?? "");
  return given ?? (isAddress ? baseUrl : null);
}

/**
 * Returns the JSON Schema of {@link HostSettings}.
 *
 * Input: whose server a relative address refers to, what a host without an
 * address has, and what the values of parameters are for.
 */
export function hostSettings(
  relative: string,
  otherwise: string,
  values: string,
): JsonObject {
  return {
    addresses: {
      description: `Base address of each host: \`https://…\`, or a path on ${relative}. \`{name}\` is a parameter. Default: the address in the schema, otherwise ${otherwise}.`,
      type: "object",
      additionalProperties: { $ref: "#/definitions/address" },
      examples: [{ shop: "https://{country}.shop.example" }],
    },
    parameters: {
      description: `${values} of address parameters. Default: none.`,
      type: "object",
      additionalProperties: { type: "string" },
      examples: [{ country: "at" }],
    },
  };
}
