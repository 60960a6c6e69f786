import { badRequest, echoes, refuses, type ServerCase } from "./case.js";

const json = { "Content-Type": "application/json" };
const site = (name: string) => ({ "Sec-Fetch-Site": name });

/** Who calls a method without fields, which headers and body it sends. */
const withoutFields: readonly (readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
  status: 200 | 415,
])[] = [
  ["a client that sends nothing", {}, null, 200],
  ["a client that does not name the type of its body", {}, "{}", 415],
  ["a page of another site", site("cross-site"), null, 415],
  ["a page of another origin", site("same-site"), null, 415],
  ["a page of the same origin", site("same-origin"), null, 200],
  [
    "a page of another site that asked for permission",
    { ...json, ...site("cross-site") },
    "{}",
    200,
  ],
];

const tree =
  '{"name":"a","children":[{"name":"b"},{"name":"c","children":[]}],"next":{"name":"d"},"byName":{"x":{"name":"e"}}}';
const everything = [
  '{"text":"é😀","int":-1,"large":"-12345678901234567890"',
  '"when":"2024-02-29T12:00:00.123Z","data":"AAEC/w==","flag":true',
  '"color":"Green","level":"very high","floats":[0.5,-1e-7,1e+21]',
  '"pages":[["1"],[],["2","3"]],"counts":{"Red":1,"Blue":255}',
  '"byNumber":{"1":{"x":1},"-2":{"x":2,"y":3}}',
  '"deep":{"a":[{"1":"AQ=="},{}],"":[]}',
  `"tree":${tree}`,
  '"anything":{"a":[null,1,"x",{"b":false}]}}',
].join(",");

