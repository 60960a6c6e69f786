import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const shop = `webrpc = v1
name = book-shop
version = v1.2.0
basepath = /rpc

# There is no such book.
error 1404 BookNotFound "book not found" HTTP 404

# A \`small\` <b>book</b> shop.
service Shop
  - GetBook(isbn: string) => (title: string) errors BookNotFound
`;

const createShop = (): Sandbox => createSandbox({ "shop.ridl": shop });

function packageJson(sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(sandbox.read("out/package.json"));
}

describe("ridl package", () => {
  test("takes name and version from the documents", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    expect(await sandbox.run(args)).toEqual({
      exitCode: 0,
      stdout: "14 files: 14 created\n",
      stderr: "",
    });
    expect(packageJson(sandbox)).toMatchObject({
      name: "book-shop-client",
      version: "1.2.0",
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./package.json": "./package.json",
      },
    });
    expect(sandbox.read("out/CHANGELOG.md")).toContain("## 1.2.0");
    expect(sandbox.has("out/dist/server.js")).toBe(false);

    const readme = sandbox.read("out/README.md");
    expect(readme).toContain("await client.shop.getBook({ isbn: ");
    expect(readme).toContain("A `small` \\<b\\>book\\</b\\> shop.");
    expect(readme).toContain("Errors: `BookNotFound`.");
    expect(readme).toContain(
      "| `BookNotFound` | 1404 | 404 | book not found |",
    );
  }, 60_000);

  test("takes them from the command line, and webrpc's names too", async () => {
    const sandbox = createShop();
    const flags = ["--name", "@books/shop", "--version", "2.0.0-beta.1"];
    const { exitCode } = await sandbox.run([
      ...["package", "shop.ridl", "--out", "out", "--compat", "webrpc"],
      ...flags,
    ]);
    expect(exitCode).toBe(0);
    expect(packageJson(sandbox)).toMatchObject({
      name: "@books/shop",
      version: "2.0.0-beta.1",
      exports: { "./webrpc": { default: "./dist/webrpc.js" } },
    });
  }, 60_000);

  test("keeps what people write, and replaces what it wrote", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    await sandbox.run(args);
    const before = sandbox.snapshot("out");
    const data = { ...packageJson(sandbox), license: "MIT", version: "0.0.9" };
    sandbox.write({
      "out/package.json": JSON.stringify(data),
      "out/CHANGELOG.md": "# Mine\n",
      "out/dist/client.js": "edited",
      "out/LICENSE": "MIT",
    });
    expect((await sandbox.run(args)).exitCode).toBe(0);
    expect(packageJson(sandbox)).toMatchObject({
      license: "MIT",
      version: "1.2.0",
    });
    const after = sandbox.snapshot("out");
    expect(after["CHANGELOG.md"]).toBe("# Mine\n");
    expect(after["LICENSE"]).toBe("MIT");
    expect(after["dist/client.js"]).toBe(before["dist/client.js"]);

    sandbox.write({ "shop.ridl": shop.replaceAll("Shop", "Store") });
    expect((await sandbox.run(args)).exitCode).toBe(0);
    expect(sandbox.read("out/CHANGELOG.md")).toBe("# Mine\n");
  }, 60_000);

  test("replaces nothing that is not its own", async () => {
    const sandbox = createShop();
    const theirs = '{ "name": "theirs" }\n';
    sandbox.write({ "out/package.json": theirs });
    const args = ["package", "shop.ridl", "--out", "out"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[foreign-file]");
    expect(sandbox.snapshot("out")).toEqual({ "package.json": theirs });
    expect((await sandbox.run([...args, "--force"])).exitCode).toBe(0);
    expect(packageJson(sandbox)["name"]).toBe("book-shop-client");
  }, 60_000);

  test.each([
    [["--name", "Not A Name"], "npm takes no package of the name `Not A Name`"],
    [["--name", "../up"], "npm takes no package of the name `../up`"],
    [["--version", "v1"], "npm takes no package of the version `v1`"],
    [["--version", "1.02.0"], "npm takes no package of the version `1.02.0`"],
  ])("%j is refused", async (flags, message) => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out", ...flags];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(sandbox.has("out")).toBe(false);
  });

  test("needs a folder, and documents without faults", async () => {
    const sandbox = createShop();
    const { exitCode, stderr } = await sandbox.run(["package", "shop.ridl"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--out");

    sandbox.write({ "shop.ridl": shop.replace("isbn: string", "isbn: Isbn") });
    const args = ["package", "shop.ridl", "--out", "out"];
    const faulty = await sandbox.run(args);
    expect(faulty.exitCode).toBe(1);
    expect(faulty.stderr).toContain("error[unknown-type]");
    expect(sandbox.has("out")).toBe(false);
  });
});
