import type { ClientCase, SeenError } from "./client-case.js";

const internal: SeenError = {
  name: "WebrpcInternalError",
  code: -7,
  status: 500,
  message: "internal error",
  cause: undefined,
};
const conflict: SeenError = {
  name: "Conflict",
  code: 1409,
  status: 409,
  message: "Conflict",
  cause: undefined,
};

const fails: readonly (readonly [how: string, error: SeenError])[] = [
  ["plain Conflict", conflict],
  ["message Conflict", { ...conflict, message: "another text" }],
  ["cause Conflict", { ...conflict, cause: "because: “é😀”" }],
  ["object Conflict", conflict],
  [
    "plain Outage",
    { name: "Outage", code: 1599, status: 599, message: "Outage" },
  ],
  [
    "plain Geoblocked",
    {
      name: "Geoblocked",
      code: 1451,
      status: 451,
      message: "Not in this region",
    },
  ],
  [
    "plain WebrpcEndpoint",
    { name: "WebrpcEndpoint", code: 0, status: 400, message: "endpoint error" },
  ],
  [
    "plain WebrpcServerPanic",
    { name: "WebrpcServerPanic", code: -6, status: 500 },
  ],
  ["exception", internal],
  ["text", internal],
  ["nothing", internal],
  ["rejection", internal],
  ["invalid", { name: "WebrpcBadResponse", code: -5, status: 500 }],
];

/** Errors that clients receive from servers. */
export const clientErrors: readonly ClientCase[] = [
  ...fails.flatMap(([how, error]) =>
    ["fail", "failAs"].map((method): ClientCase => ({
      name: `client errors: ${method} ${how}`,
      service: "faults",
      method,
      request: { how },
      outcome: { error },
    })),
  ),
  {
    name: "client errors: invalid fields",
    service: "echo",
    method: "two",
    request: { first: 1, second: -1 },
    outcome: {
      error: {
        name: "InvalidArgument",
        code: 2000,
        status: 400,
        message: "Invalid argument",
        cause:
          "first: expected a string, got 1; second: expected an unsigned 8-bit integer, got -1",
      },
    },
  },
];
