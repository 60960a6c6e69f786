import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  - GetBook(isbn: string) => (title: string)
`;
const config = "schema: [shop.ridl]\n";

describe("webrpc's names", () => {
  test("are generated on request and removed otherwise", async () => {
    const sandbox = createSandbox({
      "shop.ridl": shop,
      "ridl.config.yaml": config,
    });
    const path = "generated/webrpc.ts";
    expect((await sandbox.run(["generate"])).exitCode).toBe(0);
    expect(sandbox.has(path)).toBe(false);
    const flags = ["generate", "--compat", "webrpc"];
    expect((await sandbox.run(flags)).exitCode).toBe(0);
    expect(sandbox.read(path)).toContain("export class Shop ");
    expect((await sandbox.run(["generate"])).exitCode).toBe(0);
    expect(sandbox.has(path)).toBe(false);

    sandbox.write({
      "ridl.config.yaml": `${config}emit: [defaults, compat]\n`,
    });
    expect((await sandbox.run(["generate"])).exitCode).toBe(0);
    expect(sandbox.has(path)).toBe(true);
    expect((await sandbox.run(["generate", "--check"])).exitCode).toBe(0);
  });

  test.each(["emit: [server, compat]\n", "emit: [compat]\n"])(
    "include everything that they import: %j",
    async (settings) => {
      const sandbox = createSandbox({
        "shop.ridl": shop,
        "ridl.config.yaml": config + settings,
      });
      expect((await sandbox.run(["generate"])).exitCode).toBe(0);
      const files = Object.keys(sandbox.snapshot("generated"));
      expect(files).toEqual(
        expect.arrayContaining(["client.ts", "errors.ts", "types.ts"]),
      );
      expect(files).toContain("webrpc.ts");
      expect(files).not.toContain("index.ts");
    },
  );

  test.each([
    ["", false],
    ["emit: [compat, validators]\n", true],
    ["emit: [defaults, compat]\nnullAsEmpty: false\n", false],
    ["nullAsEmpty: true\n", true],
  ])(
    "determine by default whether null is read as an empty value: %j",
    async (settings, isEmpty) => {
      const sandbox = createSandbox({
        "shop.ridl": `${shop}  - Find(words: []string) => (count: uint32)\n`,
        "ridl.config.yaml": config + settings,
      });
      expect((await sandbox.run(["generate"])).exitCode).toBe(0);
      const validators = sandbox.read("generated/validators.ts");
      expect(validators.includes("emptyList")).toBe(isEmpty);
    },
  );

  test("are the only ones that `--compat` supports", async () => {
    const sandbox = createSandbox({ "shop.ridl": shop });
    const args = ["generate", "shop.ridl", "--compat", "grpc"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("webrpc");
  });
});
