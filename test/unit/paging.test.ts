import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import { pagingOf } from "../../generator/http/method-paging.js";

/** Describes how a method with these messages returns pages. */
function describePaging(
  method: string,
  int64: "number" | "bigint" = "number",
  annotations = "",
): string | null {
  const text = `webrpc = v1
name = shop
version = v1.0.0

struct Page
  - page?: uint64
  - more?: bool

struct Part
  - cursor?: string

type Token: string
  + nullable = true

struct Asked
  - pageToken?: string

struct Kebab
  - items: []string
  - next?: string
    + jsonName = next-page-token

struct AskedInside
  - held: Held

struct Held
  - token?: string
    + jsonName = page-token

struct Full
  - size: uint32
  - cursor?: string

service Shop
  ${annotations}
  - List${method}
`;
  const { value } = compileContract(["shop.ridl"], { read: () => text });
  const contract = value ?? expect.unreachable();
  const [found] = methodsOf(contract.hosts.flatMap(({ services }) => services));
  if (found === undefined) return expect.unreachable();
  const options = { int64, timestamp: "string" } as const;
  const paging = pagingOf(contract, options, found);
  if (paging === null) return null;
  const { answered, asked, holder, isNumbered, items, linked } = paging;
  const path = [holder, asked].flatMap((field) => field?.jsonName ?? []);
  const link = linked && `link ${linked.parameter}`;
  const kind = link ?? (isNumbered ? "number" : "token");
  return `${kind} ${path.join(".")} ${answered.jsonName} ${items?.jsonName}`;
}

test.each([
  [
    "(cursor?: string) => (a: []string, nextCursor?: string)",
    "token cursor nextCursor a",
  ],
  ["(after?: string) => (a: []string, next?: string)", "token after next a"],
  [
    "(cursor?: string) => (a: []string, next_cursor?: string)",
    "token cursor next_cursor a",
  ],
  [
    "(page_token?: string) => (a: []string, next_page_token: Token)",
    "token page_token next_page_token a",
  ],
  [
    "(token?: string) => (a: []string, nextToken?: string)",
    "token token nextToken a",
  ],
  [
    "(page_token?: string) => (a: []string, nextPageToken?: string)",
    "token page_token nextPageToken a",
  ],
  ["(Asked) => (Kebab)", "token pageToken next-page-token items"],
  ["(AskedInside) => (Kebab)", "token held.page-token next-page-token items"],
  [
    "(page_token?: string, pageToken?: string) => (a: []string, next_pageToken?: string, nextPageToken?: string)",
    "token pageToken nextPageToken a",
  ],
  ["(part?: Part) => (a: []string, next?: string)", "token part.cursor next a"],
  ["(full: Full) => (a: []string, next?: string)", "token full.cursor next a"],
  ["(page?: Page) => (a: []string, page: Page)", "number page page a"],
  ["(page: Page) => (page?: Page)", "number page page undefined"],
  [
    "(x?: string, y?: string) => (a: []string, nextY?: string, nextX?: string)",
    "token x nextX a",
  ],
  [
    "(x: string, y?: string) => (nextX?: string, nextY?: string)",
    "token y nextY undefined",
  ],
  [
    "(cursor?: string) => (a: []string, b: []string, next?: string)",
    "token cursor next undefined",
  ],
  [
    "(cursor?: string) => (a: []byte, b: []string, next?: string)",
    "token cursor next b",
  ],
  [
    "(cursor?: string) => (constructor: []string, next?: string)",
    "token cursor next undefined",
  ],
])("pages: %s", (method, paging) => {
  expect(describePaging(method)).toBe(paging);
});

test.each([
  "(cursor: string) => (a: []string, nextCursor?: string)",
  "(cursor?: string) => (a: []string, nextCursor: string)",
  "(cursor?: uint32) => (a: []string, nextCursor?: uint32)",
  "(id?: string) => (a: []string, next?: string)",
  "(full?: Full) => (a: []string, next?: string)",
  "(page?: Page) => (a: []string, page: Part)",
  "(to?: string) => (a: []string, nextto?: string)",
  "(constructor?: string) => (a: []string, nextConstructor?: string)",
  "(cursor?: string) => stream (a: []string, nextCursor?: string)",
  "(cursor?: string, scan: file) => (a: []string, nextCursor?: string)",
  "() => ()",
])("does not page: %s", (method) => {
  expect(describePaging(method)).toBeNull();
});

test("a page number that is a `bigint` in code does not identify pages", () => {
  const method = "(page?: Page) => (a: []string, page: Page)";
  expect(describePaging(method, "bigint")).toBeNull();
});

test.each([
  [
    "page",
    "(page?: uint32) => (a: []string, link?: string)",
    "link page page link a",
  ],
  [
    "after&page",
    "(page?: uint32, after?: string) => (a: []string, link?: string)",
    "link after after link a",
  ],
  [
    "page={number}",
    "(number?: uint64) => (a: []string, link?: string)",
    "link page number link a",
  ],
  ["page", "(page: uint32) => (a: []string, link?: string)", null],
  ["page", "(page?: bool) => (a: []string, link?: string)", null],
  ["size", "(size?: uint32) => (a: []string, link?: string)", null],
])("links of ?%s: %s", (query, method, paging) => {
  const words = `@get:"/a?${query}" @responseHeaders:"link={link}" @body:a`;
  expect(describePaging(method, "number", words)).toBe(paging);
});
