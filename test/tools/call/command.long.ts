import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type {
  CommandOptions,
  CommandResult,
  Sandbox,
} from "../../cli/support/sandbox.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { startMock } from "../../cli/support/start-mock.js";
import { listenForTest } from "../../support/listen-for-test.js";

const schema = `webrpc = v1
name = shop
version = v1.0.0
basepath = "/{tenant}/rpc"

type Key: string
  + header = X-Key
  + scheme = Bearer
  + error = Unauthorized

error 1401 Unauthorized "who are you?" HTTP 401
error 1404 BookNotFound "no such book" HTTP 404

enum Cover: string
  - hard
  - soft

struct Book
  - id: uint64
  - title: string
  - cover?: Cover
  - tags: []string
  - notes?: map<string,any>

service Shop
  # Finds a book.
  - GetBook(id: uint64, cover?: Cover) => (book: Book) errors BookNotFound
  @auth:"X-Key"
  - AddBook(book: Book) => (book: Book)
  - Upload(title: string, cover: file, pages?: []file) => (bytes: uint32)
  - Download(title: string) => (cover: file)
  - Watch(to: uint32) => stream (n: uint32)
  @get:"/books/{ids}"
  - Read(ids: []uint32) => (count: uint32)

service Storage
  - GetBook() => ()

service Hook
  @webhook
  - Notify(text: string)
`;

const files = {
  "shop.ridl": schema,
  "ridl.config.yaml": "schema: [shop.ridl]\n",
};

const tenant = ["--parameter", "tenant=acme"];

/** What a server received. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A response: its status, content type and body. */
type Response = readonly [status: number, type: string, body: string | Buffer];

/** Starts a server that always gives the same response. */
async function startServer([status, type, body]: Response): Promise<{
  url: string;
  received: Received[];
}> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { headers, method = "", url: path = "" } = request;
    const text = Buffer.concat(chunks).toString("latin1");
    received.push({ method, path, headers, body: text });
    response.writeHead(status, { "content-type": type });
    response.end(body);
  });
  const { url } = await listenForTest(server);
  return { url, received };
}

const json = "application/json";

function run(
  args: readonly string[],
  options: CommandOptions = {},
  sandbox: Sandbox = createSandbox(files),
): Promise<CommandResult> {
  const untilInterrupted = () => new Promise<void>(() => {});
  return sandbox.run(["call", ...args], { untilInterrupted, ...options });
}

test("calls a generated server, which accepts the request", async () => {
  const { url } = await startMock(["--seed", "a"], { "shop.ridl": schema });
  const result = await run(["Shop/GetBook", "id=7", "--check", ...tenant], {
    environment: { RIDL_URL: url },
  });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(result.stdout)).toMatchObject({
    book: { title: expect.any(String), tags: expect.any(Array) },
  });
  const watched = await run(["Watch", "to=3", "--url", url, ...tenant]);
  const lines = watched.stdout.trim().split("\n");
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(JSON.parse(line)).toEqual({ n: expect.any(Number) });
  }
});

test("sends fields by their types, and the same as JSON", async () => {
  const { received, url } = await startServer([200, json, '{"book":{}}']);
  const flags = ["--url", url, "--header", "X-Key: Bearer k", ...tenant];
  const expected = {
    book: { id: 18446744073709551615n, title: "5", tags: ["a", "1"] },
  };
  const body = `{"book":{"id":${expected.book.id},"title":"5","tags":["a","1"]}}`;
  const sandbox = createSandbox({
    ...files,
    "body.json": body,
    "title.txt": "5",
  });
  for (const words of [
    [
      "book.id=18446744073709551615",
      "book.title=5",
      "book.tags=a",
      "book.tags=1",
    ],
    [
      "book.id=18446744073709551615",
      "book.title=@title.txt",
      'book.tags:=["a","1"]',
    ],
    [`book=${body.slice(8, -1)}`],
    [body],
    ["@body.json"],
    ["-"],
  ]) {
    const { exitCode, stderr } = await run(
      ["Shop.AddBook", ...words, ...flags],
      { input: body },
      sandbox,
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(received.at(-1)).toMatchObject({
      method: "POST",
      path: "/acme/rpc/Shop/AddBook",
      body,
      headers: { "x-key": "Bearer k" },
    });
  }
});

test("reads credentials from the environment and never prints them", async () => {
  const { received, url } = await startServer([
    401,
    json,
    '{"error":"Unauthorized","code":1401,"msg":"who are you?","cause":"\\u001b[31m","status":401}',
  ]);
  const words = ["AddBook", 'book={"id":1,"title":"","tags":[]}', ...tenant];
  const environment = { RIDL_X_KEY: "s3cret", RIDL_URL: url };
  const result = await run(words, { environment });
  expect(received.at(-1)?.headers["x-key"]).toBe("Bearer s3cret");
  expect(result).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      "error: Unauthorized: who are you?\n  = code: 1401, HTTP status: 401\n  = cause: \\u001b[31m\n",
  });
  const asJson = await run([...words, "--format", "json"], { environment });
  expect(asJson.exitCode).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    error: "Unauthorized",
    code: 1401,
  });
  const missing = await run([...words, "--url", url]);
  expect(missing.stderr).toContain(
    "warning: `RIDL_X_KEY` is not set, but `Shop/AddBook` requires it",
  );
  const curl = await run([...words, "--curl", "--header", "X-Trace: hidden"], {
    environment,
  });
  expect(curl.stdout).toBe(String.raw`curl '${url}/acme/rpc/Shop/AddBook' \
  -H "x-key: Bearer $RIDL_X_KEY" \
  -H "x-trace: $RIDL_X_TRACE" \
  -H 'content-type: application/json' \
  --data-raw '{"book":{"id":1,"title":"","tags":[]}}'
`);
});

