/** A request and the response that every host must return. */
export interface ServerCase {
  readonly title: string;
  readonly verb?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly status: number;
  /** The whole body of a successful response. */
  readonly json?: unknown;
  /** The name of the error in a failure's envelope. */
  readonly error?: string;
  /** The cause in the envelope, or null if there must be none. */
  readonly cause?: RegExp | null;
  readonly allow?: string;
}

const json = { "Content-Type": "application/json" };
const key = { ...json, "X-Access-Key": "public-key" };
const both = { ...key, Authorization: "Bearer secret-key" };
const price = '{"amount":"1","chainId":1}';
const echo = "/rpc/API/Echo";
const getPrice = "/rpc/API/GetPrice";
const addSponsor = "/rpc/API/AddSponsor";
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

const routing: readonly ServerCase[] = [
  { title: "plain path", path: "/rpc/API/Ping", status: 200, json: {} },
  {
    title: "service with a slash",
    path: "/rpc/v1/Example/Echo",
    body: '{"a":1}',
    status: 200,
    json: { a: 1 },
  },
  {
    title: "query string is ignored",
    path: "/rpc/API/Ping?x=/../y",
    status: 200,
    json: {},
  },
  ...[
    "/",
    "/rpc",
    "/rpc/API",
    "/rpc/API/",
    "/rpc/API/Ping/",
    "//rpc/API/Ping",
    "/rpc//API/Ping",
    "/rpc/API/ping",
    "/rpc/api/Ping",
    "/RPC/API/Ping",
    "/rpc/API/Pi%6Eg",
    "/rpc/API/Ping%20",
    "/rpc/API/__proto__",
    "/rpc/API/constructor",
    "/rpc/API/toString",
    "/rpc/__proto__/Ping",
    "/__proto__",
    "/rpc/Metadata/ReadTokens",
  ].map((path): ServerCase => ({
    title: `unknown path ${path}`,
    path,
    status: 404,
    error: "WebrpcBadRoute",
    cause: new RegExp(`^there is no method at POST `, "u"),
  })),
  ...["GET", "PUT", "DELETE", "PATCH", "OPTIONS"].map((verb): ServerCase => ({
    title: `${verb} on an RPC path`,
    verb,
    path: "/rpc/API/Ping",
    status: 405,
    error: "WebrpcBadMethod",
    allow: "POST",
    cause: new RegExp(`not ${verb}$`, "u"),
  })),
  {
    title: "POST on a REST path",
    path: "/tokens/mainnet/0xab/1",
    status: 405,
    error: "WebrpcBadMethod",
    allow: "GET, HEAD",
  },
  {
    title: "the unknown path is reported instead of the wrong verb",
    verb: "GET",
    path: "/rpc/API/Pong",
    status: 404,
    error: "WebrpcBadRoute",
  },
];

