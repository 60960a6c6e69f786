import fc from "fast-check";
import type {
  Contract,
  Credential,
  Docs,
  ErrorDeclaration,
  Field,
  Host,
  Message,
  Method,
  Service,
  Struct,
} from "../../generator/ir/contract.js";
import { parsePathTemplate } from "../../generator/ir/path-template.js";
import { parseBasePath } from "../../generator/2-check/notation/base-path.js";

const noDocs: Docs = { lines: [], origins: [] };

function fieldOf(name: string): Field {
  return {
    kind: "field",
    name,
    jsonName: name,
    docs: noDocs,
    type: { kind: "scalar", name: "string" },
    isOptional: false,
    isNullable: false,
    isSensitive: false,
    isExtra: false,
    header: null,
    deprecated: null,
    constraints: {},
    metadata: [],
  };
}

function message(struct: string | null, fields: readonly string[]): Message {
  return {
    kind: "message",
    struct,
    fields: fields.map(fieldOf),
    isStream: false,
  };
}

/** Draws words of every length, so that lines end at every column. */
function nameArbitrary(maxLength: number): fc.Arbitrary<string> {
  return fc
    .string({
      unit: fc.constantFrom(..."abcdefghijklm"),
      minLength: 1,
      maxLength,
    })
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1));
}

const credentials: readonly Credential[] = [
  {
    name: "AccessKey",
    docs: noDocs,
    key: "X-Access-Key",
    place: "header",
    parameter: "X-Access-Key",
    scheme: null,
    error: "Alpha",
  },
  {
    name: "Secret",
    docs: noDocs,
    key: "Authorization",
    place: "header",
    parameter: "Authorization",
    scheme: "Bearer",
    error: "Beta",
  },
];

const errors: readonly ErrorDeclaration[] = ["Alpha", "Beta", "Gamma"].map(
  (name, index) => ({
    kind: "error",
    name,
    code: index + 1,
    message: name,
    status: 400,
    anyStatus: false,
    data: null,
    dataMembers: [],
    isDataOptional: false,
    docs: noDocs,
  }),
);

interface MethodShape {
  readonly name: string;
  readonly struct: string | null;
  readonly isEmpty: boolean;
  readonly kind: "rpc" | "rest";
  readonly body: string | null;
  readonly credentials: readonly string[];
  readonly errors: readonly string[] | null;
  readonly safety: Method["safety"];
  readonly deprecated: string | null;
}

const methodShape: fc.Arbitrary<MethodShape> = fc.record({
  name: nameArbitrary(44),
  struct: fc.option(nameArbitrary(12)),
  isEmpty: fc.boolean(),
  kind: fc.constantFrom("rpc" as const, "rest" as const),
  body: fc.option(nameArbitrary(30)),
  credentials: fc.subarray(["X-Access-Key", "Authorization"]),
  errors: fc.option(fc.subarray(["Alpha", "Beta", "Gamma"])),
  safety: fc.constantFrom(
    "none" as const,
    "idempotent" as const,
    "readonly" as const,
  ),
  deprecated: fc.option(nameArbitrary(10)),
});

function methodOf(
  service: string,
  basePath: string,
  shape: MethodShape,
): Method {
  const { name, struct, isEmpty } = shape;
  const fields = isEmpty ? [] : ["network", "ids"];
  const path = `/${name}/{network}/{ids}`;
  return {
    kind: "method",
    name,
    docs: noDocs,
    service,
    request: message(struct, fields),
    response: message(struct, fields),
    route:
      shape.kind === "rpc"
        ? { kind: "rpc", path: `${basePath}${service}/${name}` }
        : {
            kind: "rest",
            verb: "GET",
            path: parsePathTemplate(path),
            query: [],
            headers: [],
            responseHeaders: [],
            statuses: [],
            statusOutput: null,
            requestBody: { kind: "none" },
            status: 200,
            body: shape.body,
          },
    credentials: shape.credentials,
    alternatives: [],
    errors: shape.errors,
    safety: shape.safety,
    idempotencyKey: "none",
    resume: null,
    isClientOnly: false,
    deprecated: shape.deprecated,
    annotations: [],
  };
}

const serviceShape = fc.record({
  name: nameArbitrary(40),
  isOutbound: fc.boolean(),
  methods: fc.uniqueArray(methodShape, {
    minLength: 1,
    maxLength: 3,
    selector: ({ name }) => name,
  }),
});

function serviceOf(
  basePath: string,
  {
    name,
    isOutbound,
    methods,
  }: typeof serviceShape extends fc.Arbitrary<infer S> ? S : never,
): Service {
  const built = methods.map((shape) => methodOf(name, basePath, shape));
  return {
    kind: "service",
    name,
    docs: noDocs,
    direction: isOutbound ? "outbound" : "inbound",
    methods: isOutbound
      ? built.map((method) => ({ ...method, route: { kind: "webhook" } }))
      : built,
  };
}

const hostArbitrary: fc.Arbitrary<Host> = fc
  .record({
    name: nameArbitrary(50),
    parameters: fc.uniqueArray(nameArbitrary(30), { maxLength: 2 }),
    baseUrl: fc.option(nameArbitrary(20)),
    services: fc.uniqueArray(serviceShape, {
      minLength: 1,
      maxLength: 3,
      selector: ({ name }) => name,
    }),
  })
  .map(({ name, parameters, baseUrl, services }) => {
    const basePath = `/${parameters.map((part) => `{${part}}/`).join("")}rpc/`;
    return {
      kind: "host",
      name,
      document: `${name}.ridl`,
      version: null,
      docs: noDocs,
      basePath: parseBasePath(basePath),
      baseUrl,
      services: services.map((shape) => serviceOf(basePath, shape)),
      errors: errors.map((error) => error.name),
      validationError: "WebrpcBadRequest",
      errorBody: null,
    };
  });

/** Contracts with names of every length. */
export const contractArbitrary: fc.Arbitrary<Contract> = fc
  .uniqueArray(hostArbitrary, {
    minLength: 1,
    maxLength: 2,
    selector: ({ name }) => name,
  })
  .map((hosts) => ({
    kind: "contract",
    hosts,
    types: structsOf(hosts),
    errors,
    credentials,
  }));

/** Returns the structs in messages, each once. */
function structsOf(hosts: readonly Host[]): readonly Struct[] {
  const messages = hosts
    .flatMap(({ services }) => services)
    .flatMap(({ methods }) => methods)
    .flatMap(({ request, response }) => [request, response]);
  const names = new Set(messages.map(({ struct }) => struct));
  names.delete(null);
  return [...names].map((name) => ({
    kind: "struct",
    name: name ?? "",
    docs: noDocs,
    host: null,
    fields: [fieldOf("network"), fieldOf("ids")],
  }));
}
