import type { Contract, Host } from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";
import type { EmitOptions, OpenapiOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { describe } from "../json-schema/describe.js";
import { SchemaWriter } from "../json-schema/schema-writer.js";
import { NamePool } from "../names/name-pool.js";
import { Failures } from "./failures.js";
import { describeOperations } from "./operations.js";
import { Paths } from "./paths.js";
import { securitySchemes } from "./security.js";
import { serversOf } from "./servers.js";

/** The input for a document. */
export interface DocumentInput {
  readonly contract: Contract;
  /** The hosts that it describes. */
  readonly hosts: readonly Host[];
  readonly options: EmitOptions;
  readonly openapi: OpenapiOptions;
}

/** Creates an OpenAPI document of some hosts of a checked contract. */
export function createDocument(input: DocumentInput): JsonObject {
  const { contract, hosts, openapi, options } = input;
  const services = hosts.flatMap((host) => host.services);
  const methods = methodsOf(services);
  const schemas = new SchemaWriter(contract, methods, options, {
    root: "#/components/schemas/",
    hasFormats: true,
    acceptsAll: false,
  });
  const failures = new Failures(contract, schemas);
  const ids = new NamePool(new Set());
  const paths = new Paths();
  const webhooks = new Map<string, JsonObject>();
  const scope = { contract, openapi, schemas, failures, ids, paths, webhooks };
  const servers = hosts.map((host) => serversOf(host, openapi));
  const isOneAddress =
    new Set(servers.map((each) => JSON.stringify(each))).size < 2;
  for (const [at, host] of hosts.entries()) {
    describeOperations(scope, host, isOneAddress ? undefined : servers[at]);
  }
  return {
    openapi: "3.1.0",
    info: describeInfo(input),
    ...(isOneAddress && { servers: servers[0] }),
    tags: services.map(({ docs, name }) => ({ name, ...describe(docs) })),
    paths: paths.describe(),
    ...(webhooks.size > 0 && { webhooks: Object.fromEntries(webhooks) }),
    components: {
      ...failures.components(),
      securitySchemes: securitySchemes(contract, methods),
      schemas: { ...schemas.referred(), ...failures.schemas() },
    },
  };
}

function describeInfo({ contract, hosts, openapi }: DocumentInput): JsonObject {
  const names = hosts.map(({ name }) => name).join(", ");
  const isPart = hosts.length < contract.hosts.length;
  const title = openapi.title ?? names;
  const versions = new Set(hosts.flatMap(({ version }) => version ?? []));
  const [first] = hosts;
  return {
    title: isPart && openapi.title !== undefined ? `${title}: ${names}` : title,
    ...(hosts.length === 1 && first && describe(first.docs)),
    version: [...versions].join(", ") || "0.0.0",
  };
}
