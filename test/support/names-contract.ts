import {
  alias,
  contract,
  enumeration,
  field,
  host,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "./contract-parts.js";

/** Type names that clash with names in generated code or with each other. */
const clashing = [
  "Record",
  "Promise",
  "Date",
  "Report",
  "RpcError",
  "RpcErrorOptions",
  "BuiltInError",
  "ContractError",
  "ClientMethod",
  "ClientOptions",
  "Call",
  "CredentialValue",
  "RequestContext",
  "RpcServer",
  "ServerOptions",
  "Verify",
  "WebrpcEndpointError",
  "NotFoundError",
  "GetRequest",
  "Ünïcode",
  "A-B",
  "AB",
];

const fieldNames = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "class",
  "delete",
  "value",
  "report",
  "a-b",
  "1st",
  "日本",
  "",
];

/**
 * Services and methods with names that clash within a service and across
 * services.
 */
const services: Readonly<Record<string, readonly string[]>> = {
  Create: [
    "constructor",
    "__proto__",
    "then",
    "Fetch",
    "URL",
    "delete",
    "Get",
    "get_",
    "Get_One",
    "GetOne",
    "2fa",
    "日本",
  ],
  "v1/Create": ["Get", "get_", "URL"],
  RPC: ["constructor", "Fetch"],
  then: ["__proto__", "then"],
};

const fields = fieldNames.flatMap((name, index) => [
  field(name, reference("Big"), { isOptional: index % 2 === 0 }),
]);

/**
 * A contract whose names clash with each other, with TypeScript, and with the
 * runtime.
 */
export const namesContract = contract(
  [
    alias("Big", scalar("bigint")),
    struct("Fields", fields),
    enumeration("Enum", ["__proto__", "constructor", "a-b", "class", "1"]),
    ...clashing.map((name) => struct(name, [field("big", reference("Big"))])),
    struct("All", [
      field("enumerated", reference("Enum")),
      ...clashing.map((name) => field(`of${name}`, reference(name))),
    ]),
  ],
  [
    host("client", [
      ...Object.entries(services).map(([name, methodNames]) =>
        service(
          name,
          methodNames.map((methodName) =>
            method(name, methodName, {
              request: message([field("all", reference("All"))]),
              response: message([field("fields", reference("Fields"))]),
              route: { kind: "rpc", path: `/rpc/${name}/${methodName}` },
              credentials: ["X-Get"],
              errors: ["NotFound"],
            }),
          ),
        ),
      ),
    ]),
  ],
  {
    errors: ["NotFound", "__proto__"].map((name, index) => ({
      kind: "error",
      name,
      code: index + 1,
      message: "not found",
      status: 404,
      anyStatus: false,
      data: null,
      dataMembers: [],
      isDataOptional: false,
      docs: { lines: [], origins: [] },
    })),
    credentials: ["Get", "Rpc"].map((name) => ({
      name,
      docs: { lines: [], origins: [] },
      key: `X-${name}`,
      place: "header",
      parameter: `X-${name}`,
      scheme: null,
      error: "NotFound",
    })),
  },
);
