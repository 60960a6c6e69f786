/** Returns the names of the methods that every client has. */
export function methodNames(count) {
  return Array.from({ length: count }, (_, index) => `getThing${index}`);
}

const pascal = (name) => name[0].toUpperCase() + name.slice(1);

/** Returns the path of a method, e.g. `/rpc/Things/GetThing0`. */
export function pathOf(name) {
  return `/rpc/Things/${pascal(name)}`;
}

/** The request and the response of every method. */
export const request = { id: "7" };
export const response = { id: "7", name: "a thing" };

/** Returns the contract in RIDL: methods with a key, and declared errors. */
export function ridlOf(names) {
  const methods = names.map(
    (name) =>
      `  @auth:"X-Access-Key" @readonly\n  - ${pascal(name)}(id: string) => (id: string, name: string) errors ThingNotFound`,
  );
  return `webrpc = v1

name = things
version = v1.0.0

type AccessKey: string
  + header = X-Access-Key
  + error = KeyNotFound

error 1 KeyNotFound "key not found" HTTP 401
error 2 ThingNotFound "thing not found" HTTP 404

service Things
${methods.join("\n")}
`;
}

/** Returns the same contract in OpenAPI. */
export function openApiOf(names) {
  const text = { type: "string" };
  const object = (properties) => ({
    type: "object",
    required: Object.keys(properties),
    properties,
  });
  const json = (schema) => ({ content: { "application/json": { schema } } });
  const answer = {
    description: "the thing",
    ...json(object({ id: text, name: text })),
  };
  const failure = { description: "no thing", ...json(object({ error: text })) };
  const paths = names.map((name) => [
    pathOf(name),
    {
      post: {
        operationId: name,
        requestBody: { required: true, ...json(object({ id: text })) },
        responses: { 200: answer, 404: failure },
        security: [{ key: [] }],
      },
    },
  ]);
  const key = { type: "apiKey", in: "header", name: "X-Access-Key" };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "things", version: "1.0.0" },
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { key } },
  });
}

/** Returns the same contract in Protocol Buffers. */
export function protoOf(names) {
  const calls = names.map(
    (name) =>
      `  rpc ${pascal(name)}(GetThingRequest) returns (GetThingResponse);`,
  );
  return `syntax = "proto3";
package things.v1;

message GetThingRequest {
  string id = 1;
}

message GetThingResponse {
  string id = 1;
  string name = 2;
}

service Things {
${calls.join("\n")}
}
`;
}
