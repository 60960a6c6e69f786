import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const document = `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { type: string, not: {} } } }
`;

const ridl = `webrpc = v1
name = shop
version = v1.0.0

service Orders
  @get:"/orders/{id}" @body:result
  - GetOrder(id: string) => (result: string)
`;

describe("ridl import openapi", () => {
  test("writes RIDL that `check` and `fmt` accept, and prints notes", async () => {
    const sandbox = createSandbox({ "api/shop.yaml": document });
    const made = await sandbox.run(["import", "openapi", "api/shop.yaml"]);
    expect(made).toMatchObject({
      exitCode: 0,
      stdout:
        "wrote shop.ridl\nwrote shop.import.json\nwrote ridl.config.yaml\nnext: ridl generate\n",
    });
    expect(made.stderr).toContain("--> api/shop.yaml:12:");
    expect(made.stderr).toContain("note 1, at `#/paths/~1orders~1{id}/get/");
    expect(sandbox.read("shop.ridl")).toBe(ridl);
    for (const command of [["check"], ["fmt", "--check"]]) {
      const { exitCode } = await sandbox.run([...command, "shop.ridl"]);
      expect(exitCode).toBe(0);
    }
  });

  test("shows in a terminal that it is running", async () => {
    const sandbox = createSandbox({ "shop.yaml": document });
    const args = ["import", "openapi", "shop.yaml"];
    const { stderr } = await sandbox.run(args, { isTerminal: true });
    expect(stderr).toMatch(/^\r\u001b\[Kimporting shop\r\u001b\[K/u);
  });

  test("writes a document for each host, or none if one exists", async () => {
    const servers = "      servers: [{ url: https://b.example.com }]\n";
    const other = document
      .slice(document.indexOf("  /orders"))
      .replace("/orders", "/parcels")
      .replace("      operationId: getOrder\n", servers);
    const files = { "shop.yaml": document + other, "out/shop-b.ridl": "" };
    const sandbox = createSandbox(files);
    const args = ["import", "openapi", "shop.yaml", "--out", "out/shop.ridl"];
    const refused = await sandbox.run(args);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("`out/shop-b.ridl` already exists");
    expect(sandbox.has("out/shop.ridl")).toBe(false);
    const { stdout } = await sandbox.run([...args, "--force"]);
    const names = ["shop.ridl", "shop-b.ridl", "shop.import.json"];
    const lines = names.map((name) => `wrote out/${name}\n`).join("");
    expect(stdout).toBe(
      `${lines}wrote ridl.config.yaml\nnext: ridl generate\n`,
    );
    expect(await sandbox.run(["check", "out"])).toMatchObject({ exitCode: 0 });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.has("generated/shop-b/client.ts")).toBe(true);
  });

  test("does not write a configuration beside another one", async () => {
    const config = "schema: [schema/*.ridl]\n";
    const next =
      "next: ridl generate, with shop.ridl in `schema` of ridl.config.yaml\n";
    for (const path of ["ridl.config.yaml", "ridl.config.json"]) {
      const sandbox = createSandbox({ "shop.yaml": document, [path]: config });
      const { stdout } = await sandbox.run(["import", "openapi", "shop.yaml"]);
      expect(stdout).toMatch(next);
      expect(sandbox.read(path)).toBe(config);
      expect(sandbox.has("ridl.config.yaml")).toBe(path.endsWith("yaml"));
    }
  });

  test("names only documents that the configuration does not list", async () => {
    const config = "schema: [schema/*.ridl]\n";
    const files = { "shop.yaml": document, "ridl.config.yaml": config };
    const sandbox = createSandbox({ ...files, "schema/a.ridl": "" });
    const args = ["import", "openapi", "shop.yaml", "--out"];
    const listed = await sandbox.run([...args, "schema/shop.ridl"]);
    expect(listed.stdout).toMatch(/^next: ridl generate\n/mu);
    const other = await sandbox.run([...args, "other/shop.ridl"]);
    expect(other.stdout).toContain("with other/shop.ridl in `schema`");
    expect(sandbox.read("ridl.config.yaml")).toBe(config);
  });

  test("replaces a file only with `--force`", async () => {
    const sandbox = createSandbox({
      "shop.yaml": document,
      "mine.ridl": "# mine\n",
    });
    const args = ["import", "openapi", "shop.yaml", "--out", "mine.ridl"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect({ exitCode, text: sandbox.read("mine.ridl") }).toEqual({
      exitCode: 2,
      text: "# mine\n",
    });
    expect(stderr).toContain("already exists");
    expect(await sandbox.run([...args, "--force"])).toMatchObject({
      exitCode: 0,
    });
    expect(sandbox.read("mine.ridl")).toBe(ridl);
  });

  test("fails with `--strict`, and prints notes for programs", async () => {
    const sandbox = createSandbox({ "shop.yaml": document });
    const args = ["import", "openapi", "shop.yaml", "--strict"];
    const json = await sandbox.run([...args, "--format", "json"]);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      diagnostics: [
        {
          code: "import-value",
          severity: "error",
          file: "shop.yaml",
          line: 12,
        },
      ],
    });
    const sarif = await sandbox.run([...args, "--format", "sarif"]);
    expect(sarif.stdout).toContain('"ruleId": "import-value"');
    expect(sandbox.has("shop.ridl")).toBe(false);
  });

  test("follows no link out of the folder, and reads no large file", async () => {
    const link = document.replace(
      "{ type: string, not: {} }",
      "{ $ref: other.yaml }",
    );
    const sandbox = createSandbox({
      "api/shop.yaml": link,
      "api/large.yaml": "a".repeat(17 * 1024 * 1024),
      "secret.yaml": "type: string\n",
    });
    symlinkSync(
      join(sandbox.root, "secret.yaml"),
      join(sandbox.root, "api/other.yaml"),
    );
    const linked = await sandbox.run(["import", "openapi", "api/shop.yaml"]);
    expect(linked.exitCode).toBe(1);
    expect(linked.stderr).toContain("leads outside the folder");
    const large = await sandbox.run(["import", "openapi", "api/large.yaml"]);
    expect(large.stderr).toContain("it is larger than 16 MB");
    const unknown = await sandbox.run(["import", "opnapi", "api/shop.yaml"]);
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain("did you mean `openapi`?");
  });
});

describe("ridl import json-schema", () => {
  test("writes types that `check` accepts", async () => {
    const schema = { title: "Book", type: "object", properties: { id: true } };
    const sandbox = createSandbox({ "types.json": JSON.stringify(schema) });
    const made = await sandbox.run(["import", "json-schema", "types.json"]);
    expect(made.stdout).toContain("wrote types.ridl\n");
    expect(sandbox.read("types.ridl")).toContain("struct Book\n  - id?: any\n");
    expect((await sandbox.run(["check", "types.ridl"])).exitCode).toBe(0);
    const again = await sandbox.run(["import", "json-schema", "types.json"]);
    expect(again.stdout).toBe("nothing changed\n");
  });
});
