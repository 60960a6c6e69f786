import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";
import { listenForTest } from "../../support/listen-for-test.js";

const head = (name: string): string =>
  `webrpc = v1\nname = ${name}\nversion = v1.0.0\n`;

const reads = `
error 1401 Unauthorized "unauthorized" HTTP 401

type Token: string
  + header = Authorization
  + scheme = Bearer
  + error = Unauthorized

service Books
  @get:"/books/{id}" @auth:"Authorization"
  - Get(id: uint32) => (id: uint32)
  @readonly @http:"POST /find"
  - Find(text: string) => (count: uint32)
  @readonly @http:"POST /{kind}/find"
  - FindKind(kind: string, text: string) => (count: uint32)
  @readonly
  - Count() => (count: uint32)
  - Add(id: uint32) => (id: uint32)
`;

const writes = `
service Admin
  @admin @http:"DELETE /books/{id}"
  - Remove(id: uint32) => ()
  @admin @http:"POST /{kind}"
  - Create(kind: string, text: string) => ()
  @admin @http:"POST /all/find"
  - Reset(text: string) => ()
  @admin @http:"DELETE /{a}/{b}/{c}"
  - RemoveAny(a: string, b: string, c: string) => ()
`;

/** What a server does that ignores the case of paths, in order of precedence. */
const routes: readonly (readonly [name: string, request: RegExp])[] = [
  ["Books.Count", /^[A-Z]+ \/rpc\/books\/count$/iu],
  ["Books.Add", /^[A-Z]+ \/rpc\/books\/add$/iu],
  ["Books.Get", /^GET \/books\/[^/]+$/iu],
  ["Books.Find", /^POST \/find$/u],
  ["Admin.Reset", /^POST \/all\/find$/u],
  ["Books.FindKind", /^POST \/[^/]+\/find$/iu],
  ["Admin.Remove", /^DELETE \/books\/[^/]+$/iu],
  ["Admin.Create", /^POST \/[^/]+$/u],
  ["Admin.RemoveAny", /^DELETE \/[^/]+\/[^/]+\/[^/]+$/iu],
];

/** Runs `ridl test`. Returns the methods that the server's router has called. */
async function callsOf(
  documents: Readonly<Record<string, string>>,
  ...flags: readonly string[]
) {
  const called = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const asked = `${request.method} ${decodeURIComponent(pathname)}`;
    const found = routes.find(([, pattern]) => pattern.test(asked));
    called.add(found?.[0] ?? "");
    request.resume();
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"error":"WebrpcBadRoute","code":-2,"msg":"","status":404}');
  });
  const { url } = await listenForTest(server);
  const { stderr, stdout } = await createSandbox(documents).run([
    ...["test", url, ...Object.keys(documents), "--seed", "1", "--runs", "20"],
    ...["--value", "id=7", "--value", "kind=all", "--value", "kind=a/b"],
    ...["--header", "Authorization: Bearer good", "--max-time", "1000"],
    ...flags,
  ]);
  expect(stderr).not.toContain("error");
  called.delete("");
  return { called: [...called].sort(), stdout };
}

const filtered = { "shop.ridl": head("shop") + reads + writes };
const excluded = ["--ignore", "@admin"];

test.each([
  ["a filter excludes", filtered, excluded],
  [
    "another host has",
    { "reads.ridl": head("reads") + reads, "admin.ridl": head("a") + writes },
    [],
  ],
])("without --writes, calls no method that %s", async (_, documents, flags) => {
  const { called, stdout } = await callsOf(documents, ...flags);
  expect(called).toEqual([
    "Books.Count",
    "Books.Find",
    "Books.FindKind",
    "Books.Get",
  ]);
  expect(stdout).toContain(
    "note: other HTTP methods were not sent to these paths, because they may change data; `--writes` sends them: Books.Get, Books.Find, Books.FindKind",
  );
});

test("without --writes, sends no verbs to paths that documents may lack", async () => {
  const { called } = await callsOf({ "reads.ridl": head("reads") + reads });
  expect(called).not.toContain("Admin.Remove");
  expect(called).not.toContain("Admin.Create");
});

test("with --writes, calls no method that a filter excludes", async () => {
  const { called } = await callsOf(filtered, ...excluded, "--writes");
  expect(called.filter((each) => each.startsWith("Admin."))).toEqual([]);
  expect(called).toContain("Books.Add");
});

test("shows what was not sent as skipped in JUnit reports", async () => {
  const { stdout } = await callsOf(filtered, ...excluded, "--format", "junit");
  expect(stdout).toMatch(
    /name="routes and verbs">\s+<(?:skipped message="|system-out>)other HTTP methods were not sent/u,
  );
});
