import { describe, expect, test } from "vitest";
import { readConfig } from "../../cli/config/read-config.js";
import { isQuick } from "./support/is-quick.js";
import { createSandbox } from "./support/sandbox.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  - GetBook(isbn: string) => (title: string)
`;
const config = "schema: [shop.ridl]\n";
const page = "generated/explorer/index.html";

function shopWith(settings: string) {
  return createSandbox({
    "shop.ridl": shop,
    "ridl.config.yaml": config + settings,
  });
}

describe("the explorer", () => {
  test("is generated on request, changes with its settings, and is removed otherwise", async () => {
    const sandbox = shopWith("");
    const generate = async (settings: string): Promise<string | null> => {
      sandbox.write({ "ridl.config.yaml": config + settings });
      expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
      expect(await sandbox.run(["generate", "--check"])).toMatchObject({
        exitCode: 0,
      });
      return sandbox.has(page) ? sandbox.read(page) : null;
    };
    expect(await generate("")).toBeNull();
    expect(await generate("emit: [docs]\n")).toContain("<title>shop</title>");
    const settings =
      "emit:\n- docs:\n    title: Books\n    addresses: { shop: /api }\n";
    const text = await generate(settings);
    expect(text).toContain("<title>Books</title>");
    expect(text).toContain('"address":"/api"');
    expect(text).toContain('"client":"./generated/client.js"');
    expect(await generate("")).toBeNull();
    expect(sandbox.has("generated/explorer")).toBe(false);
  });

  test.each([
    ["emit: [docs]\n", false],
    ["emit: [types, docs: {}]\n", true],
  ])("works with and without other targets: %j", async (settings, hasTypes) => {
    const sandbox = shopWith(settings);
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const files = Object.keys(sandbox.snapshot("generated"));
    expect(files).toContain("explorer/explorer.js");
    expect(files.includes("types.ts")).toBe(hasTypes);
    expect(files).not.toContain("client.ts");
  });

  test("offers the contract as RIDL without the parts that a filter excludes", async () => {
    const sandbox = createSandbox({
      "schema/ids.ridl":
        "webrpc = v1\nname = ids\nversion = v1\n\ntype Isbn: string\n  + maxLength = 13\n",
      "schema/shop.ridl": shop
        .replace("service", 'import "ids.ridl"\n\nservice')
        .replace("isbn: string", "isbn: Isbn")
        .replace("\n  - GetBook", "\n  @internal\n  - Audit()\n  - GetBook"),
      "ridl.config.yaml": "schema: [schema/shop.ridl]\nemit: [docs]\n",
    });
    const schema = "generated/explorer/shop.ridl";
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.read(schema)).toContain(
      "type Isbn: string\n  + maxLength = 13\n",
    );
    expect(sandbox.read(schema)).toContain("Audit()");
    const filter = "filter: { ignore: ['@internal'] }\n";
    sandbox.write({
      "ridl.config.yaml": `schema: [schema/shop.ridl]\nemit: [docs]\n${filter}`,
    });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.read(schema)).not.toContain("Audit");
    expect(sandbox.read("generated/explorer/openapi.yaml")).not.toContain(
      "Audit",
    );
    expect(sandbox.read(page)).toContain('href="shop.ridl"');
  });

  test("offers the contract as RIDL without private comments", async () => {
    const sandbox = createSandbox({
      "shop.ridl": shop.replace("service", "#! A secret.\nservice"),
      "ridl.config.yaml": `${config}emit: [docs]\n`,
    });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const text = sandbox.read("generated/explorer/shop.ridl");
    expect(text).toContain("service Shop");
    expect(text).not.toContain("secret");
  });

  test("has imports relative to the output folder", async () => {
    const sandbox = shopWith("out: src/api\nemit: [docs]\n");
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const text = sandbox.read("src/api/explorer/index.html");
    expect(text).toContain('"client":"./src/api/client.js"');
  });

  test("rejects addresses for unknown hosts", async () => {
    const sandbox = shopWith("emit:\n- docs:\n    addresses:\n      shpo: /\n");
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[unknown-host]: `docs.addresses` names `shpo`, which is not a host",
    );
    expect(stderr).toContain("ridl.config.yaml:5:7");
    expect(stderr).toContain("did you mean `shop`?");
    expect(sandbox.has("generated")).toBe(false);
  });

  test("is not generated in a project that `ridl init` creates", async () => {
    const sandbox = createSandbox({});
    expect(await sandbox.run(["init"])).toMatchObject({ exitCode: 0 });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.has(page)).toBe(false);
  });
});

test.each([
  ["docs: true", "`emit.0.docs` must be a mapping of settings"],
  ["docs: { titel: x }", "there is no setting `emit.0.docs.titel`"],
  [
    "docs: { title: '' }",
    "`emit.0.docs.title` must be a string that is not empty",
  ],
  [
    "docs: { addresses: { shop: localhost } }",
    "`emit.0.docs.addresses.shop` must be an address: `https://…`, or a path that begins with `/`",
  ],
  [
    "docs: { parameters: { a: 1 } }",
    "`emit.0.docs.parameters.a` must be a string",
  ],
])("rejects %j", (entry, message) => {
  const { value, diagnostics } = readConfig({
    path: "ridl.config.yaml",
    text: `${config}emit: [${entry}]\n`,
  });
  expect(value).toBeNull();
  expect(diagnostics[0]?.message).toBe(message);
});

