import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createNodeSystem } from "../../../generator/cli/node/node-system.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { type Bug, serve, shop } from "./shop.js";

/** Serves the shop at a port of this machine. Output: its address. */
async function start(bug: Bug = {}): Promise<string> {
  const answer = await serve(bug);
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, method = "GET", url = "/" } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const result = await answer(`http://shop.example${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [
        name,
        String(value),
      ]),
      ...(hasBody && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(result.status, Object.fromEntries(result.headers));
    response.end(Buffer.from(await result.arrayBuffer()));
  });
  return (await listenForTest(server)).url;
}

const project = {
  "shop.ridl": shop,
  "ridl.config.yaml": "schema: [shop.ridl]\n",
};

/** Short, and with as much time as a busy machine needs. */
const brief = ["--seed", "1", "--runs", "2", "--max-time", "1000"];

test("tests reads only, unless it may write", async () => {
  const sandbox = createSandbox(project);
  const url = await start();
  const read = await sandbox.run(["test", url, ...brief]);
  expect(read.stderr).toBe("");
  expect(read).toMatchObject({ exitCode: 0 });
  expect(read.stdout).toContain(
    "note: not called, because each may change data: Shop.AddBook, Shop.Upload; `--writes` calls them, too",
  );
  expect(read.stdout).toContain("because `X-Key` is not given: Shop.MyBooks;");
  expect(read.stdout).toMatch(
    /^6 methods, \d+ requests, 0 failures, seed 1$/mu,
  );
  const written = await sandbox.run(
    ["test", url, "--writes", "--method", "Shop.*Book*", ...brief],
    { environment: { RIDL_X_KEY: "good" } },
  );
  expect(written.stdout).toMatch(/^4 methods, \d+ requests, 0 failures, /u);
});

const rounded: Bug = {
  contract: (ridl) => ridl.replace("maxLength = 20", "maxLength = 21"),
};

test("prints a failure with the command that repeats it", async () => {
  const sandbox = createSandbox(project);
  const url = await start(rounded);
  const flags = [
    "--method",
    "Shop.Echo",
    "--header",
    "X-Key: secret",
    ...brief,
  ];
  const { exitCode, stdout } = await sandbox.run(["test", url, ...flags]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`Shop.Echo, limits: \`book.title\` of 21 characters
  expected: 400 InvalidArgument (book.title: expected a string of at most 20 characters, got "aaaaaaaaaaaaaaaaaaaaa")
  received: 200 {`);
  expect(stdout).toContain(`    curl '${url}/rpc/Shop/Echo' \\
      -H "x-key: $RIDL_X_KEY" \\
      -H 'content-type: application/json' \\
      --data-raw '{"book":`);
  expect(stdout).not.toContain("secret");
  const again = /repeat: ridl (test .*)$/mu.exec(stdout)?.[1] ?? "";
  const args = again.replaceAll('"', "").replace("X-Key: ", "X-Key:");
  const repeated = await sandbox.run(args.split(" "));
  expect(repeated.stdout).toContain("`book.title` of 21 characters");
});

test("reports as JSON and JUnit", async () => {
  const sandbox = createSandbox(project);
  const url = await start(rounded);
  const flags = ["--method", "Shop.Echo", ...brief];
  const json = await sandbox.run(["test", url, "--format", "json", ...flags]);
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    failures: 1,
    seed: 1,
    methods: [
      {
        method: "Shop.Echo",
        answers: { success: expect.any(Number) },
        checks: [
          { name: "valid messages", requests: 2, failures: [] },
          { name: "limits", failures: [{ kind: "accepted" }] },
          { name: "malformed bodies" },
          { name: "content types" },
          { name: "routes and verbs" },
        ],
      },
    ],
  });
  const junit = await sandbox.run(["test", url, "--format", "junit", ...flags]);
  expect(junit.stdout).toContain(
    '<testsuite name="Shop.Echo" tests="5" failures="1">',
  );
  expect(junit.stdout).toContain(
    '<testcase classname="Shop.Echo" name="valid messages"/>',
  );
  expect(junit.stdout).toContain(
    '<failure type="accepted" message="Shop.Echo, limits: `book.title` of 21 characters">expected: 400 InvalidArgument (book.title: expected a string of at most 20 characters, got &quot;',
  );
});

test("sends nothing after its time", async () => {
  const sandbox = createSandbox(project);
  const url = await start();
  const { stdout } = await sandbox.run(["test", url, "--max-time", "0.000001"]);
  expect(stdout).toContain("note: not all requests were sent in time");
  expect(stdout).toContain(" methods, 0 requests, 0 failures, ");
});

test.each([
  [["localhost:8080"], "`localhost:8080` is no address of a server"],
  [["http://127.0.0.1:1"], "`http://127.0.0.1:1`: no answer: "],
  [["http://127.0.0.1:1", "--method", "Nothing"], "no method is left"],
  [["http://127.0.0.1:1", "--header", "X"], "`--header` has no name and value"],
  [["http://127.0.0.1:1", "--header", "X: ☃"], "`x` cannot be sent"],
  [["http://127.0.0.1:1", "--address", "a=http://b"], "no host `a`"],
  [["http://{network}.example"], "add `--parameter network=…`"],
  [["http://127.0.0.1:1", "--value", "x"], "`--value x` is no pair"],
  [["http://127.0.0.1:1", "--runs", "-1"], "It has to be a whole number."],
  [["http://127.0.0.1:1", "--timeout", "0"], "It has to be a positive number."],
  [[], "missing required argument 'url'"],
])("%j: exit code 2 and what to do", async (args, text) => {
  const sandbox = createSandbox(project);
  const { exitCode, stderr, stdout } = await sandbox.run(["test", ...args]);
  expect(stderr).toContain(text);
  expect(stdout).toBe("");
  expect(exitCode).toBe(2);
});

test("removes what it generates", async () => {
  const folders: string[] = [];
  const { removeFolder } = createNodeSystem();
  const sandbox = createSandbox(project);
  await sandbox.run(["test", await start(), "--method", "Shop.GetBook"], {
    patch: () => ({
      removeFolder: (path) => {
        folders.push(path);
        removeFolder(path);
      },
    }),
  });
  expect(folders).toHaveLength(1);
});
