import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { reportChanges } from "../../tools/breaking/index.js";
import { compareTexts } from "../diagnostics/check-texts.js";
import { checkDocuments } from "../support/check-documents.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";

/**
 * Returns `severity code` for each finding about two documents. The documents
 * are given without their heads.
 */
function compare(before: string, after: string): readonly string[] {
  return compareTexts(head + before, head + after).map(
    ({ severity, code }) => `${severity} ${code}`,
  );
}

/** Returns the notes of the only finding. */
function notesOf(found: readonly Diagnostic[]): readonly string[] | undefined {
  expect(found).toHaveLength(1);
  return found[0]?.notes;
}

test("finds no difference between a contract and itself", () => {
  const documents = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => /^golden\/.*\.ridl$/u.test(path))
    .map((path) => readFileSync(`test/${path}`, "utf8"))
    .filter((text) => !/^\s*import/mu.test(text) && text.includes("service "));
  expect(documents.length).toBeGreaterThan(15);
  for (const text of documents) expect(compareTexts(text, text)).toEqual([]);
});

describe("a webhook", () => {
  const webhook = (fields: string): string =>
    `service Hook\n  @webhook\n  - Notify(${fields}) => (seen: bool)\n`;

  test("does not break receivers if it gains a field, because the host sends the message", () => {
    expect(compare(webhook("a: bool"), webhook("a: bool, b: bool"))).toEqual([
      "warning response-field-add-required",
    ]);
  });

  test("breaks receivers if it loses a field", () => {
    expect(compare(webhook("a: bool, b: bool"), webhook("a: bool"))).toEqual([
      "error response-field-no-delete",
    ]);
  });

  test("breaks the code of receivers if their responses have fewer listed values", () => {
    const receipt = (limit: string): string =>
      `${head}struct Receipt\n  - size: int32\n    + ${limit}\nservice Hook\n  @webhook\n  - Notify() => (receipt: Receipt)\n`;
    const [many, few] = [receipt("enum = 0|5"), receipt("enum = 5")];
    const found = compareTexts(many, few);
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      [
        "constraint-response-no-tighten",
        "`Receipt.size` allows fewer values in responses to webhooks: `enum` changed from 0|5 to 5",
      ],
    ]);
    expect(notesOf(found)).toContain("breaks code that implements the server");
    // Nobody reads the responses.
    expect(compareTexts(few, many)).toEqual([]);
    const [high, low] = [receipt("maximum = 9"), receipt("maximum = 5")];
    expect(compareTexts(high, low)).toEqual([]);
  });

  test("breaks receivers if more values become valid, because receivers validate the message", () => {
    const sold = (size: string, limit: string): string =>
      `enum Size: string\n${size}\nstruct Sale\n  - size: Size\n  - note: string\n    + maxLength = ${limit}\n${webhook("sale: Sale")}`;
    expect(compare(sold("  - S", "5"), sold("  - S", "9"))).toEqual([
      "error constraint-response-no-loosen",
    ]);
    expect(compare(sold("  - S", "5"), sold("  - S\n  - M", "5"))).toEqual([
      "error enum-value-added",
    ]);
  });

  test("breaks old receivers if the data of an error gains a field, because the host validates it", () => {
    const busy = (fields: string): string =>
      `error 1 Busy "busy" HTTP 503\nstruct Load\n${fields}type BusyData: Load\n  + dataOf = Busy\nservice Hook\n  @webhook\n  - Notify() => () errors Busy\n`;
    const [short, long] = [
      busy("  - a: bool\n"),
      busy("  - a: bool\n  - b: bool\n"),
    ];
    expect(compare(short, long)).toEqual(["error response-field-add-required"]);
    expect(compare(long, short)).toEqual(["warning response-field-no-delete"]);
  });
});

// Messages name their event only if the service has several events.
test.each([
  ["error", "loses all events but one", "Lost(id: string)|Sold()", "Sold()"],
  ["error", "replaces its event", "Sold(id: string)", "Lost(id: string)"],
  [
    "error",
    "sends an event with any content",
    "Sold(id: any)",
    "Lost(id: int8)",
  ],
  ["error", "expects nothing", "Sold(id?: string)", "Lost(no: string)"],
  ["warning", "sends other fields", "Sold(id: string)", "Lost(no: string)"],
  ["warning", "sends other values", "Sold(id: string)", "Lost(id: int8)"],
])("reports an %s if a service of webhooks %s", (severity, _, then, now) => {
  const service = (events: string): string =>
    events.replace(/^|\|/gu, "\n  @webhook\n  - ").replace("", "service Hook");
  expect(compare(service(then), service(now))).toContain(
    `${severity} webhook-same-events`,
  );
});

test("an enum that becomes a URL breaks clients whose values servers reject", () => {
  const find = (value: string, type: string): string =>
    `enum Site: string\n  - home = "${value}"\ntype Link: string\n  + format = uri\nstruct Ask\n  - site: ${type}\nservice Shop\n  - Find(ask: Ask) => (id: string)\n`;
  const codes = (value: string) =>
    compare(find(value, "Site"), find(value, "Link"));
  expect(codes("https://example.com")).toEqual(["warning field-same-type"]);
  // The port is not a number.
  expect(codes("https://a.com:b")).toEqual(["error field-same-type"]);
});

test.each([
  [
    "gains its first file",
    "(note: string)",
    "(note: string, photo?: file)",
    ["error method-same-content"],
  ],
  ["gains another file", "(paper: file)", "(paper: file, photos?: []file)", []],
  [
    "has a text in place of a file",
    "(paper: file, note: file)",
    "(paper: file, note: string)",
    ["error field-same-json-kind"],
  ],
  [
    "has several files in place of one",
    "(paper: file)",
    "(paper: []file)",
    ["error field-same-json-kind"],
  ],
])("reports a form that %s", (_, then, now, expected) => {
  const form = (fields: string): string =>
    `service Shop\n  @http:"POST /papers" @form\n  - Attach${fields}\n`;
  expect(compare(form(then), form(now))).toEqual(expected);
});

