import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import {
  printSchemaJson,
  toSchemaJson,
} from "../../tools/schema-json/index.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * `json → json` changes nothing. Neither does `.ridl → json → .ridl → json`,
 * with one exception: a single RIDL document groups types by category, so the
 * types of imported documents no longer come first.
 */

/** Returns the JSON form of the first host. */
function toJson(read: (path: string) => string | null, entry: string): string {
  const { value, diagnostics } = checkDocuments([entry], { read });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
  const [host] = value.hosts;
  if (host === undefined) throw new Error("no host");
  return printSchemaJson(toSchemaJson(value, host));
}

function readText(path: string, text: string) {
  return (asked: string): string | null => (asked === path ? text : null);
}

/** Changes the order of types so that two forms can be compared. */
type Arrange = (json: string) => string;

/** Sorts the types by name. */
const sortTypes: Arrange = (json) => {
  const schema: { types: { name: string }[] } = JSON.parse(json);
  schema.types.sort((a, b) => (a.name < b.name ? -1 : 1));
  return JSON.stringify(schema, null, 1);
};

function expectRoundTrip(
  read: (path: string) => string | null,
  entry: string,
  arrange: Arrange = (json) => json,
): void {
  const json = toJson(read, entry);
  expect(toJson(readText("api.json", json), "api.json")).toBe(json);
  const { value } = parseDocument({ path: "api.json", text: json });
  const ridl = printDocument(value);
  const again = toJson(readText("api.ridl", ridl), "api.ridl");
  expect(arrange(again)).toBe(arrange(json));
}

const schema = join(import.meta.dirname, "../../schema");
const documents = readdirSync(schema).filter((name) => name.endsWith(".ridl"));

test.each(documents)("schema/%s", (name) => {
  const read = (path: string) => readFileSync(join(schema, path), "utf8");
  expectRoundTrip(read, name, sortTypes);
});

describe("constructs", () => {
  test.each([
    ["nothing", "webrpc = v1\n"],
    ["an unusual base path", "webrpc = v1\nbasepath = /v1//rpc\n"],
    [
      "quotes, escapes and lines",
      String.raw`webrpc = v1
name = "two words"

error 1 Odd "a \"quote\", a \\ and a tab\t"

enum Side: string
  - buy = "bid # not a comment"
  - empty = ""

type Digits: string
  + pattern = "^\\d+$"
  + note = "two\nlines"
  + go.tag.db = a,b
`,
    ],
    [
      "downloads",
      `webrpc = v1
version = v1

struct Read
  - id: uint64

service Files
  - Get(id: uint64) => (file)
  - Find(Read) => (file)
  - Any() => (file)
`,
    ],
    [
      "comments of every kind",
      `webrpc = v1
version = v1

# A struct.
#
# With a paragraph.
struct User # and a word
  # A field.
  - id: uint64 # trailing
    + json = ID

# A service.
service v1/Users
  # A method.
  @auth:"A,B" @internal
  - Get(id: uint64, more?: []map<string,[][]User>) => stream (user: User)
  - Find(User) => (User) errors Lost

error 7 Lost "lost" HTTP 404

enum Kind: int8
  # First.
  - A = "-1"
  - B
`,
    ],
  ])("%s", (_, text) => {
    expectRoundTrip(readText("a.ridl", text), "a.ridl");
  });
});

// webrpc's parser keeps what is absent as nil, so its hash of an old schema
// differs from that of the same schema in RIDL.
test("annotations and comments that JSON lacks stay null", () => {
  const method = { name: "Ping", inputs: [], outputs: [] };
  const old = (methods: readonly object[]): string =>
    JSON.stringify({
      ...{ webrpc: "v1", name: "a", version: "v1", basepath: "/rpc/" },
      ...{ types: [], errors: [] },
      services: [{ name: "S", methods, comments: [] }],
    });
  const printed = (methods: readonly object[]): unknown =>
    JSON.parse(toJson(readText("old.json", old(methods)), "old.json"))
      .services[0].methods;
  const absent = { annotations: null, comments: null };
  expect(printed([method])).toEqual([{ ...method, ...absent }]);
  expect(printed([{ ...method, ...absent }])).toEqual([
    { ...method, ...absent },
  ]);
  const given = { ...method, annotations: {}, comments: [] };
  expect(printed([given])).toEqual([given]);
});
