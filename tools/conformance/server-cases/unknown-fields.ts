import { echoes, refuses, type ServerCase } from "./case.js";

/**
 * Undeclared fields, including those named like members of JavaScript objects.
 */
export const unknownFields: readonly ServerCase[] = [
  ...[
    '"more":1',
    '"Value":2',
    '"__proto__":{"value":3}',
    '"constructor":4',
  ].map((field): ServerCase => ({
    name: `unknown fields: ${field} next to the known one`,
    path: "/rpc/Echo/Uint8",
    body: `{${field},"value":1}`,
    answer: { status: 200, text: '{"value":1}' },
  })),
  ...echoes("unknown fields", "Point", ['{"x":1,"z":2}', '{"x":1}']),
  ...echoes("unknown fields", "Tree", [
    '{"name":"a","next":{"name":"b","more":[1]},"more":{}}',
    '{"name":"a","next":{"name":"b"}}',
  ]),
  ...echoes("unknown fields", "Point", [
    '{"x":1,"__proto__":{"y":2}}',
    '{"x":1}',
  ]),
  ...refuses(
    "unknown fields",
    "Point",
    "value.x: expected a 32-bit integer, got nothing",
    '{"__proto__":{"x":1}}',
    '{"X":1}',
  ),
  {
    name: "unknown fields: nothing is inherited from __proto__",
    path: "/rpc/Echo/Uint8",
    body: '{"__proto__":{"value":1}}',
    answer: {
      status: 400,
      error: "InvalidArgument",
      cause: "value: expected an unsigned 8-bit integer, got nothing",
    },
  },
  ...echoes(
    "hostile names",
    "ByText",
    '{"toString":"a","constructor":"b","hasOwnProperty":"c","valueOf":"d"}',
    '{"__proto__":"a"}',
    '{"__proto__":"a","x":"b"}',
    '{"prototype":"a","__defineSetter__":"b","length":"0","then":"c"}',
  ),
  ...echoes(
    "hostile names",
    "Any",
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '[{"__proto__":null},{"toString":1}]',
  ),
  ...echoes(
    "hostile names",
    "Hostile",
    '{"toString":"a"}',
    '{"toString":"a","constructor":"b","hasOwnProperty":{"toString":"c"},"valueOf":[]}',
  ),
  ...refuses(
    "hostile names",
    "Hostile",
    "value.toString: expected a string, got nothing",
    "{}",
    '{"constructor":"a"}',
    '{"__proto__":{"toString":"a"}}',
  ),
  ...refuses(
    "hostile names",
    "Hostile",
    "value.constructor: expected a string, got 1",
    '{"toString":"a","constructor":1}',
  ),
  ...refuses(
    "hostile names",
    "ByText",
    "value.__proto__: expected a string, got 1",
    '{"__proto__":1}',
  ),
];
