import type { ClientCase } from "./client-case.js";

/** Creates cases that send each value to a handler, which returns the value. */
function roundTrips(
  category: string,
  method: string,
  ...values: readonly unknown[]
): ClientCase[] {
  return values.map((value, index) => ({
    name: `client ${category}: ${method} ${String(index + 1)}`,
    service: "echo",
    method,
    request: { value },
    seen: { value },
    outcome: { value: { value } },
  }));
}

function where(
  options: Pick<ClientCase, "int64" | "timestamp">,
  cases: readonly ClientCase[],
): ClientCase[] {
  const suffix = Object.values(options).join(" ");
  return cases.map((given) => ({
    ...given,
    ...options,
    name: `${given.name} as ${suffix}`,
  }));
}

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
const tree = {
  name: "a",
  children: [{ name: "b" }, { name: "c", children: [] }],
  next: { name: "d", next: { name: "e" } },
  byName: { x: { name: "f" }, toString: { name: "g" } },
};

function everything(when: string | Date, byNumber: object) {
  return {
    text: "é😀\u0000\u2028",
    int: -1,
    large: -(10n ** 40n),
    when,
    data: bytes,
    flag: false,
    color: "Green",
    level: "very high",
    floats: [0.1, -1e-7, 1e21, Number.MAX_VALUE, Number.MIN_VALUE],
    pages: [[1n], [], [2n, -3n]],
    counts: { Red: 1, Blue: 255 },
    byNumber,
    deep: { a: [{ 1: Uint8Array.of(1) }, {}], "": [] },
    tree,
    anything: { a: [null, 1, "x", { b: false }] },
  };
}

