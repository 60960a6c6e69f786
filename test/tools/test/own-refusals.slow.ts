import { createServer, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";
import { listenForTest } from "../../support/listen-for-test.js";

/** What `ridl import` writes for an app of FastAPI. */
const contract = `webrpc = v1
name = shop
version = v1.0.0

error 1422 UnprocessableEntity "validation error" HTTP 422
error 1404 NotFound            "not found"        HTTP 404

struct Invalid
  - detail?: []Problem

struct Problem
  - loc: []string
  - msg: string
    + error = message

struct Message
  - detail: string

type ErrorBody: Invalid
  + errorBody = application/json

type NotFoundData: Message
  + dataOf = NotFound

struct ListRequest
  - limit?: int
    + minimum = 1
    + maximum = 100
  - page?: int
    + minimum = 1
    + maximum = 50
  - kind?: string
    + enum = paper|audio
  - size?: int
    + minimum = 1
    + maximum = 9

struct ListResponse
  - books: []Book

struct Book
  - isbn: string

service Books
  @get:"/books?limit&page&kind&size" @body:books
  - List(ListRequest) => (ListResponse) errors UnprocessableEntity
  @get:"/books/{isbn}" @body:book
  - Get(isbn: string) => (book: Book) errors NotFound | UnprocessableEntity
`;

type Answer = readonly [status: number, body: unknown];

/** Answers as the router and the validation of FastAPI do. */
function answer({ method, url }: IncomingMessage, maximum: number): Answer {
  const { pathname, searchParams } = new URL(url ?? "", "http://localhost");
  if (!/^\/books(?:\/[^/]+)?$/u.test(pathname)) {
    return [404, { detail: "Not Found" }];
  }
  if (method !== "GET") return [405, { detail: "Method Not Allowed" }];
  if (pathname !== "/books") return [404, { detail: "no such book" }];
  const limits = { limit: maximum, page: 50, size: 9 };
  const wrong = Object.entries(limits).filter(([name, limit]) => {
    const text = searchParams.get(name);
    const value = /^-?\d+$/u.test(text ?? "1") ? Number(text ?? 1) : 0;
    return value < 1 || value > limit;
  });
  const kind = searchParams.get("kind") ?? "paper";
  if (!["audio", "paper"].includes(kind)) wrong.push(["kind", 0]);
  const problems = wrong.map(([name]) => ({
    loc: ["query", name],
    msg: `${name} is ${searchParams.get(name)}`,
  }));
  return wrong.length > 0 ? [422, { detail: problems }] : [200, []];
}

async function testServer(maximum: number, change = (each: Answer) => each) {
  const server = createServer((request, response) => {
    const [status, body] = change(answer(request, maximum));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { url } = await listenForTest(server);
  const sandbox = createSandbox({
    "shop.ridl": contract,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
  });
  const flags = ["--seed", "1", "--runs", "20", "--max-time", "1000"];
  const { exitCode, stdout } = await sandbox.run(["test", url, ...flags]);
  const received = stdout.match(/^[A-Z]\w+\.\w+, .*|(?<=received: ).*/gmu);
  return { exitCode, received: received ?? [], stdout };
}

test("accepts how a framework refuses requests", async () => {
  const { exitCode, received } = await testServer(100);
  expect({ exitCode, received }).toEqual({ exitCode: 0, received: [] });
});

test("finds a limit that the server does not check", async () => {
  const { received } = await testServer(1000);
  expect(received).toEqual(["Books.List, limits: `limit` is 101", "200 []"]);
});

test("reports a body that all errors have once", async () => {
  const { received, stdout } = await testServer(1000, ([status, body]) =>
    status === 422
      ? [status, { detail: `a text, ${Math.random()}` }]
      : [status, body],
  );
  const [first, body, ...others] = received;
  expect(first).toMatch(/^Books\.List, limits: /u);
  expect(body).toMatch(/^422 .*, where data: detail: expected a list, got /u);
  expect(others).toEqual(["Books.List, limits: `limit` is 101", "200 []"]);
  expect(stdout).toMatch(/the same failure in \d+ other cases:\n/u);
  expect(stdout).toContain(" 2 failures, ");
});

test("tells that a check stopped after too many failures", async () => {
  let count = 0;
  const { stdout } = await testServer(100, ([status, body]) =>
    status === 422 ? [422 + (count++ % 70) + 78, body] : [status, body],
  );
  expect(stdout).toMatch(
    /^note: Books\.List, limits: stopped after 10 failures, so \d+ cases were not tried$/mu,
  );
});