test("reports an upload whose fields become parts", () => {
  const upload = (annotations: string): string =>
    `service Shop${annotations}\n  - Upload(note: string, paper: file)\n`;
  const parts = upload('\n  @http:"POST /rpc/Shop/Upload" @form');
  expect(compare(upload(""), parts)).toEqual(["error method-same-route"]);
});

describe("structs", () => {
  const get = (type: string, fields: string): string =>
    `struct ${type}\n${fields}\nservice Shop\n  - Get(id: string) => (book: ${type})\n`;

  test("are compared by content if their names differ", () => {
    expect(
      compare(get("Book", "  - a: int32\n"), get("Tome", "  - a: string\n")),
    ).toEqual(["error field-same-json-kind", "warning type-no-delete"]);
  });

  test("that contain themselves do not cause endless recursion", () => {
    const tree = (type: string): string =>
      get("Tree", `  - value: ${type}\n  - parts: []Tree\n`);
    expect(compare(tree("int8"), tree("int32"))).toEqual([
      "error field-numeric-narrowed",
    ]);
  });

  test("are compared in both directions if both requests and responses use them", () => {
    const put = (field: string): string =>
      `struct Book\n  - ${field}\n\nservice Shop\n  - Put(book: Book) => (book: Book)\n`;
    expect(compare(put("a?: bool"), put("a: bool"))).toEqual([
      "error request-field-optional-to-required",
      "warning response-field-optional-to-required",
    ]);
  });

  test("cause only one finding even if many methods use them", () => {
    const many = (type: string): string =>
      `struct Book\n  - a: ${type}\n\nservice Shop\n${Array.from(
        { length: 200 },
        (_, index) => `  - Get${index}() => (book: Book)\n`,
      ).join("")}`;
    expect(compare(many("bool"), many("string"))).toHaveLength(1);
  });

  test("can be nested 3,000 levels deep", () => {
    const chain = (type: string): string =>
      [
        ...Array.from(
          { length: 3000 },
          (_, index) => `struct S${index}\n  - next: S${index + 1}\n`,
        ),
        `struct S3000\n  - last: ${type}\n`,
        "service Shop\n  - Get() => (first: S0)\n",
      ].join("\n");
    const found = compareTexts(head + chain("bool"), head + chain("string"));
    expect(notesOf(found)?.at(-1)).toMatch(
      /^found in the response of `Shop.Get`, `first.next.next.*…`$/u,
    );
  });
});

test("reports a change to an alias once, at its declaration", () => {
  const isbn = (limit: number): string =>
    `type Isbn: string\n  + maxLength = ${limit}\n\nstruct Book\n  - a: Isbn\n  - b: []Isbn\n  - c: map<string,Isbn>\n\nservice Shop\n  - Put(book: Book)\n`;
  const [found, ...others] = compareTexts(head + isbn(20), head + isbn(10));
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    code: "constraint-request-no-tighten",
    notes: [
      "breaks old clients of the new server",
      "found in the request of `Shop.Put`, `book.a`",
    ],
  });
});

test("reports the limits of an alias if a field starts to use it", () => {
  const before =
    "type Short: string\n  + maxLength = 5\n\nservice Shop\n  - Put(a: string, b: Short)\n";
  const after = before.replace("a: string", "a: Short");
  expect(compare(before, after)).toEqual([
    "error constraint-request-no-tighten",
  ]);
});

test.each([
  ["string", "maxLength", 20, 5],
  ["int32", "maximum", 100, 10],
])(
  "compares the limits of map keys of type %s",
  (type, limit, before, after) => {
    const code = (value: number): string =>
      `type Code: ${type}\n  + ${limit} = ${value}\n\nservice Shop\n  - Put(prices: map<Code,uint32>)\n`;
    expect(compare(code(before), code(after))).toEqual([
      "error constraint-request-no-tighten",
    ]);
    expect(compare(code(after), code(before))).toEqual([]);
  },
);

test.each([
  ["int32", "minimum = 1", "minimum = 2"],
  ["int32", "maximum = 2", "maximum = 1"],
  ["string", "minLength = 1", "minLength = 2"],
  ["string", "maxLength = 2", "maxLength = 1"],
  ["string", "example = a:b", "format = uri"],
  ["string", "example = aa", 'pattern = "^a+$"'],
  ["[]string", "minItems = 1", "minItems = 2"],
  ["[]string", "maxItems = 2", "maxItems = 1"],
  ["[]string", "uniqueItems = false", "uniqueItems = true"],
  ["map<string,bool>", "minProperties = 1", "minProperties = 2"],
  ["map<string,bool>", "maxProperties = 2", "maxProperties = 1"],
])("reports that %s with `%s` gets `%s`", (type, loose, tight) => {
  const put = (limit: string): string =>
    `struct A\n  - b: ${type}\n    + ${limit}\n\nservice Shop\n  - Put(a: A)\n`;
  expect(compare(put(loose), put(tight))).toEqual([
    "error constraint-request-no-tighten",
  ]);
  expect(compare(put(tight), put(loose))).toEqual([]);
});

test.each([
  ["uint16", "enum = 200|201", "enum = 201"],
  ["uint16", "maximum = 300", "enum = 200|201"],
  ["string", "example = a", "enum = a|''"],
  ["bool", "example = true", "enum = true"],
  ["bigint", "enum = 7|8", "enum = 8"],
])("reports that %s with `%s` gets `%s`", (type, loose, tight) => {
  const put = (limit: string): string =>
    `struct A\n  - b: ${type}\n    + ${limit}\n\nservice Shop\n  - Put(a: A)\n`;
  expect(compare(put(loose), put(tight))).toEqual([
    "error constraint-request-no-tighten",
  ]);
  // Handlers get values that they may not know.
  expect(compare(put(tight), put(loose))).toEqual([
    "info constraint-request-no-loosen",
  ]);
});