/** Sends a value of every type from the client to the handler and back. */
export const clientRoundTrips: readonly ClientCase[] = [
  {
    name: "client basic: no arguments",
    service: "echo",
    method: "nothing",
    outcome: { value: {} },
  },
  {
    name: "client basic: a struct as the message",
    service: "v1Names",
    method: "get",
    request: { x: 1, y: -2 },
    seen: { x: 1, y: -2 },
    outcome: { value: { x: 1, y: -2 } },
  },
  {
    name: "client basic: a REST read",
    service: "reads",
    method: "thing",
    request: { id: 7, tags: ["0xa", "0xb"] },
    outcome: { value: { thing: { id: 7, tags: ["0xa", "0xb"] } } },
  },
  ...["a", "a b", "a/b", "a,b", "a%2Fb", "ä?#&=", "😀", "..."].map(
    (name): ClientCase => ({
      name: `client basic: a REST read of ${name}`,
      service: "reads",
      method: "name",
      request: { name },
      seen: { name },
      outcome: { value: { name } },
    }),
  ),
  ...[[0], [0, 1], [251, 239, 255]].map((bytes): ClientCase => {
    const message = {
      blob: Uint8Array.of(...bytes),
      bytes: Uint8Array.of(255, ...bytes),
    };
    return {
      name: `client basic: a REST read of bytes ${bytes.join(" ")}`,
      service: "reads",
      method: "blob",
      request: message,
      seen: message,
      outcome: { value: message },
    };
  }),
  {
    name: "client basic: a method with a key and a secret",
    service: "access",
    method: "guarded",
    request: { value: 1 },
    outcome: { value: { value: 1 } },
  },
  ...roundTrips("basic", "bool", true, false),
  ...roundTrips("basic", "tree", tree, { name: "" }),
  ...roundTrips("basic", "lists", [], [[]], [[1], [], [2, 3]]),
  ...roundTrips("basic", "any", 0, "", false, [[]], { a: { b: null } }, null),
  ...roundTrips("null and optional", "null", null),
  ...roundTrips(
    "null and optional",
    "nullables",
    { text: null, point: null },
    { text: "", point: { x: 0 }, list: null },
    { text: null, point: { x: 0, y: 0 }, list: [0n] },
  ),
  ...roundTrips(
    "null and optional",
    "optionals",
    {},
    {
      text: "",
      number: 0,
      large: 0n,
      data: new Uint8Array(),
      flag: false,
      list: [],
      map: {},
    },
  ),
  {
    name: "client null and optional: undefined is absent",
    service: "echo",
    method: "optionals",
    request: { value: { text: undefined, point: { x: 1, y: undefined } } },
    seen: { value: { point: { x: 1 } } },
    outcome: { value: { value: { point: { x: 1 } } } },
  },
  {
    name: "client null and optional: the request can be omitted if it has no required fields",
    service: "echo",
    method: "maybe",
    seen: {},
    outcome: { value: {} },
  },
  ...roundTrips("numbers", "uint8", 0, 255),
  ...roundTrips("numbers", "int32", -(2 ** 31), 2 ** 31 - 1),
  ...roundTrips("numbers", "safe", -(2 ** 53) + 1, 2 ** 53 - 1),
  ...roundTrips(
    "numbers",
    "float64",
    0.1,
    5e-324,
    1.7976931348623157e308,
    2 ** 64,
  ),
  ...roundTrips("numbers", "bigint", 0n, -1n, 2n ** 256n, 10n ** 999n),
  ...where({ int64: "number" }, [
    ...roundTrips("numbers", "int64", -(2 ** 53) + 1, 2 ** 53 - 1),
    ...roundTrips("numbers", "uint64", 0, 2 ** 53 - 1),
  ]),
  ...where({ int64: "bigint" }, [
    ...roundTrips("numbers", "int64", -(2n ** 63n), 2n ** 53n + 1n, 0n),
    ...roundTrips("numbers", "uint64", 0n, 2n ** 64n - 1n),
    ...roundTrips("numbers", "byInt64", {
      "9223372036854775807": "a",
      "-9223372036854775808": "b",
    }),
  ]),
  ...roundTrips("encodings", "string", "", "é😀", "\u0000", "\ud800", '"\\/\b'),
  ...roundTrips(
    "encodings",
    "bytes",
    new Uint8Array(),
    bytes,
    new Uint8Array(1000),
  ),
  ...roundTrips("encodings", "color", "Red", "Blue"),
  ...roundTrips("encodings", "level", "low", "constructor"),
  ...roundTrips("encodings", "openLevel", "low", "unheard of"),
  ...roundTrips("encodings", "digits", "0", "18446744073709551616"),
  ...roundTrips("encodings", "byColor", { Red: "a" }, {}),
  ...roundTrips("encodings", "byUint8", { 0: "a", 255: "b" }),
  ...roundTrips("encodings", "renamed", {
    FIRST: "a",
    second_value: 1n,
    Third: { FIRST: "b", second_value: 2n },
  }),
  ...where({ timestamp: "string" }, [
    ...roundTrips(
      "encodings",
      "timestamp",
      "2024-02-29T12:00:00Z",
      "2024-02-29T12:00:00.123456789Z",
    ),
    ...roundTrips(
      "encodings",
      "everything",
      everything("2024-02-29T12:00:00Z", { 1: { x: 1 }, "-2": { x: 2, y: 3 } }),
    ),
  ]),
  ...where({ timestamp: "date" }, [
    ...roundTrips(
      "encodings",
      "timestamp",
      new Date(0),
      new Date("2024-02-29T12:00:00.123Z"),
      new Date("0001-01-01T00:00:00Z"),
    ),
    ...roundTrips(
      "encodings",
      "everything",
      everything(new Date(1), { 1: { x: 1 }, "-2": { x: 2, y: 3 } }),
    ),
  ]),
  ...roundTrips(
    "hostile names",
    "byText",
    JSON.parse('{"__proto__":"a","x":"b"}'),
    { constructor: "a", toString: "b" },
  ),
  ...roundTrips("hostile names", "hostile", {
    toString: "a",
    constructor: "b",
    hasOwnProperty: { toString: "c" },
    valueOf: ["d"],
  }),
];