const parameters: readonly ServerCase[] = [
  {
    title: "parameter of the base path",
    path: "/mainnet/rpc/Marketplace/GetOrders",
    headers: key,
    body: "{}",
    status: 200,
    json: { service: "Marketplace", method: "GetOrders", network: "mainnet" },
  },
  {
    title: "encoded parameter",
    path: "/a%2Fb/rpc/Marketplace/GetOrders",
    headers: key,
    body: "{}",
    status: 200,
    json: { service: "Marketplace", method: "GetOrders", network: "a/b" },
  },
  ...["/atlantis", "/", "/a/b", "/mainnet%20", ""].map(
    (prefix): ServerCase => ({
      title: `parameter that is not accepted: ${prefix}`,
      path: `${prefix}/rpc/Marketplace/GetOrders`,
      headers: key,
      body: "{}",
      status: 404,
      error: "WebrpcBadRoute",
    }),
  ),
  {
    title: "REST with a list",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1,22,3?x=1",
    headers: {},
    status: 200,
    json: [
      {
        network: "mainnet",
        contractAddress: "0xAB",
        tokenIDs: ["1", "22", "3"],
      },
    ],
  },
  {
    title: "REST without the list",
    verb: "GET",
    path: "/tokens/caf%C3%A9/0xAB",
    headers: { "X-Access-Key": "nonsense" },
    status: 200,
    json: { network: "café", contractAddress: "0xAB" },
  },
  {
    title: "REST value of the wrong type",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1,x,",
    status: 400,
    error: "InvalidArgument",
    cause:
      /^tokenIDs\[1\]: expected a decimal string, got "x"; tokenIDs\[2\]: .*got ""$/u,
  },
  {
    title: "REST list with too many items",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1,2,3,4",
    status: 400,
    error: "InvalidArgument",
    cause: /^tokenIDs: expected a list of at most 3 items/u,
  },
  {
    title: "REST list with encoded commas",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1%2C2,3%2C4",
    status: 400,
    error: "InvalidArgument",
    cause: /^tokenIDs: expected a list of at most 3 items/u,
  },
  {
    title: "REST numbers and booleans",
    verb: "GET",
    path: "/rows/7/true,false,2,x,0x1",
    status: 200,
    json: { id: 7, flags: [true, false, 2, "x", "0x1"] },
  },
  {
    title: "REST number that is not a number",
    verb: "GET",
    path: "/rows/abc/1",
    status: 400,
    error: "InvalidArgument",
    cause: /^id: expected an unsigned integer, got "abc"$/u,
  },
  {
    title: "REST number that a double cannot represent",
    verb: "GET",
    path: "/rows/18446744073709551615/1",
    status: 400,
    error: "InvalidArgument",
    cause: /got about 18446744073709552000$/u,
  },
  {
    title: "REST with an empty segment",
    verb: "GET",
    path: "/tokens//0xAB",
    status: 404,
    error: "WebrpcBadRoute",
  },
];

const contentTypes: readonly ServerCase[] = [
  ...[
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "application/json ; x=y",
  ].map((type): ServerCase => ({
    title: `content type ${type}`,
    path: echo,
    headers: { "Content-Type": type },
    body: '{"ü":"€"}',
    status: 200,
    json: { ü: "€" },
  })),
  ...[
    "text/plain",
    "text/plain; application/json",
    "application/jsonx",
    "application/json+x",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/vnd.api+json",
  ].map((type): ServerCase => ({
    title: `content type ${type}`,
    path: echo,
    headers: { "Content-Type": type },
    body: "{}",
    status: 415,
    error: "WebrpcBadRequest",
    cause: /^content-type: expected application\/json, got "/u,
  })),
  {
    title: "no content type",
    path: echo,
    headers: {},
    body: "{}",
    status: 415,
    error: "WebrpcBadRequest",
    cause: /^content-type: .* got nothing$/u,
  },
  {
    title: "a method without fields gets a body without a content type",
    path: "/rpc/API/Ping",
    headers: {},
    body: "{}",
    status: 415,
    error: "WebrpcBadRequest",
    cause: /^content-type: .* got nothing$/u,
  },
  ...["cross-site", "same-site"].map((site): ServerCase => ({
    title: `a ${site} page calls a method without fields and sends no content type`,
    path: "/rpc/API/Ping",
    headers: { "Sec-Fetch-Site": site },
    body: "",
    status: 415,
    error: "WebrpcBadRequest",
    cause: /^content-type: .* got nothing$/u,
  })),
  {
    title: "credentials are checked before the content type",
    path: getPrice,
    headers: { "Content-Type": "text/plain" },
    body: price,
    status: 401,
    error: "AccessKeyNotFound",
  },
];