test("compares listed members of an enum", () => {
  const get = (more: string, list: string): string =>
    `enum Side: string\n  - Buy\n  - Sell\n${more}\nstruct A\n  - b: Side\n    + enum = ${list}\n\nservice Shop\n  - Get() => (a: A)\n  - Put(a: A)\n`;
  const one = get("", "Buy");
  expect(compare(one, get("  - Hold\n", "Buy"))).toEqual([
    "info enum-value-added",
  ]);
  expect(compare(one, get("", "Buy|Sell"))).toEqual([
    "info constraint-request-no-loosen",
    "warning constraint-response-no-loosen",
  ]);
  expect(compare(get("", "Buy|Sell"), one)).toEqual([
    "error constraint-request-no-tighten",
    "warning constraint-response-no-tighten",
  ]);
});

test("ignores limits that no listed value exceeds", () => {
  const put = (more: string): string =>
    `type Code: uint16\n  + enum = 200|201\n${more}\nservice Shop\n  - Put(a: Code)\n`;
  expect(compare(put(""), put("  + maximum = 300\n"))).toEqual([]);
});

test.each([
  ["string", "minLength"],
  ["[]string", "minItems"],
  ["map<string,bool>", "minProperties"],
])("reports nothing if %s gets `%s = 0`", (type, limit) => {
  const put = (more: string): string =>
    `struct A\n  - b: ${type}\n${more}\nservice Shop\n  - Put(a: A)\n`;
  expect(compare(put(""), put(`    + ${limit} = 0\n`))).toEqual([]);
});

test.each([
  ["string", []],
  ["string\n  + example = 9780", []],
  ["string\n  + maxLength = 4", ["error validation-error-same-name"]],
  ["uint32", ["error validation-error-same-name"]],
])(
  "reports a new error for invalid requests of REST reads of %j as %j",
  (type, expected) => {
    const read = `type Isbn: ${type}\nservice Shop\n  @get:"/books/{isbn}"\n  - Get(isbn: Isbn) => (title: string)\n`;
    const error = 'error 1 InvalidArgument "invalid" HTTP 400\n';
    const found = compare(read, error + read);
    expect(found.filter((each) => !each.startsWith("info"))).toEqual(expected);
  },
);

test("keeps a REST read whose method or service is renamed", () => {
  const read = (service: string, method: string): string =>
    `service ${service}\n  @get:"/books/{id}"\n  - ${method}(id: string) => (title: string)\n`;
  expect(compare(read("Shop", "Get"), read("Shop", "Find"))).toEqual([
    "warning method-same-name",
  ]);
  expect(compare(read("Shop", "Get"), read("Store", "Get"))).toEqual([
    "warning service-no-delete",
    "info service-added",
    "warning method-same-name",
  ]);
});

test("compares the whole body of a REST read, ignoring its name", () => {
  const read = (body: string, type: string): string =>
    `service Shop\n  @get:"/books/{id}"\n  @body:${body}\n  - Get(id: string) => (${body}: ${type})\n`;
  expect(compare(read("book", "string"), read("tome", "string"))).toEqual([
    "warning field-same-name",
  ]);
  expect(compare(read("book", "string"), read("tome", "bool"))).toEqual([
    "error field-same-json-kind",
    "warning field-same-name",
  ]);
});