/** Simple calls that succeed or fail. */
export const basic: readonly ServerCase[] = [
  {
    name: "basic: method without arguments or results",
    path: "/rpc/Echo/Nothing",
    answer: {
      status: 200,
      text: "{}",
      headers: { "content-type": "application/json" },
    },
  },
  ...["", "null", " {} ", '{"any":"thing"}', null].map((body): ServerCase => ({
    name: `basic: method without fields takes ${JSON.stringify(body)}`,
    path: "/rpc/Echo/Nothing",
    body,
    answer: { status: 200, text: "{}" },
  })),
  ...["[]", "1", '"x"', "true"].map((body): ServerCase => ({
    name: `basic: method without fields does not take ${body}`,
    path: "/rpc/Echo/Nothing",
    body,
    answer: badRequest("body: expected a JSON object, got "),
  })),
  ...withoutFields.map(([title, headers, body, status]): ServerCase => ({
    name: `basic: method without fields, called by ${title}`,
    path: "/rpc/Echo/Nothing",
    headers,
    body,
    answer:
      status === 200
        ? { status, text: "{}" }
        : badRequest(
            "content-type: expected application/json, got nothing",
            status,
          ),
  })),
  {
    name: "basic: succinct method in a service with a slash",
    path: "/rpc/v1/Names/Get",
    body: '{"x":1,"y":2}',
    answer: { status: 200, text: '{"x":1,"y":2}' },
  },
  ...echoes(
    "basic: odd names",
    "OddNames",
    '{"@odata.type":"#a"}',
    '{"@odata.type":"","_id":"-5","foo-bar":"2024-02-29T00:00:00.000Z","__proto__":"","größe 😀":[],"0":7}',
  ),
  ...refuses(
    "basic: odd names",
    "OddNames",
    'value["@odata.type"]: expected a string, got nothing; value.__proto__: expected a string, got 1',
    '{"constructor":1,"__proto__":1}',
  ),
  {
    name: "basic: several arguments",
    path: "/rpc/Echo/Two",
    body: '{"second":2,"first":"1"}',
    answer: { status: 200, text: '{"first":"1","second":2}' },
  },
  {
    name: "basic: all failures are reported at once",
    path: "/rpc/Echo/Two",
    body: '{"second":"2"}',
    answer: {
      status: 400,
      error: "InvalidArgument",
      cause:
        'first: expected a string, got nothing; second: expected an unsigned 8-bit integer, got "2"',
    },
  },
  {
    name: "basic: REST read",
    verb: "GET",
    path: "/things/7/0xab,0xcd",
    headers: {},
    body: null,
    answer: { status: 200, text: '{"id":7,"tags":["0xab","0xcd"]}' },
  },
  {
    name: "basic: REST read with an invalid value",
    verb: "GET",
    path: "/things/x/0xab,nine",
    headers: {},
    body: null,
    answer: {
      status: 400,
      error: "InvalidArgument",
      cause:
        'id: expected an unsigned 32-bit integer, got "x"; tags[1]: expected hex digits, got "nine"',
    },
  },
  {
    name: "basic: HEAD of a REST read",
    verb: "HEAD",
    path: "/things/7/0xab,0xcd",
    headers: {},
    body: null,
    answer: {
      status: 200,
      text: "",
      headers: { "content-type": "application/json" },
    },
  },
  {
    name: "basic: HEAD of a rejected REST read",
    verb: "HEAD",
    path: "/things/x/0xab",
    headers: {},
    body: null,
    answer: { status: 400, text: "" },
  },
  {
    name: "basic: REST read of encoded text",
    verb: "GET",
    path: "/names/caf%C3%A9%2F%2C%3F%20",
    headers: {},
    body: null,
    answer: { status: 200, text: '{"name":"café/,? "}' },
  },
  ...["/blobs/AAEC/%2B%2F%2B%2F", "/blobs/AAEC/+%2f+%2f"].map(
    (path): ServerCase => ({
      name: `basic: REST read of bytes: ${path}`,
      verb: "GET",
      path,
      headers: {},
      body: null,
      answer: { status: 200, text: '{"blob":"AAEC","bytes":"+/+/"}' },
    }),
  ),
  {
    name: "basic: REST read with invalid bytes",
    verb: "GET",
    path: "/blobs/AAECAw==/1,2",
    headers: {},
    body: null,
    answer: {
      status: 400,
      error: "InvalidArgument",
      cause:
        'blob: expected base64 text of at most 3 bytes, got "AAECAw=="; bytes: expected base64 text, got "1,2"',
    },
  },
  ...echoes("basic", "Bool", "true", "false"),
  ...echoes("basic", "String", '""', '"text"'),
  ...echoes("basic", "Texts", "[]", '["a","","a"]'),
  ...echoes("basic", "Lists", "[]", "[[]]", "[[1,2],[],[3]]"),
  ...echoes("basic", "ByText", "{}", '{"a":"1","":"2"}'),
  ...echoes("basic", "Point", '{"x":1}', '{"x":-1,"y":2}'),
  ...echoes("basic", "Tree", '{"name":"leaf"}', tree),
  ...echoes("basic", "Any", "1", '"x"', "[1,[2]]", '{"a":{"b":null}}', "false"),
  ...echoes("basic", "Everything", everything),
  ...refuses("basic", "Bool", "value: expected a boolean, got ", '"true"'),
  ...refuses("basic", "Bool", "value: expected a boolean, got ", "1", "0"),
  ...refuses("basic", "String", "value: expected a string, got ", "1", "true"),
  ...refuses("basic", "String", "value: expected a string, got ", "[]", "{}"),
  ...refuses("basic", "Texts", "value: expected a list, got ", '"a"', "{}"),
  ...refuses("basic", "Texts", "value[1]: expected a string, got ", '["a",1]'),
  ...refuses("basic", "Lists", "value[0][1]: expected a", "[[1,true]]"),
  ...refuses("basic", "Lists", "value[1]: expected a list, got ", "[[],1]"),
  ...refuses("basic", "ByText", "value: expected an object, got ", "[]", "7"),
  ...refuses("basic", "ByText", "value.a: expected a string, got ", '{"a":1}'),
  ...refuses("basic", "Point", "value: expected an object, got ", "[]", '"x"'),
  ...refuses("basic", "Point", "value.x: expected ", "{}", '{"x":"1"}'),
  ...refuses(
    "basic",
    "Tree",
    "value.next.children[0].byName.x.name: expected a string, got nothing",
    '{"name":"a","next":{"name":"b","children":[{"name":"c","byName":{"x":{}}}]}}',
  ),
  ...refuses("basic", "Any", "value: expected ", "null").slice(1),
];
