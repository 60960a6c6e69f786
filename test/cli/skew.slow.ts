import { expect, test } from "vitest";
import { commit, git, makeRepository } from "./support/repository.js";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const config = "schema: [shop.ridl]\nskew: {}\n";

function shop(version: string, order: string, methods = ""): string {
  return `webrpc = v1
name = shop
version = ${version}

struct Order
  - isbn: string
${order}
service Shop
  - Put(order: Order) => (id: uint32)
${methods}`;
}

const first = shop("v1.3.0", "", "  - Find(word: string) => (count: uint32)\n");
const second = shop("v1.4.0", "  - total?: uint32\n");
const third = shop("v1.10.0", "  - total: uint32\n");

/** Creates a repository with two tagged releases and a newer contract. */
function createReleases(): Sandbox {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "shop.ridl": first,
  });
  makeRepository(sandbox);
  git(sandbox, "tag", "v1.3.0");
  sandbox.write({ "shop.ridl": second });
  commit(sandbox);
  git(sandbox, "tag", "v1.4.0");
  git(sandbox, "tag", "other");
  sandbox.write({ "shop.ridl": third });
  return sandbox;
}

function historyIn(sandbox: Sandbox) {
  return JSON.parse(sandbox.read("ridl.history.json") ?? "").hosts.shop;
}

function withOtherDigests(history: string | null): string {
  return (history ?? "").replaceAll(/(?<="digest": ")/gu, "-");
}

test("records the changes since each tag, and the version that brought them", async () => {
  const sandbox = createReleases();
  const { exitCode, stdout } = await sandbox.run(["breaking", "--record"]);
  expect(stdout).toBe("wrote ridl.history.json: compared with 2 releases\n");
  expect(exitCode).toBe(0);
  const total = {
    isCertain: true,
    side: "request",
    places: [{ at: "order.total" }],
    since: "v1.10.0",
  };
  expect(historyIn(sandbox)).toMatchObject({
    version: "v1.10.0",
    past: [
      {
        version: "v1.3.0",
        methods: {
          "Shop.Put": [
            { ...total, text: "requests require the new field `Order.total`" },
          ],
        },
        gone: [
          {
            verb: "POST",
            path: "/rpc/Shop/Find",
            text: "method `Shop.Find` was removed",
            since: "v1.4.0",
          },
        ],
      },
      {
        version: "v1.4.0",
        methods: {
          "Shop.Put": [
            { ...total, text: "requests now require `Order.total`" },
          ],
        },
        gone: [],
      },
    ],
  });
});

test("records releases in folders, without those that cannot be read", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nskew: { releases: ./old }\n",
    "shop.ridl": third,
    "old/v1.4.0/shop.ridl": second,
    "old/v1.3.0/shop.ridl": "webrpc = v1\nservice\n",
  });
  const { exitCode, stdout } = await sandbox.run(["breaking", "--record"]);
  expect(stdout).toBe(
    "left out v1.3.0: its contract cannot be read\nwrote ridl.history.json: compared with 1 release\n",
  );
  expect(exitCode).toBe(0);
  expect(historyIn(sandbox).past).toHaveLength(1);
});

test("does not lose releases of which a shallow clone has no tags", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  const before = sandbox.read("ridl.history.json");
  for (const removed of ["v1.3.0", "v1.4.0"]) {
    git(sandbox, "tag", "--delete", removed);
    const { exitCode, stderr } = await sandbox.run(["breaking", "--record"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error: `ridl\.history\.json` contains v1\.3\.0.*\n.*`git fetch --tags`/u,
    );
    expect(sandbox.read("ridl.history.json")).toBe(before);
  }
  sandbox.remove("ridl.history.json");
  const { exitCode, stdout } = await sandbox.run(["breaking", "--record"]);
  expect([exitCode, stdout]).toEqual([
    0,
    "wrote ridl.history.json: compared with 0 releases\n",
  ]);
});

test("does not lose releases that share a version with others", async () => {
  const release = (name: string, order: string) => ({
    [`old/${name}/shop.ridl`]: shop("v1", order),
  });
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nskew: { releases: ./old }\n",
    "shop.ridl": shop("v1", "  - total: uint32\n"),
    ...release("v1.0", ""),
    ...release("v1.1", "  - total?: uint32\n"),
  });
  await sandbox.run(["breaking", "--record"]);
  const before = sandbox.read("ridl.history.json");
  expect(historyIn(sandbox).past).toHaveLength(2);
  // Another version of ridlkit can have other digests.
  sandbox.write({ "ridl.history.json": withOtherDigests(before) });
  expect(await sandbox.run(["breaking", "--record"])).toMatchObject({
    exitCode: 0,
  });
  expect(sandbox.read("ridl.history.json")).toBe(before);
  sandbox.remove("old/v1.0");
  sandbox.write({ "ridl.history.json": withOtherDigests(before) });
  expect(await sandbox.run(["breaking", "--record"])).toMatchObject({
    exitCode: 2,
  });
  sandbox.write({ "ridl.history.json": before });
  const { exitCode, stderr } = await sandbox.run(["breaking", "--record"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("contains v1, but no such release can be read");
  expect(stderr).toContain("restore its folder in `./old`;");
  expect(sandbox.read("ridl.history.json")).toBe(before);
});

