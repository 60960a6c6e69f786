import {
  badResponse,
  type CannedCase,
  type Outcome,
  type SeenError,
} from "./client-case.js";

const category = "client responses";

function answered(
  title: string,
  status: number,
  body: string | Uint8Array,
  outcome: Outcome,
  more: Partial<CannedCase> = {},
): CannedCase {
  const name = `${category}: ${title}`;
  return { name, method: "uint8", status, body, outcome, ...more };
}

const one: Outcome = { value: { value: 1 } };
const conflict: SeenError = {
  name: "Conflict",
  code: 1409,
  status: 409,
  message: "Conflict",
};

const successes: readonly CannedCase[] = [
  answered("a plain success", 200, '{"value":1}', one),
  answered("surrounding white space", 200, ' \r\n\t{"value":1}\n', one),
  answered("a byte order mark", 200, '\ufeff{"value":1}', one),
  answered("another content type", 200, '{"value":1}', one, {
    headers: { "content-type": "text/plain" },
  }),
  answered("201", 201, '{"value":1}', one),
  answered("unknown fields in a response", 200, '{"value":1,"more":[2]}', {
    value: { value: 1, more: [2] },
  }),
  ...["", "null", "[]", '[{"value":1}]', "1", '"{}"', "true", " "].map((body) =>
    answered(
      `200 with ${JSON.stringify(body)}`,
      200,
      body,
      badResponse(200, body),
    ),
  ),
  ...["{", '{"value":1', '{"value":1}x', "{'value':1}", "<html></html>"].map(
    (body) => answered(`200 with ${body}`, 200, body, badResponse(200, body)),
  ),
  answered("204", 204, "", badResponse(204, "")),
  ...[
    '{"value":"x"}',
    '{"value":1.5}',
    '{"value":true}',
    '{"value":"1.5"}',
    "{}",
  ].map((body) =>
    answered(`a bigint in ${body}`, 200, body, badResponse(200, body), {
      method: "bigint",
    }),
  ),
  // Other servers write large integers as numbers.
  answered(
    "a bigint as a number",
    200,
    '{"value":7}',
    { value: { value: 7n } },
    {
      method: "bigint",
    },
  ),
  ...[
    '{"value":"A"}',
    '{"value":"@@@@"}',
    '{"value":[1]}',
    '{"value":null}',
  ].map((body) =>
    answered(`bytes in ${body}`, 200, body, badResponse(200, body), {
      method: "bytes",
    }),
  ),
  // Go writes null for absent values.
  answered(
    "null for optional fields",
    200,
    '{"value":{"text":null,"large":null,"data":null,"map":null}}',
    { value: { value: {} } },
    { method: "optionals" },
  ),
];

const envelopes: readonly (readonly [
  title: string,
  body: string,
  error: SeenError,
])[] = [
  [
    "all fields",
    '{"error":"Conflict","code":1409,"msg":"Conflict","cause":"c","status":409}',
    { ...conflict, cause: "c" },
  ],
  [
    "no cause",
    '{"error":"Conflict","code":1409,"msg":"Conflict","status":409}',
    { ...conflict, cause: undefined },
  ],
  [
    "alternative names",
    '{"name":"Conflict","code":1409,"message":"Conflict","status":409}',
    conflict,
  ],
  [
    "both names",
    '{"error":"Conflict","name":"x","code":1409,"msg":"Conflict","message":"y","status":409}',
    conflict,
  ],
  [
    "another message",
    '{"error":"Conflict","code":1409,"msg":"another text","status":409}',
    { ...conflict, message: "another text" },
  ],
  [
    "no message",
    '{"error":"Conflict","code":1409,"status":409}',
    { name: "Conflict", code: 1409, status: 409, message: "Conflict" },
  ],
  [
    "a message of the wrong type",
    '{"error":"Conflict","code":1409,"msg":null,"status":409}',
    conflict,
  ],
  ["no status", '{"error":"Conflict","code":1409,"msg":"Conflict"}', conflict],
  [
    "no code",
    '{"error":"Conflict","msg":"Conflict"}',
    { ...conflict, code: 0 },
  ],
  [
    "a code that is a string",
    '{"error":"Conflict","code":"1409","msg":"Conflict"}',
    conflict,
  ],
  [
    "an invalid code",
    '{"error":"Conflict","code":{},"msg":"Conflict"}',
    { ...conflict, code: 0 },
  ],
  [
    "unknown fields",
    '{"error":"Conflict","code":1409,"msg":"Conflict","stack":"at","__proto__":{"x":1}}',
    conflict,
  ],
  [
    "an error from another contract",
    '{"error":"Teapot","code":4242,"msg":"short","status":418}',
    { name: "Teapot", code: 4242, status: 409, message: "short" },
  ],
  [
    "a different code from the contract's",
    '{"error":"Conflict","code":7,"msg":"Conflict"}',
    { ...conflict, code: 7 },
  ],
  ...["constructor", "toString", "__proto__", "hasOwnProperty"].map(
    (name): readonly [string, string, SeenError] => [
      `an error called ${name}`,
      JSON.stringify({ error: name, code: 7, msg: "m" }),
      { name, code: 7, status: 409, message: "m" },
    ],
  ),
  [
    "a built-in error",
    '{"error":"WebrpcBadRoute","code":-2,"msg":"bad route","status":404}',
    { name: "WebrpcBadRoute", code: -2, status: 409, message: "bad route" },
  ],
];

const garbage: readonly (readonly [
  title: string,
  status: number,
  body: string,
])[] = [
  ["HTML with status 502", 502, "<html><h1>Bad Gateway</h1></html>"],
  ["503 without a body", 503, ""],
  ["500 with text", 500, "internal server error"],
  ["500 with null", 500, "null"],
  ["500 with a list", 500, '["Conflict"]'],
  ["500 with a string", 500, '"Conflict"'],
  ["500 with a number", 500, "500"],
  ["500 with an empty object", 500, "{}"],
  ["500 with an error that is not text", 500, '{"error":7,"code":1}'],
  ["500 with a nested error", 500, '{"error":{"message":"m"}}'],
  ["409 with half an envelope", 409, '{"error":"Conflict","co'],
  ["409 with an envelope in single quotes", 409, "{'error':'Conflict'}"],
  ["304 without a body", 304, ""],
  ["404 from another server", 404, "Not Found\n"],
  ["401 from a proxy", 401, "<!doctype html>"],
  ["a status of 599", 599, "?"],
];

const nested = `{"value":${'{"FIRST":"a","Third":'.repeat(20_000)}{"FIRST":"a"}${"}".repeat(20_000)}}`;

/** Unusual responses from servers and proxies. */
export const canned: readonly CannedCase[] = [
  ...successes,
  ...envelopes.map(([title, body, error]) =>
    answered(`envelope with ${title}`, 409, body, { error }),
  ),
  ...garbage.map(([title, status, body]) =>
    answered(title, status, body, badResponse(status, body)),
  ),
  answered(
    "500 with a megabyte",
    500,
    "x".repeat(1_000_000),
    badResponse(500, "x".repeat(500)),
  ),
  answered(
    "a value with 20,000 levels",
    200,
    nested,
    badResponse(200, nested.slice(0, 500)),
    { method: "renamed" },
  ),
  answered(
    "500 with bytes that are not text",
    500,
    Uint8Array.of(0xff, 0xfe),
    badResponse(500, "\ufffd\ufffd"),
  ),
];
