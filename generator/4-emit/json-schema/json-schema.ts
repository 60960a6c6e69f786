import type { Contract, Host } from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";
import type { EmitOptions, Emitter } from "../emitter/emitter.js";
import { printJson, type JsonObject } from "../emitter/json-value.js";
import { pathInHost } from "../names/host-folders.js";
import { describe } from "./describe.js";
import { SchemaWriter } from "./schema-writer.js";

/**
 * Writes `schema.json` for each host: the JSON Schemas of its messages and
 * types, in `$defs`.
 */
export const jsonSchemaEmitter: Emitter = {
  name: "json-schema",
  emit(contract, options) {
    if (options.jsonSchema !== true) return [];
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
  const schemas = new SchemaWriter(contract, methods, options, {
    root: "#/$defs/",
    hasFormats: false,
    acceptsAll: true,
  });
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
