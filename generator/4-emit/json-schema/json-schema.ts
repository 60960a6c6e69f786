import type { Contract, Host } from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { Target } from "../emitter/target.js";
import { printJson, type JsonObject } from "../emitter/json-value.js";
import { pathInHost } from "../names/host-folders.js";
import { describe } from "./describe.js";
import { dialects } from "./dialects.js";
import { DocumentSchemas } from "./document-schemas.js";

/**
 * Writes `schema.json` for each host: the JSON Schemas of its messages and
 * types, in `$defs`.
 */
export const jsonSchemaEmitter: Target = {
  name: "json-schema",
  summary: "The JSON Schema of all messages and types.",
  guide: "openapi.md#json-schema",
  emit(contract, options) {
    return contract.hosts.map((host) => ({
      path: pathInHost(contract, host, "schema.json"),
      text: printJson(describeHost(contract, host, options)),
    }));
  },
};

function describeHost(
  contract: Contract,
  { docs, name, services, version }: Host,
  options: EmitOptions,
): JsonObject {
  const methods = methodsOf(services);
  const schemas = new DocumentSchemas(
    contract,
    methods,
    options,
    dialects.jsonSchema,
  );
  for (const type of contract.types) {
    if (type.host === name || contract.hosts.length === 1) {
      schemas.type(type.name);
    }
  }
  for (const method of methods) {
    schemas.message(method, "request");
    // A download is not JSON.
    if (schemas.files(method.response).length > 0) continue;
    schemas.message(method, "response");
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: version === null ? name : `${name} ${version}`,
    ...describe(docs),
    $defs: schemas.referred(),
  };
}