describe("the address of a REST method", () => {
  const put = (address: string, fields: string, body = ""): string =>
    `service Shop\n  @http:"${address}"${body}\n  - Put(${fields})\n`;
  const whole = (name: string, type = "string"): string =>
    put("PUT /a", `${name}: ${type}`, ` @requestBody:${name}`);
  const route = "error method-same-route";

  test.each<[what: string, before: string, after: string, found: string[]]>([
    ["another verb", put("POST /a", ""), put("PATCH /a", ""), [route]],
    [
      "another header, and another case of its name",
      put("PUT /a", "b: string, c: string", ' @requestHeaders:"b, X-C={c}"'),
      put(
        "PUT /a",
        "b: string, c: string",
        ' @requestHeaders:"d={b}, x-c={c}"',
      ),
      [route],
    ],
    [
      "another field in a header",
      put("PUT /a", "b: string", ' @requestHeaders:"If-Match={b}"'),
      put("PUT /a", "c: int8", ' @requestHeaders:"If-Match={c}"'),
      ["warning field-same-name", "error field-same-type"],
    ],
    [
      "another header of a response",
      `service Shop\n  @http:"PUT /a 204" @responseHeaders:"X-A={a}"\n  - Put() => (a: string)\n`,
      `service Shop\n  @http:"PUT /a 204" @responseHeaders:"X-B={a}"\n  - Put() => (a: string)\n`,
      [route],
    ],
    [
      "another type in a header of a response",
      `service Shop\n  @http:"PUT /a 204" @responseHeaders:"X-A={a}"\n  - Put() => (a: int8)\n`,
      `service Shop\n  @http:"PUT /a 204" @responseHeaders:"x-a={a}"\n  - Put() => (a: string)\n`,
      ["error field-same-type"],
    ],
    [
      "a field that leaves its header",
      put("PUT /a", "b?: string", ' @requestHeaders:"b"'),
      put("PUT /a", "b?: string"),
      [route],
    ],
    ["another path", put("PUT /a", ""), put("PUT /b", ""), [route]],
    ["another status", put("PUT /a", ""), put("PUT /a 201", ""), [route]],
    ["no status, as 200", put("PUT /a 200", ""), put("PUT /a", ""), []],
    [
      "exchanged parameters of the path",
      put("PUT /{a}/{b}", "a: int8, b: int8"),
      put("PUT /{b}/{a}", "a: int8, b: int8"),
      [route],
    ],
    [
      "another name of a parameter of the path",
      put("PUT /{a}", "a: int8"),
      put("PUT /{b}", "b: int8"),
      ["warning field-same-name"],
    ],
    [
      "another name of a field in the query",
      put("PUT /a?x={a}", "a: int8"),
      put("PUT /a?x={b}", "b: int8"),
      ["warning field-same-name"],
    ],
    [
      "another name in the query",
      put("PUT /a?x={a}", "a?: int8"),
      put("PUT /a?y={a}", "a?: int8"),
      [route],
    ],
    [
      "exchanged names in the query",
      put("PUT /a?x={a}&y={b}", "a: int8, b: int8"),
      put("PUT /a?x={b}&y={a}", "a: int8, b: int8"),
      [route],
    ],
    [
      "another order of the query",
      put("PUT /a?a&b&c=1&d=2", "a: int8, b: int8"),
      put("PUT /a?d=2&c=1&b&a", "a: int8, b: int8"),
      [],
    ],
    [
      "a field that moved from the body to the query",
      put("PUT /a", "a: int8, b: int8"),
      put("PUT /a?a", "a: int8, b: int8"),
      [route],
    ],
    [
      "a field that moved from the query to the path",
      put("PUT /a?a", "a: int8"),
      put("PUT /a/{a}", "a: int8"),
      [route],
    ],
    [
      "fields of the path and the query that changed places",
      put("PUT /{a}?x={b}", "a: int8, b: int8"),
      put("PUT /{b}?x={a}", "a: int8, b: int8"),
      [route],
    ],
    [
      "a body that is one field, instead of an object",
      put("PUT /a", "a: string"),
      whole("a"),
      [route],
    ],
    [
      "another name of the field that is the body",
      whole("a"),
      whole("b"),
      ["warning field-same-name"],
    ],
    [
      "another type of the field that is the body",
      whole("a"),
      whole("b", "int8"),
      ["error field-same-json-kind", "warning field-same-name"],
    ],
    [
      "a new fixed pair",
      put("PUT /a", ""),
      put("PUT /a?x=1", ""),
      ["warning method-same-route"],
    ],
    [
      "another value of a fixed pair",
      put("PUT /a?x=1", ""),
      put("PUT /a?x=2", ""),
      ["warning method-same-route"],
    ],
    [
      "a fixed pair without a value that was removed",
      put("PUT /a?x=", ""),
      put("PUT /a", ""),
      ["warning method-same-route"],
    ],
    [
      "a fixed pair without a value that became a field",
      put("PUT /a?x=", ""),
      put("PUT /a?x", "x?: int8"),
      [route],
    ],
    [
      "a fixed pair that became a field",
      put("PUT /a?x=1", ""),
      put("PUT /a?x", "x?: int8"),
      [route],
    ],
    [
      "a new required field in the query",
      put("PUT /a", ""),
      put("PUT /a?x", "x: int8"),
      ["error request-field-no-add-required"],
    ],
    [
      "a new optional list in the query",
      put("PUT /a", ""),
      put("PUT /a?x", "x?: []int8"),
      [],
    ],
    [
      "a field that is gone from the query",
      put("PUT /a?x", "x?: int8"),
      put("PUT /a", ""),
      ["warning request-field-no-delete"],
    ],
    [
      "the first field of a body, which is optional",
      put("PUT /a", ""),
      put("PUT /a", "x?: int8"),
      [],
    ],
    [
      "numbers in the query that become text",
      put("PUT /a?x", "x: int8"),
      put("PUT /a?x", "x: string"),
      ["warning field-same-type"],
    ],
    [
      "numbers in the body that become text",
      put("PUT /a", "x: int8"),
      put("PUT /a", "x: string"),
      ["error field-same-json-kind"],
    ],
  ])("is compared: %s", (_, before, after, found) => {
    expect(compare(before, after)).toEqual(found);
  });
});

test("reports a REST read whose whole body becomes nullable", () => {
  const read = (line: string): string =>
    `struct Query\n  - id: string\nstruct Books\n  - books: []string\n${line}service Shop\n  @get:"/books/{id}"\n  @body:books\n  - Get(Query) => (Books)\n`;
  expect(compare(read(""), read("    + nullable = true\n"))).toEqual([
    "error response-field-no-allow-null",
  ]);
});

describe("a response field", () => {
  const get = (field: string): string =>
    `struct Book\n  - ${field}\nservice Shop\n  - Get() => (book: Book)\n`;
  const optional = get("note?: string");
  const nullable = get("note: string\n    + nullable = true");

  test("can become nullable instead of optional, which breaks code but not clients", () => {
    expect(compare(optional, nullable)).toEqual([
      "warning response-field-no-allow-null",
      "warning response-field-optional-to-required",
    ]);
  });

  test("can become optional instead of nullable, which breaks code that compares with null", () => {
    expect(compare(nullable, optional)).toContain(
      "error response-field-required-to-optional",
    );
  });
});

describe("an optional field that becomes nullable, or no longer is", () => {
  const optional = "struct Book\n  - note?: string\n";
  const nullable = `${optional}    + nullable = true\n`;
  const uses = {
    request: "service Shop\n  - Put(book: Book)\n",
    response: "service Shop\n  - Get() => (book: Book)\n",
    webhook: "service Hook\n  @webhook\n  - Notify(book: Book)\n",
  };

  test.each([
    ["request", "added"],
    ["request", "removed"],
    ["response", "added"],
    ["response", "removed"],
    ["webhook", "added"],
    ["webhook", "removed"],
  ] as const)("may break clients if the %s's null is %s", (use, change) => {
    const [before, after] = [optional, nullable].map(
      (book) => head + book + uses[use],
    );
    const found =
      change === "added"
        ? compareTexts(before ?? "", after ?? "")
        : compareTexts(after ?? "", before ?? "");
    expect(found[0]?.severity).toBe("warning");
    expect(notesOf(found)).toContainEqual(
      expect.stringMatching(/^may break .*old (clients|receivers|host)/u),
    );
  });
});

