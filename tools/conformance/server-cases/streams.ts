import type { Answer, ServerCase } from "./case.js";

const ndjson = {
  "content-type": "application/x-ndjson",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};
const lines = (...all: string[]): Answer => ({
  status: 200,
  headers: ndjson,
  text: ["", ...all, ""].join("\n"),
});

const shapes = [
  '{"kind":"circle","radius":1,"area":"7"}',
  '{"kind":"line","to":[null,{"x":1}]}',
  '{"kind":"rectangle","side":2}',
];

const rows: readonly (readonly [
  title: string,
  method: string,
  body: string,
  answer: Answer,
])[] = [
  [
    "some lines",
    "Count",
    '{"to":3,"large":"12345678901234567890"}',
    lines(
      ...["1", "2", "3"].map(
        (n) => `{"n":${n},"large":"12345678901234567890"}`,
      ),
    ),
  ],
  ["no lines", "Count", '{"to":0,"large":"0"}', lines()],
  [
    "many lines",
    "Count",
    '{"to":2000,"large":"0"}',
    lines(
      ...Array.from(
        { length: 2000 },
        (_, index) => `{"n":${String(index + 1)},"large":"0"}`,
      ),
    ),
  ],
  [
    "invalid fields",
    "Count",
    '{"to":-1,"large":0}',
    {
      status: 400,
      error: "InvalidArgument",
      cause:
        "to: expected an unsigned 32-bit integer, got -1; large: expected a string that represents an integer",
    },
  ],
  [
    "an error before the first line",
    "Fail",
    '{"how":"cause Conflict","after":0}',
    { status: 409, error: "Conflict", cause: "because: “é😀”" },
  ],
  [
    "an exception before the first line",
    "Fail",
    '{"how":"exception","after":0}',
    { status: 500, error: "WebrpcInternalError", cause: null },
  ],
  [
    "an error after some lines",
    "Fail",
    '{"how":"plain Conflict","after":2}',
    lines(
      '{"n":1}',
      '{"n":2}',
      '{"webrpcError":{"error":"Conflict","code":1409,"msg":"Conflict","status":409}}',
    ),
  ],
  [
    "an exception after some lines",
    "Fail",
    '{"how":"exception","after":1}',
    lines(
      '{"n":1}',
      '{"webrpcError":{"error":"WebrpcInternalError","code":-7,"msg":"internal error","status":500}}',
    ),
  ],
  [
    "items that are unions",
    "Shapes",
    `{"shapes":[${shapes.join(",")}]}`,
    lines(...shapes.map((shape) => `{"shape":${shape}}`)),
  ],
  [
    "an invalid line",
    "Fail",
    '{"how":"invalid","after":1}',
    lines(
      '{"n":1}',
      '{"webrpcError":{"error":"WebrpcBadResponse","code":-5,"msg":"bad response","status":500}}',
    ),
  ],
];

/** Responses of streaming methods. */
export const streams: readonly ServerCase[] = rows.map(
  ([title, method, body, answer]): ServerCase => ({
    name: `streams: ${title}`,
    path: `/rpc/Lines/${method}`,
    body,
    answer,
  }),
);