test("uploads and downloads files", async () => {
  const content = Buffer.from([0, 255, 254, 10]);
  const { received, url } = await startServer([200, json, '{"bytes":4}']);
  const sandbox = createSandbox(files);
  writeFileSync(join(sandbox.root, 'a";.bin'), content);
  const words = [
    "title=it's",
    'cover=@a";.bin',
    'pages=a";.bin;type=image/png',
  ];
  const flags = ["--url", url, ...tenant];
  const upload = await run(["Upload", ...words, ...flags], {}, sandbox);
  expect(upload).toEqual({
    exitCode: 0,
    stdout: '{\n  "bytes": 4\n}\n',
    stderr: "",
  });
  const { body = "" } = received[0] ?? {};
  expect(body).toContain('{"title":"it\'s"}');
  expect(body.split(content.toString("latin1"))).toHaveLength(3);
  expect(body).toContain("image/png");
  const curl = await run(["Upload", ...words, ...flags, "--curl"], {}, sandbox);
  expect(curl.stdout).toContain(String.raw`-F 'cover=@"a\";.bin"'`);
  expect(curl.stdout).toContain(
    String.raw`-F 'pages=@"a\";.bin";type=image/png'`,
  );
  expect(curl.stdout).toContain(String.raw`'json={"title":"it'\''s"}'`);

  const source = await startServer([200, "image/png", content]);
  const download = ["Download", "title=x", "--url", source.url, ...tenant];
  const saved = await run([...download, "--output", "a/b.png"], {}, sandbox);
  expect(saved).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(sandbox.root, "a/b.png"))).toEqual(content);
  const shown = await run(download, { isTerminal: true }, sandbox);
  expect(shown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(shown.stderr).toContain("add `--output <file>`");
});

test.each<[string, Response, number, string]>([
  [
    "a page",
    [502, "text/html", "<p>\u202e"],
    3,
    "is invalid (HTTP status 502)",
  ],
  ["a redirect", [302, json, ""], 3, "is invalid (HTTP status 302)"],
  [
    "deep JSON",
    [200, json, "[".repeat(1e5)],
    3,
    "is invalid (HTTP status 200)",
  ],
  [
    "an invalid book",
    [200, json, '{"book":{"id":"x"}}'],
    3,
    "violates the contract: book.id: expected",
  ],
])("explains %s", async (_, response, code, message) => {
  const { url } = await startServer(response);
  const words = ["Shop/GetBook", "id=1", "--check", "--url", url, ...tenant];
  const { exitCode, stderr } = await run(words);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("\u202e");
  expect(exitCode).toBe(code);
});

test("explains that no server answers", async () => {
  const words = ["Read", "ids=1", "--url", "http://127.0.0.1:1"];
  const { exitCode, stderr } = await run(words);
  expect(stderr).toMatch(
    /^error: no response from `http:\/\/127.0.0.1:1`\n {2}= cause: .*(?:ECONNREFUSED|bad port)/u,
  );
  expect(exitCode).toBe(3);
});