test("does not lose releases of a host that share a version with another host", async () => {
  const bank = (version: string) =>
    shop(version, "")
      .replace("shop", "bank")
      .replace("Shop", "Bank")
      .replaceAll("Order", "Payment");
  const sandbox = createSandbox({
    "ridl.config.yaml":
      "schema: [shop.ridl, bank.ridl]\nskew: { releases: ./old }\n",
    "shop.ridl": third,
    "bank.ridl": bank("v1.5.0"),
    "old/1/shop.ridl": first,
    "old/1/bank.ridl": bank("v1.3.0"),
    "old/2/shop.ridl": second,
    "old/2/bank.ridl": bank("v1.3.0"),
  });
  await sandbox.run(["breaking", "--record"]);
  sandbox.remove("old/1");
  const { exitCode, stderr } = await sandbox.run(["breaking", "--record"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("contains v1.3.0, but no such release can be read");
});

test("accepts another digest of a release, as of another version of ridlkit", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  const before = sandbox.read("ridl.history.json");
  sandbox.write({ "ridl.history.json": withOtherDigests(before) });
  const { exitCode } = await sandbox.run(["breaking", "--record"]);
  expect([exitCode, sandbox.read("ridl.history.json")]).toEqual([0, before]);
});

test("does not replace a history with the marks of a merge conflict", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  const text = `<<<<<<< HEAD\n${sandbox.read("ridl.history.json")}`;
  sandbox.write({ "ridl.history.json": text });
  const { exitCode, stderr } = await sandbox.run(["breaking", "--record"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^error: `ridl\.history\.json` is not a history.*\n.*`git checkout HEAD -- ridl\.history\.json`/u,
  );
  expect(sandbox.read("ridl.history.json")).toBe(text);
});

test("does not record a history if git cannot list the tags", async () => {
  const sandbox = createReleases();
  const { exitCode, stderr } = await sandbox.run(["breaking", "--record"], {
    patch: ({ runGit }) => ({
      runGit: (folder, args) =>
        args.includes("--symbolic") ? null : runGit(folder, args),
    }),
  });
  expect(exitCode).toBe(2);
  expect(stderr).toBe("error: git cannot list the tags\n");
  expect(sandbox.has("ridl.history.json")).toBe(false);
});

test("keeps only the newest 20 releases, and none that cannot be read anymore", async () => {
  const release = (minor: number) => ({
    [`old/v1.${minor}.0/shop.ridl`]: shop(
      `v1.${minor}.0`,
      `  - field${minor}?: string\n`,
    ),
  });
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nskew: { releases: ./old }\n",
    "shop.ridl": third,
    ...Object.assign({}, ...Array.from({ length: 20 }, (_, at) => release(at))),
  });
  await sandbox.run(["breaking", "--record"]);
  expect(historyIn(sandbox).past).toHaveLength(20);
  sandbox.write(release(20));
  const { exitCode } = await sandbox.run(["breaking", "--record"]);
  expect(exitCode).toBe(0);
  expect(historyIn(sandbox).past[0].version).toBe("v1.1.0");
  sandbox.write({ "old/v1.9.0/shop.ridl": "webrpc = v1\nservice\n" });
  const broken = await sandbox.run(["breaking", "--record"]);
  expect(broken.exitCode).toBe(2);
  expect(broken.stdout).toBe("left out v1.9.0: its contract cannot be read\n");
  expect(broken.stderr).toContain("contains v1.9.0, but no such release");
  expect(broken.stderr).toContain("see which releases were left out;");
});

test("generates clients that send their contract, and servers that know others", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { digest } = historyIn(sandbox);
  expect(digest).toMatch(/^[\w-]{6}$/u);
  expect(sandbox.read("generated/client.ts")).toContain(
    `const contract = "shop@v1.10.0;${digest}";`,
  );
  expect(sandbox.read("generated/server.ts")).toContain(
    "requests now require `Order.total`",
  );
  // The history is an input.
  sandbox.write({ "ridl.history.json": '{"hosts":{}}' });
  await sandbox.run(["generate"]);
  expect(sandbox.read("generated/server.ts")).not.toContain("now require");
});

