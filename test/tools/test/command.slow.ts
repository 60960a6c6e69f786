import { expect, onTestFinished, test, vi } from "vitest";
import { drawSome } from "../../support/draw-some.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { shop } from "./shop.js";
import { brief, project, startShop } from "./start-shop.js";

const twoHosts = {
  "shop.ridl": shop,
  "stock.ridl": `webrpc = v1
name = stock
version = v1.0.0

error 9 StockLocked "the stock is locked" HTTP 409

service Stock
  @readonly
  - Ping() => ()
`,
  "ridl.config.yaml": "schema: [shop.ridl, stock.ridl]\n",
};

test("rejects another host's error, even from a method that lists no errors", async () => {
  const locked = { error: "StockLocked", code: 9, msg: "", status: 409 };
  const url = await startShop({
    wrap: async (request, handle) => {
      const answer = await handle(request);
      return answer.ok ? Response.json(locked, { status: 409 }) : answer;
    },
  });
  const { exitCode, stdout } = await createSandbox(twoHosts).run([
    ...["test", url, "--method", "Shop.Watch", ...brief],
  ]);
  expect(stdout).toContain("received: 409 StockLocked, code 9");
  expect(exitCode).toBe(1);
});

test("prints a response that does not depend on the request only once", async () => {
  const url = await startShop({
    wrap: async () => new Response("<h1>Not found</h1>", { status: 404 }),
  });
  const { exitCode, stdout } = await createSandbox(project).run([
    ...["test", url, "--method", "Shop.GetBook,Shop.MyBooks", ...brief],
  ]);
  expect(exitCode).toBe(1);
  expect(stdout.match(/received: .*/gu)).toEqual([
    "received: 404 <h1>Not found</h1>, which is not an error envelope",
  ]);
  expect(stdout).toMatch(
    /^ {2}the same failure in \d+ other cases:\n {4}Shop\.GetBook, limits: /mu,
  );
  expect(stdout).toMatch(/^2 methods, \d+ requests, 1 failure, seed 1$/mu);
});

test("tests one of two hosts that share no types", async () => {
  const sandbox = createSandbox(twoHosts);
  const url = await startShop();
  const { exitCode, stderr, stdout } = await sandbox.run([
    ...["test", url, "--address", `stock=${url}/stock`],
    ...["--method", "Shop.GetBook", ...brief],
  ]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^1 method, \d+ requests, 0 failures, seed 1$/mu);
  expect(exitCode).toBe(0);
});

const selections = [
  [["--method", "Shop.GetBook,Shop.M*"]],
  [["--method", "Shop.GetBook", "--method", "Shop.M*"]],
];

test.each(drawSome(selections, 2, 1))(
  "tests the methods that %j selects",
  async (selected) => {
    const sandbox = createSandbox(project);
    const url = await startShop();
    const command = ["test", url, "--format", "json", "--runs", "0"];
    const { stdout } = await sandbox.run([...command, ...selected]);
    const { methods } = JSON.parse(stdout);
    expect(methods.map(({ method }: { method: string }) => method)).toEqual([
      "Shop.GetBook",
      "Shop.MyBooks",
    ]);
  },
);

test("skips requests after the time limit, and fails", async () => {
  const sandbox = createSandbox(project);
  const { exitCode, stdout } = await sandbox.run([
    ...["test", await startShop(), "--method", "Shop.GetBook"],
    ...["--max-time", "0.000001", "--format", "junit"],
  ]);
  expect(stdout).toContain(
    '<skipped message="not all requests were sent in time; increase `--max-time`"/>',
  );
  expect(exitCode).toBe(2);
});

test("fails if time runs out after successes", async () => {
  const now = performance.now.bind(performance);
  let isLate = false;
  const clock = vi
    .spyOn(performance, "now")
    .mockImplementation(() => now() + (isLate ? 2_000_000 : 0));
  onTestFinished(() => clock.mockRestore());
  const url = await startShop({
    wrap: async (request, handle) => {
      const answer = await handle(request);
      isLate ||= answer.ok && request.url.includes("/GetBook");
      return answer;
    },
  });
  const sandbox = createSandbox(project);
  const { exitCode, stdout } = await sandbox.run([
    ...["test", url, "--method", "Shop.GetBook", ...brief],
    ...["--value", "isbn=9780262510875"],
  ]);
  expect(stdout).toContain("note: not all requests were sent in time; ");
  expect(stdout).toContain(" 0 failures, ");
  expect(exitCode).toBe(2);
});

const busyServers = [
  ["is too busy", 429, "WebrpcRequestFailed", -1],
  ["is not available", 503, "WebrpcRequestFailed", -1],
] as const;

test.each(drawSome(busyServers, 2))(
  "a server that %s is not tested, which is no success",
  async (...server) => {
    const [, status, error, code] = server;
    const envelope = { error, code, msg: "", status };
    const url = await startShop({
      wrap: async () => Response.json(envelope, { status }),
    });
    const sandbox = createSandbox(project);
    const args = ["test", url, "--method", "Shop.GetBook", ...brief];
    const { exitCode, stdout } = await sandbox.run(args);
    expect(stdout).toContain(
      "note: not tested, because the server was too busy or answered each valid message with `WebrpcEndpoint`: Shop.GetBook\n",
    );
    expect(stdout).toContain(" 0 failures, ");
    expect(exitCode).toBe(2);
    const junit = await sandbox.run([...args, "--format", "junit"]);
    expect(junit.stdout).not.toMatch(/<testcase [^>]*\/>/u);
    expect(junit.stdout).toContain(
      '<skipped message="the server never did the method\'s work"/>',
    );
  },
);

