/** A call of a server of `skew-server-v1.4.0.ridl`. */
export interface SkewCall {
  readonly name: string;
  readonly verb?: string;
  readonly path: string;
  /** The header `Webrpc`, by default that of an old client. */
  readonly contract?: "none" | "same" | "unknown" | { readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /**
   * The cause of the error, with `{old}` for what begins each reason, and
   * `{maybe}` where servers in Go do not know what the old contract allowed.
   */
  readonly cause?: string;
  /** What the header of the response names. Default: no change. */
  readonly why?: string;
}

const place = "/rpc/Shop/Place";
const refused =
  "lines[0].count: expected an unsigned 32-bit integer, got nothing";
const incomplete = '{"lines":[{"isbn":"1"}]}';
const weigh = "/rpc/Shop/Weigh";
const removed =
  "in v1.4.0: `Shop.Place.title` was removed from responses (breaking)";
const versions = "{old}, and this server from v1.4.0";
const key =
  'header Idempotency-Key: expected 1 to 255 ASCII characters in quotes, e.g. "8e03978e-40d5-43dd-bc93-6894a57f9324", got ';

/** What all servers with the setting `skew` answer. */
export const skewCalls: readonly SkewCall[] = [
  {
    name: "names the change that explains a failure",
    path: place,
    body: incomplete,
    status: 400,
    cause: `${refused}; {old}; in v1.4.0: requests now require \`Line.count\` (breaking)`,
    why: removed,
  },
  {
    name: "names the first change with a reason of several failures",
    path: place,
    body: '{"lines":[{"isbn":7,"count":1,"color":"blue"}]}',
    status: 400,
    cause:
      'lines[0].isbn: expected a string of at most 4 characters, got 7; lines[0].color: expected one of "red", "green", got "blue"; {old}; in v1.4.0: value `blue` of `Color` was removed (breaking)',
    why: removed,
  },
  {
    name: "names a limit if the old contract allowed the value",
    path: place,
    body: '{"lines":[{"isbn":"12345","count":1}]}',
    status: 400,
    cause:
      'lines[0].isbn: expected a string of at most 4 characters, got "12345"; {old}{maybe}; in v1.4.0: `Line.isbn` allows fewer values in requests: `maxLength = 4` was added (breaking)',
    why: removed,
  },
  {
    name: "names only the versions if the old contract forbids the value",
    path: place,
    body: '{"lines":[{"isbn":"1","count":"x"}]}',
    status: 400,
    cause: `lines[0].count: expected an unsigned 32-bit integer, got "x"; ${versions}`,
    why: removed,
  },
  {
    name: "compares the keys of maps",
    path: "/rpc/Shop/Rate",
    body: '{"stars":{"a.b":9}}',
    status: 400,
    cause:
      'stars["a.b"]: expected an unsigned 32-bit integer of at most 5, got 9; {old}{maybe}; in v1.4.0: `Few` allows fewer values in requests: `maximum = 5` was added (breaking)',
  },
  {
    name: "names another type of an optional field",
    path: weigh,
    body: '{"weight":1,"price":"9"}',
    status: 400,
    cause:
      'price: expected an unsigned 32-bit integer, got "9"; {old}{maybe}; in v1.4.0: `Shop.Weigh.price` had the JSON type string (`string`) and now has the JSON type number (`uint32`) (breaking)',
  },
  {
    name: "names another type of a field that also became required",
    path: weigh,
    body: '{"weight":"9"}',
    status: 400,
    cause:
      'weight: expected an unsigned 32-bit integer, got "9"; {old}{maybe}; in v1.4.0: `Shop.Weigh.weight` had the JSON type string (`string`) and now has the JSON type number (`uint32`) (breaking)',
  },
  {
    name: "names a field with another type that became required",
    path: weigh,
    body: "{}",
    status: 400,
    cause:
      "weight: expected an unsigned 32-bit integer, got nothing; {old}; in v1.4.0: requests now require `Shop.Weigh.weight` (breaking)",
  },
  {
    name: "names only the versions if another field is wrong",
    path: place,
    body: '{"lines":[],"note":1}',
    status: 400,
    cause: `note: expected a string, got 1; ${versions}`,
    why: removed,
  },
  {
    name: "names only the versions if the body is no JSON",
    path: place,
    body: "{",
    status: 400,
    cause: `{any}; ${versions}`,
    why: removed,
  },
  {
    name: "says nothing about requests that have not changed",
    path: "/rpc/Shop/Same",
    body: '{"id":-1}',
    status: 400,
    cause: "id: expected an unsigned 32-bit integer, got -1",
  },
  {
    name: "tells clients whose calls succeed",
    path: place,
    body: '{"lines":[]}',
    status: 200,
    why: removed,
  },
  {
    name: "tells clients whose reads succeed",
    verb: "GET",
    path: "/books/1",
    status: 200,
    why: "in v1.4.0: `Shop.Read.price` was removed from responses (breaking)",
  },
  {
    name: "names a new credential that is missing",
    path: "/rpc/Shop/Open",
    body: '{"name":"a"}',
    status: 401,
    cause:
      "header X-Key: expected a credential, got nothing; {old}; in v1.4.0: `Shop.Open` now requires `Key` (breaking)",
  },
  {
    name: "names only the versions if a credential is wrong",
    path: "/rpc/Shop/Open",
    headers: { "x-key": "wrong" },
    body: '{"name":"a"}',
    status: 401,
    cause: versions,
  },
  {
    name: "names a key that became required",
    path: "/rpc/Shop/Pay",
    body: '{"sum":1}',
    status: 400,
    cause: `${key}nothing; {old}; in v1.4.0: \`Shop.Pay\` now requires an idempotency key (breaking)`,
  },
  {
    name: "names only the versions if a key is malformed",
    path: "/rpc/Shop/Pay",
    headers: { "idempotency-key": "k" },
    body: '{"sum":1}',
    status: 400,
    cause: `${key}"k"; ${versions}`,
  },
  {
    name: "names another content type",
    path: "/notes",
    body: '{"text":"a"}',
    status: 415,
    cause:
      'content-type: expected application/x-www-form-urlencoded, got "application/json"; {old}; in v1.4.0: `Shop.Note` was `POST /notes` and is now `POST /notes` as a form (breaking)',
  },
  {
    name: "names the removal of a method",
    verb: "PUT",
    path: "/books/2",
    body: '{"title":"a"}',
    status: 405,
    cause:
      "/books/2 accepts GET, HEAD, not PUT; {old}; in v1.4.0: method `Shop.Put` was removed (breaking)",
  },
  {
    name: "says nothing about addresses that never existed",
    path: "/nothing",
    body: "{}",
    status: 404,
    cause: "there is no method at POST /nothing",
  },
  {
    name: "leaves declared errors of handlers alone",
    path: "/rpc/Shop/Pay",
    headers: { "idempotency-key": '"denied"' },
    body: '{"sum":401}',
    status: 401,
    cause: "{none}",
  },
  {
    name: "leaves errors of handlers about load alone",
    path: "/rpc/Shop/Pay",
    headers: { "idempotency-key": '"busy"' },
    body: '{"sum":429}',
    status: 429,
    cause: "{none}",
  },
  {
    name: "leaves unexpected errors of handlers alone",
    path: "/rpc/Shop/Pay",
    headers: { "idempotency-key": '"lost"' },
    body: '{"sum":500}',
    status: 500,
    cause: "{none}",
  },
  ...(["none", "same"] as const).map((contract) => ({
    name: `says nothing to clients with the contract: ${contract}`,
    path: place,
    contract,
    body: incomplete,
    status: 400,
    cause: refused,
  })),
  {
    name: "does not repeat the header of an unknown contract",
    path: place,
    contract: "unknown",
    body: incomplete,
    status: 400,
    cause: `${refused}; this client was made from another contract than this server (v1.4.0)`,
  },
  ...[
    "__proto__@constructor;__proto__",
    "shop;oldOLD",
    ";;;@@@",
    "webrpc@v0.22.1;gen-typescript@v0.16.3;shop@v1.3.0",
    `shop@v1.3.0;oldOLD;${"x".repeat(2000)}`,
  ].map((text) => ({
    name: `ignores the header ${text.slice(0, 40)}`,
    path: place,
    contract: { text },
    body: incomplete,
    status: 400,
    cause: refused,
  })),
];