test.each(["docs: true", "docs:", "openapi: true"])(
  "suggests an empty mapping instead of %j",
  (entry) => {
    const { diagnostics } = readConfig({
      path: "ridl.config.yaml",
      text: `${config}emit: [${entry}]\n`,
    });
    const [setting] = entry.split(":");
    expect(diagnostics[0]?.help).toBe(
      `write \`${setting}: {}\` for the defaults`,
    );
  },
);

const host = (name: string, service: string) =>
  `webrpc = v1\nname = ${name}\nversion = v1\n\nservice ${service}\n  - Ping()\n`;

test("a wildcard does not match the documents of the explorer", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: ['**/*.ridl']\nemit: [docs]\n",
    "shop.ridl": host("shop", "Shop"),
  });
  await sandbox.run(["generate"]);
  expect(sandbox.has("generated/explorer/shop.ridl")).toBe(true);
  expect(isQuick(sandbox)).toBe(true);
  for (const args of [["generate"], ["check"], ["check", "."]]) {
    expect(await sandbox.run(args)).toMatchObject({ exitCode: 0, stderr: "" });
  }
  const named = ["check", "generated/explorer/shop.ridl"];
  expect(await sandbox.run(named)).toMatchObject({ exitCode: 0 });
});

test("a wildcard does not match the documents of other explorers", async () => {
  const config = "schema: ['**/*.ridl']\nemit: [docs]\n";
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "a/ridl.config.yaml": config,
    "a/shop.ridl": host("shop", "Shop"),
    "b/bank.ridl": host("bank", "Bank"),
  });
  await sandbox.run(["generate"], { folder: "a" });
  await sandbox.run(["generate", "--out", "other"]);
  expect(sandbox.has("a/generated/explorer/shop.ridl")).toBe(true);
  expect(sandbox.has("other/explorer/shop.ridl")).toBe(true);
  expect(await sandbox.run(["check"])).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("2 documents"),
  });
});

test("a wildcard matches documents beside those of the explorer", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: ['src/**/*.ridl']\nout: src\nemit: [docs]\n",
    "src/shop.ridl": host("shop", "Shop"),
    "src/explorer/chain.ridl": host("blocks", "Blocks"),
  });
  // Twice, because the first run writes the copies.
  for (const _ of "ab") {
    expect(await sandbox.run(["check"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("2 documents"),
    });
    expect(await sandbox.run(["generate"])).toMatchObject({ stderr: "" });
    expect(sandbox.has("src/explorer/shop.ridl")).toBe(true);
  }
});