test("compares a prerelease before its release", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nskew: { releases: ./old }\n",
    "shop.ridl": shop("v3", "  - total: uint32\n"),
    "old/v1.9.0/shop.ridl": shop("v1", ""),
    "old/v1.10.0-rc.2/shop.ridl": shop("v2-rc2", "  - total?: string\n"),
    "old/v1.10.0-rc.10/shop.ridl": shop("v2-rc10", "  - total?: uint64\n"),
    "old/v1.10.0/shop.ridl": shop("v2", "  - total?: uint32\n"),
  });
  await sandbox.run(["breaking", "--record"]);
  const { past } = historyIn(sandbox);
  expect(past.map(({ version }: { version: string }) => version)).toEqual([
    ...["v1", "v2-rc2", "v2-rc10", "v2"],
  ]);
});

test("has the same digest for declarations in another order", async () => {
  const text = (parts: readonly string[], methods: readonly string[]) =>
    `webrpc = v1\nname = shop\nversion = v1\n\n${parts.join("\n")}\nservice Shop\n${methods.join("")}`;
  const parts = [
    "struct Order\n  - isbn: string\n",
    "enum Kind: string\n  - Old\n  - New\n",
    'error 1 Gone "gone" HTTP 404\n',
    'error 2 Late "late" HTTP 409\n',
  ];
  const methods = [
    "  - Put(order: Order) => ()\n",
    "  - Find(kind: Kind) => ()\n",
  ];
  const [first, second] = await Promise.all(
    [text(parts, methods), text(parts.toReversed(), methods.toReversed())].map(
      async (document) => {
        const files = { "ridl.config.yaml": config, "shop.ridl": document };
        const sandbox = createSandbox(files);
        await sandbox.run(["generate"]);
        return /"shop@.*"/u.exec(
          sandbox.read("generated/server.ts") ?? "",
        )?.[0];
      },
    ),
  );
  expect(first).toMatch(/^"shop@v1;/u);
  expect(first).toBe(second);
});

test("does not use changes that were recorded for another contract", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  sandbox.write({ "shop.ridl": second });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "warning[stale-history]: `ridl.history.json` was written for another version of `shop`",
  );
  expect(sandbox.read("generated/server.ts")).toContain("past: []");
});

const oddGot =
  '{"hosts":{"shop":{"digest":"","version":"","past":[{"digest":"","version":"","gone":[],"methods":{"A.B":[{"side":"call","text":"","since":"","got":[{"toString":1}]}]}}]}}}';

const oddPlaces = [
  {},
  { at: "x" },
  { at: "x", was: { type: "file" } },
  { at: "x", was: { type: "string", patterns: ["("] } },
  { at: "x", was: { type: "integer", maximum: "much" } },
  { at: "x", was: { type: "list", items: { type: 1 } } },
].map((place) =>
  oddGot
    .replace('"call"', '"request"')
    .replace('"got":[{"toString":1}]', `"places":[${JSON.stringify(place)}]`),
);

test.each([
  ...["", "[]", '{"hosts":[]}', '{"hosts":{"shop":{"digest":1}}}', oddGot],
  ...oddPlaces,
])("rejects the history %j", async (text) => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "shop.ridl": third,
    "ridl.history.json": text,
  });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "error[invalid-history]: `ridl.history.json` is not a history of contracts",
  );
});

test("names only what the filter leaves", async () => {
  const methods = (field: string) =>
    `  @internal\n  - Hidden(secret${field}: string) => ()\n`;
  const sandbox = createSandbox({
    "ridl.config.yaml":
      'schema: [shop.ridl]\nskew: { releases: ./old }\nfilter: { ignore: ["@internal"] }\n',
    "shop.ridl": shop("v1.4.0", "", methods("Now")),
    "old/v1.3.0/shop.ridl": shop("v1.3.0", "", methods("")),
  });
  await sandbox.run(["breaking", "--record"]);
  expect(historyIn(sandbox).past).toMatchObject([{ methods: {}, gone: [] }]);
  expect(sandbox.read("ridl.history.json")).not.toContain("secret");
});

test("needs the setting", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\n",
    "shop.ridl": third,
  });
  const { exitCode, stderr } = await sandbox.run(["breaking", "--record"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("`--record` needs the setting `skew`");
});

