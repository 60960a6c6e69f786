import type {
  Alias,
  Constraints,
  Contract,
  Docs,
  Enum,
  Field,
  Host,
  Message,
  Method,
  ScalarName,
  Service,
  Struct,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../../generator/ir/contract.js";

export const noDocs: Docs = { lines: [], origins: [] };

export function scalar(name: ScalarName): TypeReference {
  return { kind: "scalar", name };
}

export function reference(name: string): TypeReference {
  return { kind: "reference", name };
}

export function list(element: TypeReference): TypeReference {
  return { kind: "list", element };
}

export function map(key: TypeReference, value: TypeReference): TypeReference {
  return { kind: "map", key, value };
}

/**
 * Creates a required field without limits, unless `parts` overrides its
 * properties.
 */
export function field(
  name: string,
  type: TypeReference,
  parts: Partial<Field> = {},
): Field {
  return {
    kind: "field",
    name,
    jsonName: name,
    docs: noDocs,
    type,
    isOptional: false,
    isNullable: false,
    isSensitive: false,
    isExtra: false,
    header: null,
    deprecated: null,
    constraints: {},
    metadata: [],
    ...parts,
  };
}

export function struct(
  name: string,
  fields: readonly Field[],
  parts: Partial<Struct> = {},
): Struct {
  return { kind: "struct", name, docs: noDocs, host: null, fields, ...parts };
}

/** Creates a union without a tag, unless `parts` has one. */
export function union(
  name: string,
  variants: readonly TypeReference[],
  parts: Partial<Union> = {},
): Union {
  return {
    kind: "union",
    name,
    docs: noDocs,
    host: null,
    variants,
    tag: null,
    isOpen: false,
    choice: [],
    constraints: {},
    isNullable: false,
    title: null,
    metadata: [],
    ...parts,
  };
}

export function enumeration(
  name: string,
  values: readonly string[],
  parts: Partial<Enum> = {},
): Enum {
  return {
    kind: "enum",
    name,
    docs: noDocs,
    host: null,
    base: "string",
    members: values.map((value) => ({
      name: value,
      value,
      jsonValue: value,
      docs: noDocs,
    })),
    ...parts,
  };
}

export function alias(
  name: string,
  type: TypeReference,
  constraints: Constraints = {},
  parts: Partial<Alias> = {},
): Alias {
  return {
    kind: "alias",
    name,
    docs: noDocs,
    host: null,
    type,
    constraints,
    known: null,
    title: null,
    acceptsInteger: false,
    isNullable: false,
    metadata: [],
    ...parts,
  };
}

/** Creates a message that lists its arguments. */
export function message(fields: readonly Field[]): Message {
  return { kind: "message", struct: null, fields, isStream: false };
}

export function method(
  service: string,
  name: string,
  parts: Partial<Method> = {},
): Method {
  return {
    kind: "method",
    name,
    docs: noDocs,
    service,
    request: message([]),
    response: message([]),
    route: { kind: "rpc", path: `/rpc/${service}/${name}` },
    credentials: [],
    alternatives: [],
    errors: null,
    safety: "none",
    idempotencyKey: "none",
    resume: null,
    isClientOnly: false,
    deprecated: null,
    annotations: [],
    ...parts,
  };
}

export function service(
  name: string,
  methods: readonly Method[],
  parts: Partial<Service> = {},
): Service {
  return {
    kind: "service",
    name,
    docs: noDocs,
    direction: "inbound",
    methods,
    ...parts,
  };
}

export function host(
  name: string,
  services: readonly Service[],
  parts: Partial<Host> = {},
): Host {
  return {
    kind: "host",
    name,
    document: `${name}.ridl`,
    version: "1.0.0",
    docs: noDocs,
    basePath: { text: "/rpc/", segments: [{ kind: "literal", text: "rpc" }] },
    baseUrl: null,
    services,
    errors: [],
    validationError: "WebrpcBadRequest",
    errorBody: null,
    ...parts,
  };
}

export function contract(
  types: readonly TypeDeclaration[],
  hosts: readonly Host[],
  parts: Partial<Contract> = {},
): Contract {
  return {
    kind: "contract",
    hosts,
    types,
    errors: [],
    credentials: [],
    ...parts,
  };
}
