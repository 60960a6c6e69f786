import {
  builtInErrors,
  RpcError,
} from "../../../runtime/typescript/wire/errors.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { readRest } from "../../../runtime/typescript/codegen/read-requests.js";
import type {
  RequestContext,
  RpcServer,
  ServerMethod,
  ServerOptions,
  Verify,
} from "../../../runtime/typescript/server/server.js";
import {
  dropNull,
  listOfValues,
} from "../../../runtime/typescript/codegen/checks.js";
import {
  isRecord,
  isString,
  isUint32,
} from "../../../runtime/typescript/values/validation.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";

/** The errors of the sample contract. */
export const sampleErrors = {
  AccessKeyNotFound: {
    name: "AccessKeyNotFound",
    code: 1101,
    message: "Access key not found",
    status: 401,
  },
  PermissionDenied: {
    name: "PermissionDenied",
    code: 1001,
    message: "Permission denied",
    status: 403,
  },
  SessionExpired: {
    name: "SessionExpired",
    code: 1002,
    message: "Session expired",
    status: 403,
  },
  InvalidArgument: {
    name: "InvalidArgument",
    code: 2000,
    message: "Invalid argument",
    status: 400,
  },
  Geoblocked: {
    name: "Geoblocked",
    code: 1006,
    message: "Geoblocked region",
    status: 451,
  },
} as const;

const { InvalidArgument } = sampleErrors;

const accessKey = {
  header: "X-Access-Key",
  scheme: null,
  error: sampleErrors.AccessKeyNotFound,
  verify: "verifyAccessKey",
} as const;

const secret = {
  header: "Authorization",
  scheme: "Bearer",
  error: sampleErrors.PermissionDenied,
  verify: "verifySecret",
} as const;

function isDigits(value: unknown): value is string {
  return isString(value) && /^[0-9]+$/u.test(value);
}

function checkAmount(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isDigits(value["amount"])) {
    report.failAt("amount", "a decimal string", value["amount"]);
  }
  if (!isUint32(value["chainId"])) {
    report.failAt("chainId", "an unsigned integer", value["chainId"]);
  }
  if (value["note"] === null) dropNull(value, "note", report);
  else if (value["note"] !== undefined && !isString(value["note"])) {
    report.failAt("note", "a string", value["note"]);
  }
}

const checkTokenIds = listOfValues(isDigits, "a decimal string", {
  maxItems: 3,
});

function checkTokens(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isString(value["network"])) {
    report.failAt("network", "a string", value["network"]);
  }
  report.enter("tokenIDs");
  checkTokenIds(value["tokenIDs"], report);
  report.leave();
}

function checkRow(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isUint32(value["id"])) {
    report.failAt("id", "an unsigned integer", value["id"]);
  }
}

/** Validates nothing except that a value is an object. */
export function checkAnything(value: unknown, report: Report): void {
  if (!isRecord(value)) report.fail("an object", value);
}

/** Default values for rows of the sample table. */
export const plainRow = {
  credentials: [],
  checkRequest: checkAnything,
  checkResponse: checkAnything,
  validationError: InvalidArgument,
} as const;