describe("parameters of a base path", () => {
  const based = (path: string): string =>
    `webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = "${path}"\n\nservice Shop\n  - Ping()\n`;
  const severitiesOf = (before: string, after: string) =>
    compareTexts(based(before), based(after)).map(({ severity }) => severity);

  test("can be renamed without breaking calls", () => {
    expect(severitiesOf("/{network}/rpc", "/{chain}/rpc")).toEqual(["warning"]);
  });

  test("cannot be reordered", () => {
    expect(severitiesOf("/{a}/{b}", "/{b}/{a}")).toEqual(["error"]);
  });
});

test("distinguishes `any` from strings in requests", () => {
  const put = (type: string): string =>
    `service Shop\n  - Put(a: ${type}) => ()\n`;
  expect(compare(put("any"), put("string"))).toEqual(["error field-same-type"]);
  expect(compare(put("string"), put("any"))).toEqual([
    "warning field-same-type",
  ]);
});

test.each([
  ["any", "`Book.a`"],
  ["[]any", "each element of `Book.a`"],
  ["map<string,any>", "each value of `Book.a`"],
  ["map<string,[]any>", "each element of each value of `Book.a`"],
  ["[]Word", "`Word`"],
  ["Words", "each element of `Words`"],
])("names the part of a field of type %s that changed", (type, part) => {
  const put = (any: string): string =>
    `${head}type Word: ${any}\ntype Words: []${any}\nstruct Book\n  - a: ${type.replace("any", any)}\n  - b: any\nservice Shop\n  - Put(book: Book)\n`;
  expect(compareTexts(put("string"), put("any"))).toMatchObject([
    { message: `${part} was \`string\` and is now \`any\`` },
  ]);
});

test("names map keys whose type changed", () => {
  const put = (key: string): string =>
    `${head}service Shop\n  - Put(a: map<${key},bool>)\n`;
  expect(compareTexts(put("string"), put("uint8"))).toMatchObject([
    { message: "each key of `Shop.Put.a` was `string` and is now `uint8`" },
  ]);
});

describe("limits", () => {
  const put = (alias: string, field: string): string =>
    `type Word: string\n${alias}\nstruct Book\n  - title: Word\n${field}\nservice Shop\n  - Put(book: Book)\n`;

  test("are compared after they are combined", () => {
    const longer = put("  + maxLength = 9\n", "    + maxLength = 5\n");
    const shorter = put("  + maxLength = 7\n", "    + maxLength = 5\n");
    expect(compare(longer, shorter)).toEqual([]);
  });

  test("decide whether a new pattern accepts what the old one accepted", () => {
    const isbn = (pattern: string, more = ""): string =>
      `type Isbn: string\n  + pattern = "${pattern}"\n${more}`;
    const send = (alias: string): string =>
      `${alias}service Shop\n  - Put(isbn: Isbn)\n`;
    const receive = (alias: string): string =>
      `${alias}service Shop\n  - Get() => (isbn: Isbn)\n`;
    const [wide, narrow] = [isbn("^[a-z]+$"), isbn("^[a-y]+$")];
    const changed = "constraint-pattern-changed";
    expect(compare(send(wide), send(narrow))).toEqual([`error ${changed}`]);
    expect(compare(send(narrow), send(wide))).toEqual([]);
    // Clients do not have to validate responses.
    expect(compare(receive(wide), receive(narrow))).toEqual([]);
    expect(compare(receive(narrow), receive(wide))).toEqual([
      `warning ${changed}`,
    ]);
    const equal = isbn("^[a-z][a-z]*$");
    expect(compare(send(wide), send(equal))).toEqual([]);
    const long = isbn("^(?:[a-z]|[a-z]{9})$");
    const limited = isbn("^(?:[a-z]|[a-z]{9})$", "  + maxLength = 8\n");
    expect(compare(send(long), send(limited))).toEqual([
      "error constraint-request-no-tighten",
    ]);
    const implied = isbn("^[a-z]+$", "  + maxLength = 8\n");
    expect(compare(send(isbn("^[a-z]{8}$")), send(implied))).toEqual([]);
    const look = isbn("^(?=a)[a-z]+$");
    expect(compare(send(look), send(wide))).toEqual([`warning ${changed}`]);
    expect(compare(send(wide), send(look))).toEqual([`error ${changed}`]);
  });

  test("include the patterns of both the alias and the field", () => {
    const pattern = (text: string) => put(`  + pattern = "${text}"\n`, field);
    const field = '    + pattern = "^[a-z]+$"\n';
    expect(compare(pattern("^[a-f]+$"), pattern("^[a-c]+$"))).toEqual([
      "error constraint-pattern-changed",
    ]);
  });

  test("include the integers that a string accepts", () => {
    const accept = "  + accept = integer\n";
    expect(compare(put(accept, ""), put("", ""))).toEqual([
      "error constraint-request-no-tighten",
    ]);
  });

  test("do not change if a new limit repeats what the type implies", () => {
    const count = (limit: string) =>
      `struct Book\n  - count: uint8\n${limit}\nservice Shop\n  - Put(book: Book)\n`;
    expect(compare(count(""), count("    + maximum = 255\n"))).toEqual([]);
    expect(compare(count(""), count("    + maximum = 254\n"))).toEqual([
      "error constraint-request-no-tighten",
    ]);
  });

  test("combine the limits of the type and the value into one range for a number", () => {
    const count = (type: string, limit: string) =>
      `struct Book\n  - count: ${type}\n    + minimum = 0\n${limit}\nservice Shop\n  - Put(book: Book)\n`;
    const limit = "    + maximum = 9\n";
    expect(compare(count("int32", limit), count("uint8", limit))).toEqual([]);
  });
});