test.each([
  [
    '{ "v1.10.0": 5, "v1.3.0": 0 }',
    0,
    "v1.10.0: 5 calls: nothing breaks\n",
    "",
  ],
  [
    '{ "v1.4.0": 1 }',
    1,
    "v1.4.0: 1 call: breaks\n  Shop.Put: in v1.10.0: requests now require `Order.total`\n",
    "",
  ],
  ['{ "__proto__": 2 }', 0, "__proto__: 2 calls: not in the history\n", ""],
  ["[1]", 2, "", "`calls.json` is not an object of numbers"],
  ['{ "v1.3.0": "1" }', 2, "", "`calls.json` is not an object of numbers"],
])(
  "says which versions in use break: %s",
  async (calls, status, text, fault) => {
    const sandbox = createReleases();
    await sandbox.run(["breaking", "--record"]);
    sandbox.write({ "calls.json": calls });
    const result = await sandbox.run(["breaking", "--in-use", "calls.json"]);
    expect([result.exitCode, result.stdout]).toEqual([status, text]);
    expect(result.stderr).toContain(fault);
  },
);

test("says nothing about versions in use with the history of another contract", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  sandbox.write({
    "calls.json": '{ "v1.10.0": 1 }',
    "shop.ridl": shop("v1.11.0", "  - total: uint64\n  - more: string\n"),
  });
  const result = await sandbox.run(["breaking", "--in-use", "calls.json"]);
  expect([result.exitCode, result.stdout]).toEqual([2, ""]);
  expect(result.stderr).toContain(
    "`ridl.history.json` was written for another version of `shop`",
  );
});

test("says which versions in use may break", async () => {
  const sandbox = createReleases();
  await sandbox.run(["breaking", "--record"]);
  const history = sandbox.read("ridl.history.json") ?? "";
  sandbox.write({
    "calls.json": '{ "v1.4.0": 1 }',
    "ridl.history.json": history.replaceAll(
      'Certain": true',
      'Certain": false',
    ),
  });
  const result = await sandbox.run(["breaking", "--in-use", "calls.json"]);
  expect([result.exitCode, result.stdout]).toEqual([
    0,
    "v1.4.0: 1 call: may break\n  Shop.Put: in v1.10.0: requests now require `Order.total`\n",
  ]);
});

test("sends nothing before reads that would need permission, and with other bodies of errors", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "shop.ridl": `webrpc = v1
name = shop
version = v1.0.0

type Key: string
  + header = X-Key
  + error = Denied

error 1 Denied "denied" HTTP 401

service Shop
  @get:"/books/{isbn}"
  - Read(isbn: string) => (title: string)
  @get:"/mine" @auth:X-Key
  - Mine() => (title: string)
  @get:"/local" @requestHeaders:"Accept-Language={word}"
  - Local(word: string) => (title: string)
  @get:"/newer" @requestHeaders:"If-Match={revision}"
  - Newer(revision: string) => (title: string)
  @http:"POST /search" @form
  - Search(word: string) => (title: string)
  @http:"PUT /books/{isbn}"
  - Put(isbn: string) => ()
`,
  });
  const { stderr } = await sandbox.run(["generate"]);
  expect(stderr).toBe("");
  const client = sandbox.read("generated/client.ts") ?? "";
  const methods = client.split("export const ").slice(1);
  const told = methods.flatMap((text) =>
    text.includes("sendContract") ? (/^\w+/u.exec(text)?.[0] ?? "") : [],
  );
  expect(told).toEqual(["shopMine", "shopNewer", "shopPut"]);
});

test("tells the contract to templates, so that clients in Python and Go send it", async () => {
  const withConfig = (skew: string) =>
    createSandbox({
      "ridl.config.yaml": `schema: [shop.ridl, bank.ridl]\nemit: [python, go, ./own]\n${skew}`,
      "own/files/contracts.txt.hbs":
        "{{#each hosts}}{{#if (exists contractHeader)}}{{json contractHeader}}{{/if}}{{/each}}",
      "shop.ridl": third,
      "bank.ridl": `webrpc = v1
name = bank
version = v1.0.0

struct Problem
  - title: string
    + error = message

type ProblemBody: Problem
  + errorBody = "application/problem+json"

service Bank
  - Pay() => ()
`,
    });
  const [off, on] = [withConfig(""), withConfig("skew: {}\n")];
  const files = {
    go: "generated/go/client.go",
    python: "generated/python/shop/client.py",
    "python, asynchronous": "generated/python/shop/async_client.py",
    own: "generated/contracts.txt",
  };
  for (const sandbox of [off, on]) {
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  }
  const header = /shop@v1\.10\.0;[\w-]{6}/gu;
  for (const [name, path] of Object.entries(files)) {
    const text = on.read(path) ?? "";
    expect(text.match(header), name).toHaveLength(1);
    expect(text, name).not.toContain("bank@");
    expect(off.read(path), name).not.toMatch(/@v1/u);
  }
  const { stdout } = await on.run(["template", "view", "shop"]);
  const { host } = JSON.parse(stdout) as { host: Record<string, unknown> };
  expect(host["contractHeader"]).toMatch(header);
});