/** A method table in the form that generated servers use. */
export const sampleMethods: readonly ServerMethod[] = [
  {
    ...plainRow,
    service: "API",
    name: "Ping",
    handler: ["api", "ping"],
    route: { kind: "rpc", path: "/rpc/API/Ping" },
    checkRequest: null,
    checkResponse: null,
  },
  {
    ...plainRow,
    service: "API",
    name: "Echo",
    handler: ["api", "echo"],
    route: { kind: "rpc", path: "/rpc/API/Echo" },
  },
  {
    ...plainRow,
    service: "API",
    name: "GetPrice",
    handler: ["api", "getPrice"],
    route: { kind: "rpc", path: "/rpc/API/GetPrice" },
    credentials: [accessKey],
    checkRequest: checkAmount,
  },
  {
    ...plainRow,
    service: "API",
    name: "AddSponsor",
    handler: ["api", "addSponsor"],
    route: { kind: "rpc", path: "/rpc/API/AddSponsor" },
    credentials: [accessKey, secret],
    checkRequest: checkAmount,
  },
  {
    ...plainRow,
    service: "API",
    name: "Fail",
    handler: ["api", "fail"],
    route: { kind: "rpc", path: "/rpc/API/Fail" },
    checkResponse: checkRow,
  },
  {
    ...plainRow,
    service: "v1/Example",
    name: "Echo",
    handler: ["api", "echo"],
    route: { kind: "rpc", path: "/rpc/v1/Example/Echo" },
  },
  {
    ...plainRow,
    service: "Marketplace",
    name: "GetOrders",
    handler: ["marketplace", "getOrders"],
    route: { kind: "rpc", path: "/{network}/rpc/Marketplace/GetOrders" },
    credentials: [accessKey],
  },
  {
    ...plainRow,
    service: "Metadata",
    name: "ReadTokens",
    handler: ["metadata", "readTokens"],
    route: {
      kind: "rest",
      read: readRest,
      path: "/tokens/{network}/{contractAddress}/{tokenIDs}",
      lists: ["tokenIDs"],
      body: "tokenMetadata",
    },
    checkRequest: checkTokens,
  },
  {
    ...plainRow,
    service: "Metadata",
    name: "ReadContract",
    handler: ["metadata", "readContract"],
    route: {
      kind: "rest",
      read: readRest,
      path: "/tokens/{network}/{contractAddress}",
      body: "contractInfo",
    },
  },
  {
    ...plainRow,
    service: "Metadata",
    name: "ReadRow",
    handler: ["metadata", "readRow"],
    route: {
      kind: "rest",
      read: readRest,
      path: "/rows/{id}/{flags}",
      lists: ["flags"],
      json: ["id", "flags"],
      body: null,
    },
    checkRequest: checkRow,
  },
];

/** The state that the sample server creates for each request. */
export interface SampleState {
  readonly caller: string | null;
}

type SampleHandler = (
  request: Record<string, unknown>,
  context: RequestContext<SampleState>,
) => unknown;

/**
 * The options of the sample server, typed as a generated file would type them.
 */
export interface SampleOptions extends ServerOptions<SampleState> {
  readonly handlers: Readonly<
    Record<string, Readonly<Record<string, SampleHandler>>>
  >;
  readonly verifyAccessKey: Verify<SampleState>;
  readonly verifySecret: Verify<SampleState>;
  readonly acceptParameters: (parameters: {
    readonly network: string;
  }) => boolean | Promise<boolean>;
}

function fail({ how }: Record<string, unknown>): unknown {
  switch (how) {
    case "declared":
      throw new RpcError(sampleErrors.Geoblocked, { cause: "not in Atlantis" });
    case "caused":
      throw new RpcError(sampleErrors.Geoblocked, {
        message: "not here",
        cause: new Error("postgres://user:password@db"),
      });
    case "odd status":
      throw new RpcError({ ...sampleErrors.Geoblocked, status: 204 });
    case "built-in":
      throw new RpcError(builtInErrors.WebrpcServerPanic);
    case "exception":
      throw new TypeError("postgres://user:password@db");
    case "string":
      throw "postgres://user:password@db";
    case "invalid":
      return { id: "seven" };
    default:
      return { id: 7 };
  }
}

/** The handlers and verifiers of the sample server. */
export const sampleOptions: SampleOptions = {
  // These handlers fail deliberately.
  onError: () => undefined,
  createState: (facts) => ({ caller: facts.header("x-caller") }),
  verifyAccessKey: (value) => value === "public-key",
  verifySecret: async (value) => {
    await Promise.resolve();
    if (value === "expired") throw new RpcError(sampleErrors.SessionExpired);
    if (value === "broken") throw new Error("key store is down");
    return value === "secret-key";
  },
  acceptParameters: ({ network }) =>
    Promise.resolve(["mainnet", "a/b"].includes(network)),
  handlers: {
    api: {
      ping: () => undefined,
      echo: (request) => request,
      getPrice: (request, { state }) => ({
        price: `${String(request["amount"])}0`,
        caller: state.caller,
        request,
      }),
      addSponsor: () => Promise.resolve({ status: true }),
      fail,
    },
    marketplace: {
      getOrders: (_request, { service, method, parameters }) => ({
        service,
        method,
        network: parameters["network"],
      }),
    },
    metadata: {
      readTokens: (request) => ({ tokenMetadata: [request] }),
      readContract: (request) => ({ contractInfo: request }),
      readRow: (request) => request,
    },
  },
};

/** Creates the server on which the table of cases runs. */
export function createSampleServer(
  overrides: Partial<SampleOptions> = {},
  methods: readonly ServerMethod[] = sampleMethods,
): RpcServer {
  const options = { ...sampleOptions, maxBodyBytes: 1000, ...overrides };
  return createServer(options, methods);
}