describe("64-bit integers", () => {
  const put = (type: string): string =>
    `${head}service Shop\n  - Put(count: ${type})\n`;
  const get = (type: string): string =>
    `${head}service Shop\n  - Get() => (count: ${type})\n`;
  const severitiesIn = (int64: "number" | "bigint") =>
    compareTexts(put("uint64"), put("uint"), undefined, {
      int64,
      timestamp: "string",
    }).map(({ severity }) => severity);

  test("are compared like other numbers unless code uses bigint", () => {
    expect(severitiesIn("number")).toEqual([]);
    expect(severitiesIn("bigint")).toEqual(["error"]);
  });

  test.each([put, get])("lose digits if they become float64", (write) => {
    const found = compareTexts(write("int64"), write("float64"), undefined, {
      int64: "bigint",
      timestamp: "string",
    });
    expect(found).toMatchObject([
      { severity: "error", code: "field-numeric-narrowed" },
    ]);
  });
});

test("keeps the address of a renamed host if there is another host", () => {
  const contractOf = (...names: readonly string[]) => {
    const texts = names.map(
      (name, index) =>
        `webrpc = v1\nname = ${name}\nversion = v1.0.0\nservice Shop${index}\n  - Put${index}()\n`,
    );
    const read = (path: string): string | null => texts[Number(path)] ?? null;
    return checkDocuments(["0", "1"], { read }).value;
  };
  const found = reportChanges(
    contractOf("north", "south"),
    contractOf("north", "west"),
  );
  expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "warning host-same-name",
  ]);
});

describe("errors of rejected calls", () => {
  const shop = (auth: string, args = "", more = ""): string =>
    `error 1 Denied "denied" HTTP 403
error 2 SignIn "sign in" HTTP 401
${more}
type Key: string
  + header = X-Key
  + error = Denied

type Token: string
  + header = Authorization
  + error = SignIn

service Shop
${auth}  - Get(${args}) errors Denied
  @auth:"X-Key,Authorization"
  - List()
`;
  const key = '  @auth:"X-Key"\n';
  const both = '  @auth:"X-Key,Authorization"\n';

  test("belong to the finding about an added credential", () => {
    expect(compare(shop(key), shop(both))).toEqual([
      "error method-credentials-no-add",
    ]);
  });

  test("change if credentials are reordered", () => {
    const swapped = '  @auth:"Authorization,X-Key"\n';
    expect(compare(shop(both), shop(swapped))).toEqual([
      "error credential-same-error",
    ]);
  });

  test("change if another credential becomes the first", () => {
    const token = '  @auth:"Authorization"\n';
    expect(compare(shop(token), shop(both))).toEqual([
      "error credential-same-error",
      "error method-credentials-no-add",
    ]);
    const found = compareTexts(head + shop(both), head + shop(token));
    expect(found.map(({ message }) => message)).toContain(
      "`Shop.Get` now checks `Token` first",
    );
  });

  test("affect code that implements the server if their method is the first with a credential", () => {
    const unused = shop("").replace(/ {2}@auth.*\n/u, "");
    const used = unused.replace("  - Get", `${key}  - Get`);
    const found = compareTexts(head + unused, head + used);
    expect(notesOf(found)?.join()).toContain("code that implements the server");
  });

  test("affect code that implements the server if another host alone has the credential", () => {
    const contractOf = (auth: string) => {
      const texts: Readonly<Record<string, string>> = {
        shop: `${head}import "key"\nservice Shop\n  @auth:"X-Key"\n  - Get()\n`,
        desk: `webrpc = v1\nname = desk\nversion = v1.0.0\nimport "key"\nservice Desk\n${auth}  - Put()\n`,
        key: `webrpc = v1\nerror 1 Denied "denied" HTTP 403\ntype Key: string\n  + header = X-Key\n  + error = Denied\n`,
      };
      const read = (path: string): string | null => texts[path] ?? null;
      return checkDocuments(["shop", "desk"], { read }).value;
    };
    const [free, closed] = [contractOf(""), contractOf(key)];
    const added = notesOf(reportChanges(free, closed));
    expect(added?.join()).toContain("code that implements the server");
    const removed = notesOf(reportChanges(closed, free));
    expect(removed?.join()).toContain("code that calls the client");
  });

  test("break code that checks for the error of a removed credential", () => {
    const found = compareTexts(head + shop(both), head + shop(key));
    expect(found.map(({ code }) => code)).toEqual([
      "method-credentials-no-delete",
    ]);
    expect(notesOf(found)?.join()).toContain("code that calls the client");
  });

  test("warn of a method that loses a credential but keeps its errors", () => {
    const found = compareTexts(head + shop(key), head + shop(""));
    expect(found).toMatchObject([{ severity: "warning" }]);
    expect(notesOf(found)).toEqual([
      "breaks new clients of an old server",
      "may break old clients of the new server, code that implements the server",
    ]);
  });

  test("break no old clients if they become optional", () => {
    const optional = '  @auth:"X-Key|none"\n';
    const opened = compareTexts(head + shop(key), head + shop(optional));
    expect(opened.map(({ message }) => message)).toEqual([
      "`Shop.Get` no longer requires `Key`",
    ]);
    expect(notesOf(opened)).toEqual([
      "breaks new clients of an old server",
      "may break code that implements the server",
    ]);
    expect(compare(shop(optional), shop(key))).toEqual([
      "error method-credentials-no-add",
    ]);
  });

  test("break nobody if they are added as optional ones", () => {
    const optional = '  @auth:"X-Key|none"\n';
    const found = compareTexts(head + shop(""), head + shop(optional));
    expect(found.map(({ message }) => message)).toEqual([
      "`Shop.Get` now accepts `Key`",
    ]);
    expect(notesOf(found)).toEqual(["may break code that calls the client"]);
    const gone = compareTexts(head + shop(optional), head + shop(""));
    expect(gone.map(({ message }) => message)).toEqual([
      "`Shop.Get` no longer accepts `Key`",
    ]);
  });

  test("break old clients if an optional one has another scheme", () => {
    const header = "+ header = Authorization\n";
    const token = (scheme: string, alternatives: string): string =>
      shop(`  @auth:"${alternatives}"\n`).replace(
        header,
        `${header}  + scheme = ${scheme}\n`,
      );
    expect(
      compare(
        token("Bearer", "Authorization"),
        token("Basic", "Authorization|none").replaceAll("Token", "Login"),
      ),
    ).toContain("error method-credentials-no-add");
  });

  test("cause one finding if a credential declares a different error", () => {
    const before = shop(both);
    const after = before.replace("error = SignIn", "error = Denied");
    const found = compareTexts(head + before, head + after);
    expect(found.map(({ code }) => code)).toEqual(["credential-same-error"]);
    expect(notesOf(found)?.join()).toContain("code that calls the client");
  });

  test("may include InvalidArgument once a method has its first argument", () => {
    const invalid = 'error 3 InvalidArgument "invalid" HTTP 400\n';
    expect(
      compare(shop("", "", invalid), shop("", "n?: int8", invalid)),
    ).toEqual([]);
  });
});

