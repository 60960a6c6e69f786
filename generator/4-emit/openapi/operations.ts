import type {
  Contract,
  Host,
  Method,
  PathTemplate,
  Service,
} from "../../ir/contract.js";
import type { OpenapiOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { describe } from "../json-schema/describe.js";
import type { SchemaWriter } from "../json-schema/schema-writer.js";
import { pascalCase } from "../names/casing.js";
import type { NamePool } from "../names/name-pool.js";
import type { Failures } from "./failures.js";
import { isJson, requestBody, successOf } from "./bodies.js";
import { securityOf } from "./security.js";

/** What describing an operation needs. */
export interface OperationScope {
  readonly contract: Contract;
  readonly openapi: OpenapiOptions;
  readonly schemas: SchemaWriter;
  readonly failures: Failures;
  /** Ids of operations that are given away. */
  readonly ids: NamePool;
}

/** The methods of a host. */
export interface Operations {
  /** Calls and reads, by path. */
  readonly paths: JsonObject;
  /** What the host sends, by name. */
  readonly webhooks: JsonObject;
}

/**
 * Describes the methods of a host. Input: its servers, if other hosts of the
 * document have others.
 */
export function describeOperations(
  scope: OperationScope,
  host: Host,
  servers?: readonly JsonObject[],
): Operations {
  const paths: [string, JsonObject][] = [];
  const webhooks: [string, JsonObject][] = [];
  for (const service of host.services) {
    for (const method of service.methods) {
      const { route } = method;
      const id = operationId(scope, method);
      const operation = describeOperation(scope, method, id);
      switch (route.kind) {
        case "rpc": {
          const parameters = baseParameters(scope, host.basePath);
          paths.push([route.path, { servers, parameters, post: operation }]);
          break;
        }
        case "rest": {
          const parameters = readParameters(scope, method, route.path);
          const get = { ...operation, parameters };
          paths.push([route.path.text, { servers, get }]);
          break;
        }
        case "webhook": {
          const parameters = eventParameters(service, method);
          webhooks.push([id, { post: { ...operation, parameters } }]);
          break;
        }
      }
    }
  }
  return {
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(webhooks),
  };
}

/** Stays the same if another service gets a method of the same name. */
function operationId(
  { ids }: OperationScope,
  { name, service }: Method,
): string {
  return ids.claim(`${pascalCase(service)}_${name}`);
}

function describeOperation(
  scope: OperationScope,
  method: Method,
  operationId: string,
): JsonObject {
  const { deprecated, docs, name, route, service } = method;
  return {
    operationId,
    tags: [service],
    summary: name,
    ...describe(docs, deprecated),
    security: securityOf(scope.contract, method),
    ...(route.kind !== "rest" && { requestBody: requestBody(scope, method) }),
    responses: {
      "200": successOf(scope, method),
      ...scope.failures.responses(method, isJson(scope.schemas, method)),
    },
  };
}

/** Parameters of an operation; undefined if there are none. */
type Parameters = readonly JsonObject[] | undefined;

function eventParameters({ methods }: Service, { name }: Method): Parameters {
  if (methods.length < 2) return undefined;
  return [
    {
      name: "webhook-event",
      in: "header",
      description: "Name of the method, because the service has several.",
      required: true,
      schema: { type: "string", const: name },
    },
  ];
}

function baseParameters(
  { openapi: { parameters = {} } }: OperationScope,
  template: PathTemplate,
): Parameters {
  const names = namesIn(template);
  if (names.length === 0) return undefined;
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(Object.hasOwn(parameters, name) && { example: parameters[name] }),
  }));
}

/** Parameters of a path that fill fields of the request; lists have commas. */
function readParameters(
  { schemas }: OperationScope,
  { request }: Method,
  template: PathTemplate,
): Parameters {
  const names = namesIn(template);
  const fields = request.fields.filter(({ name }) => names.includes(name));
  if (fields.length === 0) return undefined;
  return fields.map((field) => ({
    name: field.name,
    in: "path",
    required: true,
    ...describe(field.docs, field.deprecated),
    schema: schemas.value(field),
  }));
}

function namesIn({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}
