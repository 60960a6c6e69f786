import {
  alternativesOf,
  credentialsOf,
  neededCredentials,
} from "../../ir/credentials-of.js";
import type { Contract, Credential, Method } from "../../ir/contract.js";
import type { JsonObject } from "../emitter/json-value.js";
import { describe } from "../json-schema/describe.js";
import { componentName } from "../json-schema/schema-names.js";

type Credentials = Pick<Contract, "credentials">;

/**
 * Returns the credentials that methods require, as security schemes, or
 * undefined if they require none.
 */
export function securitySchemes(
  contract: Credentials,
  methods: readonly Method[],
): JsonObject | undefined {
  const needed = neededCredentials(methods, contract);
  if (needed.length === 0) return undefined;
  return Object.fromEntries(
    needed.map((each) => [componentName(each.name), schemeOf(each)]),
  );
}

/**
 * Returns the credentials of a method. Each call requires all of one object.
 */
export function securityOf(
  contract: Credentials,
  method: Method,
): readonly JsonObject[] {
  if (method.credentials.length === 0) return [];
  return alternativesOf(method).map((keys) => {
    const needed = credentialsOf({ credentials: keys }, contract);
    return Object.fromEntries(
      needed.map(({ name }) => [componentName(name), []]),
    );
  });
}

function schemeOf({ docs, parameter, place, scheme }: Credential): JsonObject {
  if (scheme !== null && parameter.toLowerCase() === "authorization") {
    return { type: "http", scheme: scheme.toLowerCase(), ...describe(docs) };
  }
  const more = scheme === null ? "" : `The value begins with \`${scheme} \`.`;
  return {
    type: "apiKey",
    in: place,
    name: parameter,
    ...describe(docs, null, more),
  };
}