test("a server that only returns WebrpcEndpoint is not tested", async () => {
  const endpoint = { error: "WebrpcEndpoint", code: 0, msg: "", status: 400 };
  const url = await startShop({
    wrap: async (request, handle) => {
      const answer = await handle(request);
      const isOwn = answer.ok || answer.status === 404;
      const { error } = await answer.clone().json();
      return isOwn && error !== "WebrpcBadRoute"
        ? Response.json(endpoint, { status: 400 })
        : answer;
    },
  });
  const { exitCode, stdout } = await createSandbox(project).run([
    ...["test", url, "--method", "Shop.GetBook", ...brief],
  ]);
  expect(stdout).toContain(" 0 failures, ");
  expect(exitCode).toBe(2);
});

test("prints an error that a method repeats only once", async () => {
  const error = {
    error: "WebrpcInternalError",
    code: -7,
    msg: "",
    status: 500,
  };
  const url = await startShop({
    wrap: async (request, handle) => {
      const answer = await handle(request);
      return answer.ok ? Response.json(error, { status: 500 }) : answer;
    },
  });
  const { exitCode, stdout } = await createSandbox(project).run([
    ...["test", url, "--method", "Shop.GetBook", ...brief],
  ]);
  expect(exitCode).toBe(1);
  expect(stdout.match(/received: .*/gu)).toEqual([
    "received: 500 WebrpcInternalError, code -7 ()",
  ]);
  expect(stdout).toMatch(
    /the same failure in \d+ other cases:\n {4}Shop\.GetBook, odd requests: /mu,
  );
});

test("requires a credential's scheme in --header, and rejects it in a variable", async () => {
  const ridl = shop.replace("header = X-Key", "$&\n  + scheme = Bearer");
  const sandbox = createSandbox({ ...project, "shop.ridl": ridl });
  const command = ["test", "http://127.0.0.1:1"];
  const header = await sandbox.run([...command, "--header", "X-Key: secret"]);
  expect(header.stderr)
    .toBe(`error: the value of \`X-Key\` does not begin with \`Bearer\`
  = help: write it as \`X-Key: Bearer …\`
`);
  const variable = await sandbox.run(command, {
    environment: { RIDL_X_KEY: "bearer secret" },
  });
  expect(variable.stderr)
    .toBe(`error: the value of \`RIDL_X_KEY\` begins with \`Bearer\`
  = help: remove the scheme, because the contract defines it
`);
  expect([header.exitCode, variable.exitCode]).toEqual([2, 2]);
});

test("does not suggest --writes for webhooks", async () => {
  const ridl = `webrpc = v1
name = hooks
version = v1.0.0

service Hooks
  @webhook
  - Sent() => ()
`;
  const sandbox = createSandbox({ "hooks.ridl": ridl });
  const args = ["test", "http://127.0.0.1:1", "hooks.ridl", "--writes"];
  expect((await sandbox.run(args)).stderr)
    .toBe(`error: there is no method to test
  = help: webhooks and streams of requests are not tested
`);
});

test("warns about values for unknown fields and parameters", async () => {
  const sandbox = createSandbox(project);
  const { stderr } = await sandbox.run([
    ...["test", "http://127.0.0.1:1"],
    ...["--value", "isbm=1", "--value", "title=a", "--parameter", "page=2"],
  ]);
  expect(stderr).toContain(
    "warning: `--value` names `isbm`, which is not a field of any request\n  = help: did you mean `isbn`?\n",
  );
  expect(stderr).toContain(
    "warning: `--parameter` names `page`, which is not a parameter of any base path\n",
  );
  expect(stderr).not.toContain("title");
});

test.each([
  [
    ["localhost:8080"],
    "the address of host `shop` is not the base address of a server",
  ],
  [["http://127.0.0.1:1"], "`http://127.0.0.1:1`: no response: "],
  [
    ["http://127.0.0.1:1", "--method", "Shop.GetBook,Nothing"],
    "`--method Nothing` selects no method",
  ],
  [
    ["http://127.0.0.1:1", "--header", "X"],
    "`--header X` is not a name and a value",
  ],
  [
    ["http://127.0.0.1:1", "--header", "X: ☃"],
    "`--header X` cannot be sent as a header",
  ],
  [["http://127.0.0.1:1", "--address", "a=http://b"], "no host `a`"],
  [["http://{network}.example"], "add `--parameter network=value`"],
  [
    ["http://127.0.0.1:1", "--value", "x"],
    "`--value x` is not a name and a value",
  ],
  [
    ["http://127.0.0.1:1", "--runs", "-1"],
    "It must be 0 or a positive whole number.",
  ],
  [["http://127.0.0.1:1", "--timeout", "0"], "It must be a positive number."],
  [[], "missing required argument 'url'"],
])("%j exits with code 2 and reports the problem", async (args, text) => {
  const sandbox = createSandbox(project);
  const { exitCode, stderr, stdout } = await sandbox.run(["test", ...args]);
  expect(stderr).toContain(text);
  expect(stdout).toBe("");
  expect(exitCode).toBe(2);
});
