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

function testServer(maximum: number, change = (each: Answer) => each) {
  return testAnswers((request) => change(answer(request, maximum)));
}

async function testAnswers(
  answerTo: (request: IncomingMessage) => Answer,
  text = contract,
  ...given: readonly string[]
) {
  const server = createServer((request, response) => {
    const [status, body] = answerTo(request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { url } = await listenForTest(server);
  const sandbox = createSandbox({
    "shop.ridl": text,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
  });
  const flags = ["--seed", "1", "--runs", "20", "--max-time", "1000"];
  const { exitCode, stdout } = await sandbox.run([
    "test",
    url,
    ...flags,
    ...given,
  ]);
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

/** The same app if its document declares credentials. */
const guarded = `${contract
  .replace(
    "struct Invalid",
    `error 1401 Unauthorized "unauthorized" HTTP 401
error 1403 Forbidden "forbidden" HTTP 403

type Token: string
  + header = Authorization
  + scheme = Bearer
  + error = Unauthorized

type UnauthorizedData: Message
  + dataOf = Unauthorized

type ForbiddenData: Message
  + dataOf = Forbidden

struct Invalid`,
  )
  .replaceAll("@get", '@auth:"Authorization" @get')
  .replaceAll(
    "UnprocessableEntity\n  @",
    "UnprocessableEntity | Unauthorized | Forbidden\n  @",
  )
  .replace(
    "NotFound | Unpro",
    "Forbidden | Unauthorized | NotFound | Unpro",
  )}  @auth:"Authorization" @get:"/me"
  - Me() => (name: string) errors Unauthorized | Forbidden
`;

const isGood = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === "Bearer good";

function guard(request: IncomingMessage, status = 401): Answer {
  if (!isGood(request)) return [status, { detail: "who are you?" }];
  if (/^\/me(?:\?|$)/u.test(request.url ?? "")) {
    const isGet = request.method === "GET";
    return isGet ? [200, { name: "Ada" }] : [405, { detail: "no" }];
  }
  return answer(request, 100);
}

const expired = ["--header", "Authorization: Bearer expired"];

test("accepts a guard that runs before the validation", async () => {
  const token = ["--header", "Authorization: Bearer good"];
  const { exitCode, stdout } = await testAnswers(guard, guarded, ...token);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
});

test.each([401, 403])("finds a refused credential by %i", async (status) => {
  const { exitCode, stdout } = await testAnswers(
    (request) => guard(request, status),
    guarded,
    ...expired,
  );
  expect(exitCode, stdout).toBe(1);
  expect(stdout).toContain(
    "note: the server rejects the given value of `Authorization`, so these methods were barely tested: Books.List, Books.Get, Books.Me; check the value",
  );
  expect(stdout).toMatch(
    /^Books\.Me, valid messages\n {2}expected: a response for a caller with the given credentials\n {2}received: 40[13] /mu,
  );
  expect(stdout).toContain(", 3 failures, ");
});

test("accepts a guard that refuses callers depending on the ID", async () => {
  const token = ["--header", "Authorization: Bearer good"];
  const { exitCode, received, stdout } = await testAnswers(
    (request) =>
      isGood(request) && request.url?.startsWith("/books")
        ? [403, { detail: "not yours" }]
        : guard(request),
    guarded,
    ...token,
  );
  expect({ exitCode, received }).toEqual({ exitCode: 0, received: [] });
  expect(stdout).toMatch(/same error: Books\.List \(\d+\)/u);
});

test("tells that every ID was unknown", async () => {
  const { exitCode, stdout } = await testAnswers(
    () => [404, { detail: "no such book" }],
    contract.replaceAll("errors UnprocessableEntity", "errors NotFound"),
  );
  expect(exitCode, stdout).toBe(2);
  expect(stdout).toMatch(
    /^note: these invalid requests were not tested, .* same error: Books\.List \(\d+\); /mu,
  );
});

test("finds a stack trace in the response for an unknown route", async () => {
  const answerTo = (request: IncomingMessage): Answer => {
    const [status, body] = answer(request, 100);
    return status === 405
      ? [405, { detail: "Error: no\n    at route (app.js:1:2)" }]
      : [status, body];
  };
  const { received } = await testAnswers(answerTo, contract, "--writes");
  expect(received).toContain("405, with a stack trace");
});
