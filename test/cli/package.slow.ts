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
  #! For internal use only.
  - GetBook(isbn: string) => (title: string) errors BookNotFound
`;

const createShop = (): Sandbox => createSandbox({ "shop.ridl": shop });

function packageJson(sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(sandbox.read("out/package.json"));
}

describe("ridl package", () => {
  test("takes the name and version from the documents", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    expect(await sandbox.run(args)).toEqual({
      exitCode: 0,
      stdout: "20 files: 20 created\n",
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
    const published = sandbox.read("out/schema/book-shop.ridl");
    expect(published).toContain("- GetBook(isbn: string)");
    expect(published).not.toContain("internal use");

    const readme = sandbox.read("out/README.md");
    expect(readme).toContain("await client.shop.getBook({ isbn: ");
    expect(readme).toContain(
      "| `book-shop-client` | all clients, types and errors |",
    );
    expect(readme).toContain("A `small` \\<b\\>book\\</b\\> shop.");
    expect(readme).toContain("Errors: `BookNotFound`.");
    expect(readme).toContain(
      "| `BookNotFound` | 1404 | 404 | book not found |",
    );
  });

  test("writes a skill for agents", async () => {
    const sandbox = createShop();
    const flags = ["--out", "out", "--name", "@books/shop.client"];
    await sandbox.run(["package", "shop.ridl", ...flags]);
    const skill = sandbox.read("out/SKILL.md");
    expect(skill).toMatch(
      /^---\nname: shop-client\ndescription: [^:\n]{1,1024}\n---\n/u,
    );
    expect(skill).toContain(
      "| Shop | `shop.getBook` | 1 | A `small` \\<b\\>book\\</b\\> shop. |",
    );
    expect(skill).not.toContain("## Credentials");
    expect(sandbox.read("out/README.md")).toContain("### `shop.getBook`");
    expect(packageJson(sandbox)["files"]).toContain("SKILL.md");
  });

  test("writes a skill of limited size for 1,500 methods", async () => {
    const services = Array.from({ length: 60 }, (_, service) => {
      const methods = Array.from(
        { length: 25 },
        (_, method) => `  - Method${service}x${method}(id: uint32) => ()\n`,
      );
      const docs = service % 2 ? "# A service.\n" : `# ${"long ".repeat(99)}\n`;
      return `${docs}service Service${service}\n${methods.join("")}`;
    });
    const text = `webrpc = v1\nname = all\nversion = v1.0.0\n${services.join("\n")}`;
    const sandbox = createSandbox({ "all.ridl": text });
    await sandbox.run(["package", "all.ridl", "--out", "out"]);
    const skill = sandbox.read("out/SKILL.md");
    expect(skill).toContain("| Service39 |");
    expect(skill).not.toContain("| Service40 |");
    expect(skill).toContain("lists the other services");
    expect(skill.length).toBeLessThan(6000);
  });

  test("takes the name and version from the command line, and supports webrpc's names", async () => {
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
  });

  test("keeps handwritten files, and replaces generated ones", async () => {
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
  });

  test.each([
    ["a conflict marker", (text: string) => `<<<<<<< HEAD\n${text}`],
    ["a list", () => "[]"],
  ])("refuses a package.json with %s", async (_, damage) => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    await sandbox.run(args);
    const text = damage(sandbox.read("out/package.json"));
    sandbox.write({ "out/package.json": text });
    const { exitCode, stderr } = await sandbox.run(args);
    expect(stderr).toContain("out/package.json`: it is not a JSON object");
    expect(exitCode).toBe(1);
    expect(sandbox.read("out/package.json")).toBe(text);
  });

  test("keeps the fields of a package.json with a byte order mark", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    await sandbox.run(args);
    const data = { ...packageJson(sandbox), license: "MIT" };
    sandbox.write({ "out/package.json": `\uFEFF${JSON.stringify(data)}` });
    expect((await sandbox.run(args)).exitCode).toBe(0);
    expect(packageJson(sandbox)).toMatchObject({ license: "MIT" });
  });

  test("does not replace foreign files", async () => {
    const sandbox = createShop();
    const theirs = '{ "name": "theirs" }\n';
    sandbox.write({ "out/package.json": theirs });
    const args = ["package", "shop.ridl", "--out", "out"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[foreign-file]");
    expect(sandbox.snapshot("out")).toEqual({ "package.json": theirs });
    expect((await sandbox.run([...args, "--force"])).exitCode).toBe(0);
    // Another name could publish a private package to everyone.
    expect(packageJson(sandbox)["name"]).toBe("theirs");
  });

  test("keeps its name if the manifest is lost, and any name that npm rejects", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    await sandbox.run([...args, "--name", "@acme/shop"]);
    sandbox.remove("out/.ridl-manifest.json");
    expect((await sandbox.run([...args, "--force"])).exitCode).toBe(0);
    expect(packageJson(sandbox)["name"]).toBe("@acme/shop");
    const odd = JSON.stringify({
      ...packageJson(sandbox),
      name: "Shop Client",
    });
    sandbox.write({ "out/package.json": odd });
    const { exitCode, stderr } = await sandbox.run([...args, "--force"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("`package.json` is not a valid npm package name");
    expect(sandbox.read("out/package.json")).toBe(odd);
  });

  test.each([
    [["--name", "Not A Name"], "`Not A Name` is not a valid npm package name"],
    [["--name", "../up"], "`../up` is not a valid npm package name"],
    [["--version", "v1"], "`v1` is not a valid npm version"],
    [["--version", "1.02.0"], "`1.02.0` is not a valid npm version"],
  ])("rejects %j", async (flags, message) => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out", ...flags];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(sandbox.has("out")).toBe(false);
  });

  test("keeps the name from an earlier run", async () => {
    const sandbox = createShop();
    const args = ["package", "shop.ridl", "--out", "out"];
    await sandbox.run([...args, "--name", "@books/shop"]);
    expect((await sandbox.run(args)).exitCode).toBe(0);
    expect(packageJson(sandbox)["name"]).toBe("@books/shop");
    expect(sandbox.read("out/README.md")).toContain("npm install @books/shop");
  });

  test("refuses what `ridl generate` refuses", async () => {
    const sandbox = createShop();
    const slow = '\ntype Slow: string\n  + pattern = "^(a+)+$"\n';
    const text = sandbox.read("shop.ridl");
    sandbox.write({ "shop.ridl": text + slow });
    for (const command of ["generate", "package"]) {
      const args = [command, "shop.ridl", "--out", "out"];
      const { exitCode, stderr } = await sandbox.run(args);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("error[pattern-redos]");
    }
    expect(sandbox.has("out")).toBe(false);
  });

  test("does not overwrite the package of another configuration", async () => {
    const sandbox = createShop();
    sandbox.write({
      "ridl.config.yaml": "schema: [shop.ridl]\n",
      "chat.config.yaml": "schema: [shop.ridl]\nout: chat\n",
    });
    const args = ["package", "--out", "out"];
    await sandbox.run(args);
    const packed = sandbox.snapshot("out");
    const other = [...args, "--config", "chat.config.yaml"];
    const { exitCode, stderr } = await sandbox.run(other);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`out` contains the output of `ridl.config.yaml`");
    expect(sandbox.snapshot("out")).toEqual(packed);
    expect((await sandbox.run([...other, "--force"])).exitCode).toBe(0);
    expect((await sandbox.run(other)).exitCode).toBe(0);
  });

  test("does not overwrite files of `ridl generate`, or vice versa", async () => {
    const sandbox = createShop();
    sandbox.write({ "ridl.config.yaml": "schema: [shop.ridl]\nout: out\n" });
    const makePackage = ["package", "--out", "out"];
    await sandbox.run(makePackage);
    const packed = sandbox.snapshot("out");
    for (const flags of [[], ["--check"]]) {
      const { exitCode, stderr } = await sandbox.run(["generate", ...flags]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        "error[foreign-file]: `out` contains the output of `ridl package`",
      );
    }
    expect(sandbox.snapshot("out")).toEqual(packed);

    expect((await sandbox.run(["generate", "--force"])).exitCode).toBe(0);
    expect(sandbox.has("out/dist/index.js")).toBe(false);
    const { exitCode, stderr } = await sandbox.run(makePackage);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`out` contains the output of `ridl generate`");
    expect(sandbox.has("out/client.ts")).toBe(true);
  });

  test("requires an output folder and valid documents", async () => {
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