test.each([
  [["GetBok"], "did you mean `GetBook`?"],
  [["Shop/Reed"], "did you mean `Shop/Read`?"],
  [["Shop/Nothing"], "the methods are: `Shop/GetBook`, "],
  [["GetBook"], "write one of `Shop/GetBook`, `Storage/GetBook`"],
  [["Notify"], "it is a webhook, which the server sends"],
  [["Read", "id=1"], "did you mean `ids`?"],
  [["Read", "ids"], "`ids` is not a field"],
  [["Read", "[1]"], "the request is not a JSON object"],
  [["Read", "{"], "the request is not valid JSON"],
  [["Read", "@none.json"], "there is no file `none.json`"],
  [["Read", "ids:=x"], "the value of `ids` is not valid JSON"],
  [
    ["Read", "ids=x"],
    "the request is invalid: ids[0]: expected an unsigned 32-bit integer",
  ],
  [["Read", "ids:=[]"], "the request is invalid: parameter ids is missing"],
  [["Watch"], "the request is invalid: to: expected"],
  [["AddBook", '{"book":{"titel":"x"}}'], "there is no field `book.titel`"],
  [["AddBook", "book.titel=x"], "did you mean `title`?"],
  [["Upload", "title=x", "cover=@none.png"], "there is no file `none.png`"],
  [["Upload", "title=x", "cover:=5"], "`cover` is not the path of a file"],
  [["Read", "ids=1", "--header", "X Y: 1"], "`--header X Y` cannot be sent"],
  [["Read", "ids=1", "--timeout", "0"], "It must be a positive number."],
])("rejects %j before a request is sent", async (words, message) => {
  const { received, url } = await startServer([200, json, "{}"]);
  const { exitCode, stderr, stdout } = await run([
    ...words,
    "--url",
    url,
    ...tenant,
  ]);
  expect(stderr).toContain(message);
  expect([exitCode, stdout, received]).toEqual([2, "", []]);
});

test("requires an address and its parameters", async () => {
  const without = await run(["Read", "ids=1"]);
  expect(without.exitCode).toBe(2);
  expect(without.stderr).toContain("the address of the server is missing");
  const url = ["--url", "http://127.0.0.1:1"];
  const { stderr } = await run(["Watch", "to=1", ...url]);
  expect(stderr).toContain("add `--parameter tenant=value`");
});

test("lists the methods that can be called", async () => {
  const { stdout } = await run([]);
  expect(stdout.split("\n")).toEqual([
    "Shop/GetBook     Finds a book.",
    "Shop/AddBook",
    "Shop/Upload",
    "Shop/Download",
    "Shop/Watch",
    "Shop/Read",
    "Storage/GetBook",
    "",
  ]);
});

test("an interrupt ends a stream, whose items are printed as they arrive", async () => {
  const { url } = await listenForTest(
    createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"n":1}\n');
    }),
  );
  const interrupted: (() => void)[] = [];
  const result = await run(["Watch", "to=9", "--url", url, ...tenant], {
    untilInterrupted: () =>
      new Promise<void>((resolve) => interrupted.push(resolve)),
    onOutput: () => interrupted.forEach((interrupt) => interrupt()),
  });
  expect(result).toEqual({ exitCode: 130, stdout: '{"n":1}\n', stderr: "" });
});

test("prints variables for the credentials that a call needs or has", async () => {
  const alternatives = schema
    .replace(
      "error 1401",
      `type Team: string
  + header = X-Team
  + error = Unauthorized
type Session: string
  + cookie = sid
  + error = Unauthorized

error 1401`,
    )
    .replace(
      "service Storage\n",
      `service Storage
  @auth:"X-Key,X-Team|Cookie:sid|none"
  - Count() => ()
  @auth:"X-Key,X-Team|Cookie:sid"
  - Clear() => ()
`,
    );
  const sandbox = createSandbox({ ...files, "shop.ridl": alternatives });
  const flagsOf = async (
    method: string,
    environment: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<readonly string[]> => {
    const words = [method, "--curl", "--url", "http://a", ...tenant, ...more];
    const { stdout } = await run(words, { environment }, sandbox);
    return Array.from(stdout.matchAll(/-H "(.*)"/gu), ([, flag = ""]) => flag);
  };
  const both = ["x-key: Bearer $RIDL_X_KEY", "x-team: $RIDL_X_TEAM"];
  const cookie = ["cookie: sid=$RIDL_SID"];
  expect(await flagsOf("Count", {})).toEqual([]);
  expect(await flagsOf("Count", { RIDL_SID: "s" })).toEqual(cookie);
  expect(await flagsOf("Count", { RIDL_X_KEY: "k" })).toEqual(both);
  expect(await flagsOf("Count", {}, "--header", "X-Team: t")).toEqual(both);
  expect(await flagsOf("Clear", {})).toEqual(both);
  expect(await flagsOf("Clear", { RIDL_SID: "s" })).toEqual(cookie);
});
