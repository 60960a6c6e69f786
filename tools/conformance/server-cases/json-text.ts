import { badRequest, echoes, type ServerCase } from "./case.js";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

function refused(
  title: string,
  body: string | Uint8Array,
  cause: string,
): ServerCase {
  return {
    name: `JSON: ${title}`,
    path: "/rpc/Echo/Any",
    body,
    answer: badRequest(cause),
  };
}

const syntax = [
  "",
  " ",
  "{",
  "{[",
  '{"value":1',
  '{"value":1]',
  '{"value":[1,2}',
  '{"value":1}}',
  '{"value":1}x',
  'x{"value":1}',
  '{"value":1,}',
  '{"value":[1,]}',
  '{"value":[,1]}',
  '{"value":[][]}',
  '{"value":}',
  '{"value" 1}',
  '{"value":1 "b":2}',
  "{value:1}",
  "{'value':1}",
  "{null:1}",
  "{\"value\":'1'}",
  '{"value":True}',
  '{"value":undefined}',
  '{"value":nul}',
  '{"value":1 // comment\n}',
  '{"value":1 /* comment */}',
  '{"value":\f1}',
  '{"value":\u00a01}',
  '{"value":"\n"}',
  '{"value":"\t"}',
  '{"value":"\u0000"}',
  '{"value":"a}',
  '{"value":"\\x41"}',
  '{"value":"\\u12"}',
  '{"value":1.2.3}',
  '{"value":2ABC}',
  '{"value":--1}',
];

/** Request bodies that are valid or invalid JSON. */
export const jsonText: readonly ServerCase[] = [
  ...syntax.map((body) =>
    refused(`not ${JSON.stringify(body)}`, body, "body is not JSON"),
  ),
  ...["null", "[]", '[{"value":1}]', "1", '"x"', "true"].map((body) =>
    refused(
      `${body} is not an object`,
      body,
      "body: expected a JSON object, got ",
    ),
  ),
  refused(
    "not UTF-8",
    bytes(0x7b, 0x22, 0xff, 0x22, 0x7d),
    "body is not UTF-8",
  ),
  refused("half a character", bytes(0x22, 0xe2, 0x82), "body is not UTF-8"),
  refused(
    "a surrogate in UTF-8",
    bytes(0x22, 0xed, 0xa0, 0x80, 0x22),
    "body is not UTF-8",
  ),
  refused(
    "an overlong slash",
    bytes(0x22, 0xc0, 0xaf, 0x22),
    "body is not UTF-8",
  ),
  refused(
    "UTF-16",
    new Uint8Array(Buffer.from('{"value":1}', "utf16le")),
    "body is not JSON",
  ),
  {
    name: "JSON: all kinds of whitespace",
    path: "/rpc/Echo/Any",
    body: ' \t\r\n{ "value"\n:\r[ 1 ,\t2 ] } \n',
    answer: { status: 200, text: '{"value":[1,2]}' },
  },
  {
    name: "JSON: byte order mark",
    path: "/rpc/Echo/Any",
    body: '\ufeff{"value":1}',
    answer: { status: 200, text: '{"value":1}' },
  },
  {
    name: "JSON: the last value of a repeated name counts",
    path: "/rpc/Echo/Uint8",
    body: '{"value":"no","value":1,"\\u0076alue":2}',
    answer: { status: 200, text: '{"value":2}' },
  },
  {
    name: "JSON: the last value of a repeated name counts next to long integers",
    path: "/rpc/Echo/Uint8",
    body: '{"value":18446744073709551616,"value":1}',
    answer: { status: 200, text: '{"value":1}' },
  },
  {
    name: "JSON: repeated names in a map",
    path: "/rpc/Echo/ByText",
    body: '{"value":{"a":"1","a":"2"}}',
    answer: { status: 200, text: '{"value":{"a":"2"}}' },
  },
  ...echoes("JSON", "Any", ["[1 , 2]", "[1,2]"], ['{"\\u0061":1}', '{"a":1}']),
];