describe("hosts without lists of errors", () => {
  const shared = `error 1 NotFound "not found" HTTP 404
error 2 InvalidArgument "invalid" HTTP 400
`;
  const closed = 'error 3 Closed "closed" HTTP 503\n';
  const host = (name: string, imports: string, get: string, more = "") =>
    `webrpc = v1\nname = ${name}\nversion = v1.0.0\n${imports}${more}service ${name}\n  - ${get}\n  - Ping${name}()\n`;
  const contractOf = (texts: Readonly<Record<string, string>>) => {
    const read = (path: string): string | null => texts[path] ?? null;
    const hosts = Object.keys(texts).filter((path) => path !== "errors.ridl");
    return checkDocuments(hosts, { read }).value;
  };
  const all = 'import "errors.ridl"\n';
  const one = 'import "errors.ridl"\n  - NotFound\n';
  const contract = (imports: string, get = "GetNorth()", more = "") =>
    contractOf({
      "errors.ridl": shared,
      "north.ridl": host("North", imports, get, more),
      "south.ridl": host("South", all, "GetSouth(id: int32) errors NotFound"),
    });
  const changesOf = (...contracts: Parameters<typeof reportChanges>) =>
    reportChanges(...contracts).map(({ code, message }) => [code, message]);

  test("lose the errors that they no longer import, and gain those that they import", () => {
    expect(changesOf(contract(one), contract(""))).toEqual([
      [
        "method-error-no-delete",
        "`North.GetNorth` no longer returns `NotFound`",
      ],
      [
        "method-error-no-delete",
        "`North.PingNorth` no longer returns `NotFound`",
      ],
    ]);
    expect(changesOf(contract(""), contract(one))).toEqual([
      ["method-error-no-add", "`North.GetNorth` can now return `NotFound`"],
      ["method-error-no-add", "`North.PingNorth` can now return `NotFound`"],
    ]);
  });

  test("are compared with lists by the errors of the host", () => {
    const listed = contract(one, "GetNorth() errors NotFound");
    expect(changesOf(listed, contract(one))).toEqual([]);
    expect(changesOf(contract(one), listed)).toEqual([]);
    expect(changesOf(listed, contract(all, "GetNorth()"))).toContainEqual([
      "method-error-no-add",
      "`North.GetNorth` can now return `InvalidArgument`",
    ]);
  });

  test("report removed errors once, and do not report new ones", () => {
    const [without, declared] = [
      contract(one),
      contract(one, undefined, closed),
    ];
    expect(changesOf(without, declared)).toEqual([]);
    expect(changesOf(declared, without)).toEqual([
      ["error-no-delete", "error `Closed` (3) was removed"],
    ]);
  });

  test("each report that invalid requests return another error", () => {
    const both = (imports: string) =>
      contractOf({
        "errors.ridl": shared,
        "north.ridl": host("North", imports, "GetNorth(id: int32)"),
        "south.ridl": host("South", imports, "GetSouth(id: int32)"),
      });
    expect(
      changesOf(both(one), both(all)).map(([, message]) => message),
    ).toEqual([
      "invalid requests to `North` failed with `WebrpcBadRequest` and now fail with `InvalidArgument`",
      "invalid requests to `South` failed with `WebrpcBadRequest` and now fail with `InvalidArgument`",
    ]);
  });
});

describe("comments", () => {
  const without = "service Shop\n  - Ping()\n";
  const before = `${without}  - Pong()\n`;

  test("silence the finding that they name, next to the removed declaration", () => {
    const ignored = `#! ridl-ignore method-no-delete nobody called Pong\n${without}`;
    expect(compare(before, without)).toEqual(["error method-no-delete"]);
    expect(compare(before, ignored)).toEqual([]);
  });

  test.each([
    ["method-no-delete", "service S\n  - A(b: B, c: C)\n", "  - N()\n"],
    ["enum-value-no-delete", "enum B: uint8\n  - a\n", "  - N\n"],
    ["request-field-no-delete", "struct C\n  - a: int\n", "  - N: int\n"],
  ])("about %s do not silence a later removal", (code, container, part) => {
    const all = `service S\n  - A(b: B, c: C)\nenum B: uint8\n  - a\nstruct C\n  - a: int\n`;
    const ignored = `#! ridl-ignore ${code} N is unused\n`;
    const rest = all.replace(container, ignored + container);
    const codesWithout = (name: string): readonly string[] =>
      compare(
        all.replace(container, container + part.replace("N", name)),
        rest,
      ).map((each) => each.split(" ")[1] ?? "");
    expect(codesWithout("N")).not.toContain(code);
    expect(codesWithout("M")).toContain(code);
  });

  test("do not silence other findings", () => {
    const ignored = `#! ridl-ignore method-added nobody called it\n${without}`;
    expect(compare(before, ignored)).toEqual(["error method-no-delete"]);
  });
});

