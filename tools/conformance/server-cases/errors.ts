import type { Answer, ServerCase } from "./case.js";

const internal: Answer = {
  status: 500,
  error: "WebrpcInternalError",
  code: -7,
  msg: "internal error",
  cause: null,
};
const invalid: Answer = {
  status: 500,
  error: "WebrpcBadResponse",
  code: -5,
  msg: "bad response",
  cause: null,
};
const declared = [
  ["KeyMissing", 1401, 401, "Key missing"],
  ["Forbidden", 1403, 403, "Forbidden"],
  ["Conflict", 1409, 409, "Conflict"],
  ["Geoblocked", 1451, 451, "Not in this region"],
  ["Outage", 1599, 599, "Outage"],
  ["InvalidArgument", 2000, 400, "Invalid argument"],
  ["WebrpcEndpoint", 0, 400, "endpoint error"],
  ["WebrpcRequestFailed", -1, 400, "request failed"],
  ["WebrpcBadRoute", -2, 404, "bad route"],
  ["WebrpcBadMethod", -3, 405, "bad method"],
  ["WebrpcBadRequest", -4, 400, "bad request"],
  ["WebrpcBadResponse", -5, 500, "bad response"],
  ["WebrpcServerPanic", -6, 500, "server panic"],
  ["WebrpcInternalError", -7, 500, "internal error"],
  ["WebrpcClientDisconnected", -8, 400, "client disconnected"],
  ["WebrpcStreamLost", -9, 400, "stream lost"],
] as const;

const conflict = { status: 409, error: "Conflict", code: 1409 };
const ways: readonly (readonly [how: string, answer: Answer])[] = [
  ...declared.map(([error, code, status, msg]): readonly [string, Answer] => [
    `plain ${error}`,
    { status, error, code, msg, cause: null },
  ]),
  ["message Conflict", { ...conflict, msg: "another text", cause: null }],
  ["cause Conflict", { ...conflict, msg: "Conflict", cause: "because: “é😀”" }],
  // Causes are sent only if they are strings, because an exception can contain
  // anything.
  ["object Conflict", { ...conflict, cause: null }],
  ["exception", internal],
  ["text", internal],
  ["nothing", internal],
  ["rejection", internal],
  ["invalid", invalid],
  ["null", invalid],
  ["beyond", invalid],
  ["extra", { status: 200, text: '{"value":7}' }],
];

const json = { "Content-Type": "application/json" };
const key = { ...json, "X-Key": "key" };
const open = "/rpc/Access/Open";
const guarded = "/rpc/Access/Guarded";
const signedIn = "/rpc/Access/SignedIn";
/** The base64 form of `é:a:b`. */
const login = "w6k6YTpi";
const body = '{"value":1}';
const ok: Answer = { status: 200, text: body };
const keyMissing: Answer = { status: 401, error: "KeyMissing", code: 1401 };
const forbidden: Answer = { status: 403, error: "Forbidden", code: 1403 };

const access: readonly (readonly [
  title: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  answer: Answer,
])[] = [
  ["a key", open, key, body, ok],
  ["no key", open, json, body, keyMissing],
  ["an empty key", open, { ...json, "X-Key": "" }, body, keyMissing],
  ["a wrong key", open, { ...json, "X-Key": "Key" }, body, keyMissing],
  [
    "key and secret",
    guarded,
    { ...key, Authorization: "Bearer secret" },
    body,
    ok,
  ],
  [
    "the scheme in lower case",
    guarded,
    { ...key, Authorization: "bearer secret" },
    body,
    ok,
  ],
  [
    "the scheme in upper case",
    guarded,
    { ...key, Authorization: "BEARER secret" },
    body,
    ok,
  ],
  ["no secret", guarded, key, body, forbidden],
  ["no scheme", guarded, { ...key, Authorization: "secret" }, body, forbidden],
  [
    "another scheme",
    guarded,
    { ...key, Authorization: "Basic secret" },
    body,
    forbidden,
  ],
  ...["", "Bearer", "Bearer:secret"].map(
    (value) =>
      [
        `no secret in ${JSON.stringify(value)}`,
        guarded,
        { ...key, Authorization: value },
        body,
        forbidden,
      ] as const,
  ),
  [
    "two spaces after the scheme",
    guarded,
    { ...key, Authorization: "Bearer  secret" },
    body,
    ok,
  ],
  [
    "a wrong secret",
    guarded,
    { ...key, Authorization: "Bearer no" },
    body,
    forbidden,
  ],
  [
    "a secret without a key",
    guarded,
    { ...json, Authorization: "Bearer secret" },
    body,
    keyMissing,
  ],
  ["neither", guarded, json, body, keyMissing],
  ...["Basic", "basic"].map(
    (scheme) =>
      [
        `a login after ${scheme}`,
        signedIn,
        { ...json, "X-Login": `${scheme} ${login}` },
        body,
        ok,
      ] as const,
  ),
  ...[
    ["a wrong password", "w6k6YTpj"],
    ["a login that is not encoded", "user:password"],
    ["a login without padding", "YTpiYw"],
    ["a login without a colon", "YWJj"],
    ["a login that is not UTF-8", "6TphOmI="],
  ].map(
    ([title = "", value]) =>
      [
        title,
        signedIn,
        { ...json, "X-Login": `Basic ${value}` },
        body,
        keyMissing,
      ] as const,
  ),
  ["no key before the body", open, json, "{", keyMissing],
  ["no secret before the fields", guarded, key, "{}", forbidden],
  [
    "the key before the content type",
    open,
    { "Content-Type": "text/plain" },
    body,
    { status: 401, error: "KeyMissing" },
  ],
  [
    "a key, then the fields",
    open,
    key,
    "{}",
    { status: 400, error: "InvalidArgument", cause: "value: " },
  ],
];

/** Errors from handlers and credentials. */
export const errors: readonly ServerCase[] = [
  ...["Fail", "FailAs"].flatMap((method) =>
    ways.map(([how, answer]): ServerCase => ({
      name: `errors: ${method} ${how}`,
      path: `/rpc/Faults/${method}`,
      body: JSON.stringify({ how }),
      answer,
    })),
  ),
  ...access.map(([title, path, headers, text, answer]): ServerCase => ({
    name: `errors: access with ${title}`,
    path,
    headers,
    body: text,
    answer,
  })),
];
