import { describe, expect, test } from "vitest";
import type { LintOptions } from "../../generator/lint/index.js";
import { lintText, placesOf } from "./lint-text.js";

const document = `webrpc = v1
version = v0.0.1

struct Query
  - user_ids: []uint64

service Users
  - Find(query: Query)
`;

function severities(options: Partial<LintOptions>): string[] {
  return lintText(document, options)
    .map(({ code, severity }) => `${severity} ${code}`)
    .sort();
}

describe("lint options", () => {
  test("the default categories are minimal and security, and they cause warnings", () => {
    expect(severities({})).toEqual([
      "warning int64-unsafe",
      "warning unbounded-list",
    ]);
  });

  test("aliases of `timestamp` cause a warning by default", () => {
    const [head] = document.split("struct");
    const found = lintText(`${head}type At: timestamp\n`);
    expect(found.map(({ code }) => code)).toEqual(["timestamp-alias"]);
  });

  test("categories replace the defaults", () => {
    expect(severities({ categories: [] })).toEqual([]);
    expect(severities({ categories: ["standard"] })).toEqual([
      "warning field-camel-case",
      "warning method-succinct",
    ]);
  });

  test("single rules override categories", () => {
    expect(
      severities({
        rules: {
          "unbounded-list": "error",
          "int64-unsafe": "off",
          "field-camel-case": "info",
        },
      }),
    ).toEqual(["error unbounded-list", "info field-camel-case"]);
  });

  test("with bigint, only `int` and `uint` are unsafe", () => {
    expect(severities({ int64: "bigint" })).toEqual(["warning unbounded-list"]);
    const numbers = `webrpc = v1
version = v0.0.1

struct Size
  - width: uint
  - depth: int
  - area: int64

service Sizes
  - Find(size: Size)
`;
    expect(placesOf(lintText(numbers, { int64: "bigint" }))).toEqual([
      "int64-unsafe@5",
      "int64-unsafe@6",
    ]);
  });

  test("a page number that is a `bigint` in code does not identify pages", () => {
    const paged = (limit: string): string => `webrpc = v1
version = v0.0.1

struct Page
  - page?: uint64
${limit}  - more?: bool

service Shop
  - List(page?: Page) => (names: []string, page: Page)
`;
    const codes = (text: string, int64: LintOptions["int64"]): string[] =>
      lintText(text, { int64, categories: ["minimal"] }).map(
        ({ code }) => code,
      );
    expect(codes(paged(""), "bigint")).toEqual(["paging-incomplete"]);
    expect(codes(paged(""), "number")).toEqual([]);
    expect(codes(paged("    + maximum = 1000\n"), "bigint")).toEqual([]);
  });

  test("a document that was not written for ridlkit has few findings by default", () => {
    const foreign = `webrpc = v1

name = hello-webrpc
version = v0.0.1
basepath = /rpc

enum Kind: uint32
  - USER
  - ADMIN

struct User
  - id: uint32
    + go.field.name = ID
    + go.tag.db = id
  - USERNAME: string
    + json = username
  - createdAt?: timestamp

error 1 Unauthorized "unauthorized"
error 2 ExpiredToken "expired token"

service ExampleService
  - Ping()
  - Status() => (status: bool)
  - GetUser(header: map<string,string>, userID: uint32) => (code: uint32, user: User)
  @deprecated
  - FindUsers(q: string) => (users: []User, names: []string)
`;
    expect(placesOf(lintText(foreign))).toEqual(["unbounded-list@25"]);
  });
});