describe("severities", () => {
  const before = "service Shop\n  - Ping()\n";
  const after = "service Shop\n  - Ping() => (at: timestamp)\n";

  test("follow the configuration", () => {
    const severityWith = (severity: "error" | "info" | "off") =>
      compareTexts(head + before, head + after, {
        isStrict: false,
        rules: { "response-field-add-required": severity },
      }).map((found) => found.severity);
    expect(severityWith("error")).toEqual(["error"]);
    expect(severityWith("info")).toEqual(["info"]);
    expect(severityWith("off")).toEqual([]);
  });

  test("follow the audience that is affected most", () => {
    const strict = compareTexts(head + before, head + after, {
      isStrict: true,
      rules: {},
    });
    expect(compare(before, after)).toEqual([
      "warning response-field-add-required",
    ]);
    expect(strict.map(({ severity }) => severity)).toEqual(["error"]);
  });
});

describe("statuses", () => {
  test("break code if an output that depended on them is gone", () => {
    const create = (statuses: string, outputs: string): string =>
      `${head}struct Report\n  - id: string\nservice Desk\n  @http:"POST /reports ${statuses}"\n  - Create() => (${outputs})\n`;
    const before = create("200={report} 204", "report?: Report");
    const kept = create("204 202={report}", "report?: Report");
    const lost = create("204", "");
    const notes = (after: string): readonly string[] =>
      compareTexts(before, after)
        .filter(({ code }) => code === "method-same-route")
        .flatMap((each) => each.notes ?? []);
    const code = expect.stringContaining("code that calls the client");
    expect(notes(lost)).toContainEqual(code);
    expect(notes(kept)).not.toContainEqual(code);
  });

  test("break handlers that do not return the status if it becomes an output", () => {
    const create = (statuses: string, outputs: string): string =>
      `${head}struct Report\n  - id: string\nservice Desk\n  @http:"POST /reports ${statuses}\n  - Create() => (report?: Report${outputs})\n`;
    const before = create('200={report} 204"', "");
    const told = '200={report} 202={report} 204" @responseStatus:status';
    const found = compareTexts(before, create(told, ", status: uint16"));
    expect(notesOf(found)?.join()).toContain("code that implements the server");
  });

  test("break handlers that chose the status of an error", () => {
    const refused = (any: string): string =>
      `${head}error 1 Refused "refused" HTTP 402\nstruct Refusal\n  - code: string\ntype RefusedData: Refusal\n  + dataOf = Refused\n${any}service Desk\n  - Create() errors Refused\n`;
    const [any, fixed] = [refused("  + anyStatus = true\n"), refused("")];
    const notes = (before: string, after: string): readonly string[] =>
      compareTexts(before, after)
        .filter(({ code }) => code === "error-same-status")
        .flatMap((each) => each.notes ?? []);
    const code = "breaks code that implements the server";
    expect(notes(any, fixed)).toContain(code);
    expect(notes(fixed, any)).not.toContain(code);
  });
});

describe("a new method", () => {
  const shop = (id: string, more = ""): string =>
    `${head}service Users\n  @get:"/users/{id}"\n  - Get(id: ${id})\n${more}`;
  const me = '  @get:"/users/me"\n  - Me()\n';
  const coded = '  @get:"/users/{id}:x"\n  - Find(id: string)\n';
  const taken = "breaks new clients of an old server";
  const notes = (before: string, after: string): readonly string[] =>
    compareTexts(before, after)
      .filter(({ code }) => code.endsWith("-added"))
      .flatMap((each) => each.notes ?? []);

  test("breaks new clients if an old server answers its calls with another method", () => {
    expect(notes(shop("string"), shop("string", me))).toContain(taken);
    expect(notes(shop("string"), shop("string", coded))).toContain(taken);
    const service = me.replace("  @get", "service More\n  @get");
    const added = shop("string", service);
    expect(notes(shop("string"), added)).toContain(taken);
  });

  test("breaks no new client if it is a webhook, or moved to a new service", () => {
    const hook = (more: string): string =>
      `${head}service Hook\n  @webhook\n  - Sold(id: string)\n${more}`;
    const gifted = "  @webhook\n  - Gifted(id: string)\n";
    expect(notes(hook(""), hook(gifted))).not.toContain(taken);
    const moved = shop("string").replace("service Users", "service People");
    expect(notes(shop("string"), moved)).not.toContain(taken);
  });

  test("breaks new clients if only short values are also calls of another method", () => {
    const short = (maxLength: number, more = ""): string =>
      `${head}type Id: string\n  + pattern = "^[a-z]{1,${maxLength}}$"\nservice Users\n  @get:"/aba{id}a"\n  - Get(id: Id)\n${more}`;
    const late = '  @get:"/{id}aba"\n  - Find(id: string)\n';
    const found = (from: string, to: string): readonly string[] =>
      notes(short(1, from), short(1, from + to));
    expect(found("", late)).toContain(taken);
    expect(found("", late.replace("aba", "bba"))).not.toContain(taken);
  });

  test("breaks no new client if the other method refuses its calls", () => {
    for (const more of [me, coded]) {
      const found = notes(shop("uint32"), shop("uint32", more));
      expect(found).toHaveLength(1);
      expect(found).not.toContain(taken);
    }
  });
});
