import { echoes, refuses, type ServerCase } from "./case.js";

const allNull =
  '{"text":null,"number":null,"large":null,"when":null,"data":null,"flag":null,"color":null,"level":null,"list":null,"map":null,"point":null,"anything":null}';

/** Fields that are absent or null. */
export const nulls: readonly ServerCase[] = [
  ...echoes("null and optional", "Optionals", "{}"),
  ...echoes("null and optional", "Optionals", [
    allNull,
    // For `any`, null is a regular value.
    '{"anything":null}',
  ]),
  ...echoes("null and optional", "Optionals", [
    '{"text":"","number":null,"flag":false}',
    '{"text":"","flag":false}',
  ]),
  ...echoes(
    "null and optional",
    "Optionals",
    '{"number":0}',
    '{"list":[],"map":{}}',
    '{"large":"0","data":""}',
    '{"point":{"x":0}}',
  ),
  ...echoes("null and optional", "Optionals", [
    '{"point":{"x":0,"y":null}}',
    '{"point":{"x":0}}',
  ]),
  ...echoes("null and optional", "Null", "null"),
  ...echoes("null and optional", "Any", "null"),
  ...echoes(
    "null and optional",
    "Nullables",
    '{"text":null,"point":null}',
    '{"text":"","point":{"x":1}}',
    '{"text":null,"point":null,"list":null}',
    '{"text":null,"point":null,"list":["1"]}',
  ),
  ...echoes(
    "null and optional",
    "Gaps",
    '{"gap":null,"texts":[null,"a",null]}',
    '{"gap":"","absent":null,"texts":[],"unique":[null,"1"],"lists":[null,[null,"2"],[]],"byName":{"a":null,"__proto__":null},"points":[null,{"x":1}]}',
  ),
  ...refuses(
    "null and optional",
    "Gaps",
    'value.texts[1]: expected a string of at most 3 characters or null, got "abcd"',
    '{"gap":null,"texts":[null,"abcd"]}',
  ),
  ...refuses(
    "null and optional",
    "Gaps",
    "value.unique: expected a list without duplicates",
    '{"gap":null,"texts":[],"unique":[null,"1",null]}',
    '{"gap":null,"texts":[],"unique":["1",null,"01"]}',
  ),
  ...refuses(
    "null and optional",
    "Gaps",
    "value.gap: expected a string of at most 3 characters or null, got nothing",
    '{"texts":[]}',
  ),
  {
    name: "null and optional: optional argument is absent",
    path: "/rpc/Echo/Maybe",
    answer: { status: 200, text: "{}" },
  },
  {
    name: "null and optional: optional argument is null",
    path: "/rpc/Echo/Maybe",
    body: '{"value":null}',
    answer: { status: 200, text: "{}" },
  },
  ...(
    [
      ["Bool", "a boolean"],
      ["Uint8", "an unsigned 8-bit integer"],
      ["Float64", "a number"],
      ["Bigint", "a string that represents an integer"],
      ["String", "a string"],
      ["Bytes", "base64"],
      ["Color", "one of "],
      ["Level", "one of "],
      ["Texts", "a list"],
      ["ByText", "an object"],
      ["Point", "an object"],
    ] as const
  ).flatMap(([method, expected]): ServerCase[] => [
    ...refuses(
      "null and optional",
      method,
      `value: expected ${expected}`,
      "null",
    ),
    {
      name: `null and optional: ${method} is missing`,
      path: `/rpc/Echo/${method}`,
      answer: {
        status: 400,
        error: "InvalidArgument",
        cause: `value: expected ${expected}`,
      },
    },
  ]),
  ...refuses(
    "null and optional",
    "Null",
    "value: expected null, got ",
    "0",
    "false",
    '""',
    "{}",
  ),
  ...refuses(
    "null and optional",
    "Nullables",
    "value.text: ",
    '{"point":null}',
  ),
  ...refuses(
    "null and optional",
    "Nullables",
    "value.point: ",
    '{"text":null}',
  ),
  ...refuses("null and optional", "Texts", "value[0]: ", "[null]"),
  ...refuses("null and optional", "ByText", "value.a: ", '{"a":null}'),
  ...refuses(
    "null and optional",
    "Optionals",
    "value.point.x: ",
    '{"point":{"x":null}}',
  ),
];