const bodies: readonly ServerCase[] = [
  {
    title: "method without fields, no content type, from the same origin",
    path: "/rpc/API/Ping",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: "",
    status: 200,
    json: {},
  },
  {
    title: "method without fields, JSON from another site",
    path: "/rpc/API/Ping",
    headers: { ...json, "Sec-Fetch-Site": "cross-site" },
    body: "{}",
    status: 200,
    json: {},
  },
  ...["", "null", "{}", '{"unknown":[1]}', " null "].map(
    (body): ServerCase => ({
      title: `method without fields, body ${JSON.stringify(body)}`,
      path: "/rpc/API/Ping",
      headers: json,
      body,
      status: 200,
      json: {},
    }),
  ),
  {
    title: "method without fields, no body, and no content type",
    path: "/rpc/API/Ping",
    headers: {},
    status: 200,
    json: {},
  },
  ...["[]", "1", '"x"', "true"].map((body): ServerCase => ({
    title: `method without fields, body ${body}`,
    path: "/rpc/API/Ping",
    body,
    status: 400,
    error: "WebrpcBadRequest",
    cause: /^body: expected a JSON object, got /u,
  })),
  ...["null", "[]", "[{}]", "7", '"{}"', "false"].map((body): ServerCase => ({
    title: `method with fields, body ${body}`,
    path: echo,
    body,
    status: 400,
    error: "WebrpcBadRequest",
    cause: /^body: expected a JSON object, got /u,
  })),
  ...["", " ", "{", "{}}", "{'a':1}", '{"a":01}', "undefined", "NaN"].map(
    (body): ServerCase => ({
      title: `body that is not JSON: ${JSON.stringify(body)}`,
      path: echo,
      body,
      status: 400,
      error: "WebrpcBadRequest",
      cause: /^body is not JSON/u,
    }),
  ),
  {
    title: "nesting exactly at the limit",
    path: "/rpc/API/Echo",
    body: `{"a":${"[".repeat(99)}${"]".repeat(99)}}`,
    status: 200,
    json: {
      a: JSON.parse(`${"[".repeat(99)}${"]".repeat(99)}`) as unknown,
    },
  },
  {
    title: "nesting one level beyond the limit",
    path: "/rpc/API/Echo",
    body: `{"a":${"[".repeat(100)}${"]".repeat(100)}}`,
    status: 400,
    error: "WebrpcBadRequest",
    cause: /at most 100 levels/u,
  },
  {
    title: "brackets in strings do not count as levels",
    path: "/rpc/API/Echo",
    body: JSON.stringify({ a: `${"[{".repeat(200)}\\"` }),
    status: 200,
    json: { a: `${"[{".repeat(200)}\\"` },
  },
  {
    title: "bytes that are not UTF-8",
    path: echo,
    body: bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
    status: 400,
    error: "WebrpcBadRequest",
    cause: /^body is not UTF-8$/u,
  },
  {
    title: "byte order mark",
    path: echo,
    body: bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
    status: 200,
    json: {},
  },
  {
    title: "hostile field names",
    path: echo,
    body: '{"__proto__":{"x":1},"constructor":2}',
    status: 200,
    json: JSON.parse('{"__proto__":{"x":1},"constructor":2}') as unknown,
  },
  {
    title: "body exactly at the limit",
    path: echo,
    body: `{"a":"${"x".repeat(992)}"}`,
    status: 200,
    json: { a: "x".repeat(992) },
  },
  {
    title: "body one byte beyond the limit",
    path: echo,
    body: `{"a":"${"x".repeat(993)}"}`,
    status: 413,
    error: "WebrpcBadRequest",
    cause: /^body larger than 1000 bytes$/u,
  },
  {
    title: "body far beyond the limit",
    path: echo,
    body: `{"a":"${"x".repeat(3_000_000)}"}`,
    status: 413,
    error: "WebrpcBadRequest",
    cause: /^body larger than 1000 bytes$/u,
  },
];

const fields: readonly ServerCase[] = [
  {
    title: "unknown fields are kept, and null optionals are absent",
    path: getPrice,
    headers: { ...key, "X-Caller": "me", Webrpc: "webrpc@v0.31" },
    body: '{"amount":"1","chainId":1,"note":null,"extra":1}',
    status: 200,
    json: {
      price: "10",
      caller: "me",
      request: { amount: "1", chainId: 1, extra: 1 },
    },
  },
  {
    title: "all failures at once",
    path: getPrice,
    headers: key,
    body: '{"chainId":"abc","note":7}',
    status: 400,
    error: "InvalidArgument",
    cause:
      /^amount: expected a decimal string, got nothing; chainId: expected an unsigned integer, got "abc"; note: expected a string, got 7$/u,
  },
  {
    title:
      "a number that a double cannot represent is rejected instead of rounded",
    path: getPrice,
    headers: key,
    body: '{"amount":"1","chainId":9007199254740993}',
    status: 400,
    error: "InvalidArgument",
    cause: /^chainId: .* got about 9007199254740992$/u,
  },
];

const credentials: readonly ServerCase[] = [
  {
    title: "both credentials",
    path: addSponsor,
    headers: both,
    body: price,
    status: 200,
    json: { status: true },
  },
  ...["bearer", "BEARER", "Bearer "].map((scheme): ServerCase => ({
    title: `scheme written ${JSON.stringify(scheme)}`,
    path: addSponsor,
    headers: { ...key, Authorization: `${scheme} secret-key` },
    body: price,
    status: 200,
    json: { status: true },
  })),
  {
    title: "no access key",
    path: addSponsor,
    headers: { ...json, Authorization: "Bearer secret-key" },
    body: price,
    status: 401,
    error: "AccessKeyNotFound",
    cause: /^header X-Access-Key: expected a credential, got nothing$/u,
  },
  {
    title: "unknown access key",
    path: addSponsor,
    headers: { ...both, "X-Access-Key": "other" },
    body: price,
    status: 401,
    error: "AccessKeyNotFound",
    cause: null,
  },
  {
    title: "empty access key",
    path: getPrice,
    headers: { ...json, "X-Access-Key": " " },
    body: price,
    status: 401,
    error: "AccessKeyNotFound",
  },
  ...[
    "",
    "Bearer",
    "Bearer ",
    "Basic secret-key",
    "secret-key",
    "Bearersecret-key",
  ].map((value): ServerCase => ({
    title: `Authorization: ${JSON.stringify(value)}`,
    path: addSponsor,
    headers: { ...key, Authorization: value },
    body: price,
    status: 403,
    error: "PermissionDenied",
    cause: /^header Authorization with Bearer: /u,
  })),
  {
    title: "rejected secret",
    path: addSponsor,
    headers: { ...key, Authorization: "Bearer other" },
    body: price,
    status: 403,
    error: "PermissionDenied",
    cause: null,
  },
  {
    title: "verifier that throws an error that the contract declares",
    path: addSponsor,
    headers: { ...key, Authorization: "Bearer expired" },
    body: price,
    status: 403,
    error: "SessionExpired",
  },
  {
    title: "verifier that fails",
    path: addSponsor,
    headers: { ...key, Authorization: "Bearer broken" },
    body: price,
    status: 500,
    error: "WebrpcInternalError",
    cause: null,
  },
  {
    title: "access key is checked before the secret",
    path: addSponsor,
    body: price,
    status: 401,
    error: "AccessKeyNotFound",
  },
  {
    title: "credentials are checked before the body",
    path: addSponsor,
    headers: key,
    body: "{",
    status: 403,
    error: "PermissionDenied",
  },
];

const failures: readonly ServerCase[] = [
  ["declared", 451, "Geoblocked", /^not in Atlantis$/u] as const,
  ["caused", 451, "Geoblocked", null] as const,
  ["odd status", 500, "Geoblocked", null] as const,
  ["built-in", 500, "WebrpcServerPanic", null] as const,
  ["exception", 500, "WebrpcInternalError", null] as const,
  ["string", 500, "WebrpcInternalError", null] as const,
  ["invalid", 500, "WebrpcBadResponse", null] as const,
].map(([how, status, error, cause]) => ({
  title: `handler fails: ${how}`,
  path: "/rpc/API/Fail",
  body: JSON.stringify({ how }),
  status,
  error,
  cause,
}));

/** All cases. The default is POST with `Content-Type: application/json`. */
export const serverCases: readonly ServerCase[] = [
  ...routing,
  ...parameters,
  ...contentTypes,
  ...bodies,
  ...fields,
  ...credentials,
  ...failures,
];

/** Malformed requests that some hosts reject themselves. */
export const hostCases: readonly ServerCase[] = [
  {
    title: "invalid content type",
    path: echo,
    headers: { "Content-Type": ";" },
    body: "{}",
    status: 415,
    error: "WebrpcBadRequest",
  },
  {
    title: "invalid percent-encoding in a parameter",
    verb: "GET",
    path: "/tokens/%zz/0xAB",
    status: 404,
    error: "WebrpcBadRoute",
    cause: /^invalid percent-encoding/u,
  },
  {
    title: "percent-encoding that is not UTF-8",
    verb: "GET",
    path: "/tokens/%FF/0xAB",
    status: 404,
    error: "WebrpcBadRoute",
  },
  {
    title: "invalid percent-encoding in a list",
    verb: "GET",
    path: "/tokens/mainnet/0xAB/1,%",
    status: 404,
    error: "WebrpcBadRoute",
  },
];
