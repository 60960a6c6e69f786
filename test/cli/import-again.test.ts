import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const old = `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      summary: Finds an order.
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { type: string } } }
`;

const newer = `${old}  /parcels:
    delete:
      operationId: deleteParcels
      responses: { "204": { description: OK } }
`;

const command = ["import", "openapi", "shop.yaml"];

/** Imports the old document, and renames a method. */
async function importOld(more: Readonly<Record<string, string>> = {}) {
  const sandbox = createSandbox({ "shop.yaml": old, ...more });
  await sandbox.run(command);
  const edited = sandbox
    .read("shop.ridl")
    .replace("- GetOrder(", "- FindOrder(");
  sandbox.write({ "shop.ridl": edited });
  return { sandbox, edited };
}

describe("ridl import openapi, again", () => {
  test("keeps a renamed method and adds new ones", async () => {
    const { sandbox, edited } = await importOld();
    const same = await sandbox.run(command);
    expect(same).toMatchObject({ exitCode: 0, stdout: "nothing changed\n" });
    expect(sandbox.read("shop.ridl")).toBe(edited);
    sandbox.write({ "shop.yaml": newer });
    const { exitCode, stdout } = await sandbox.run(command);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: "updated shop.ridl\nupdated shop.import.json\n",
    });
    const text = sandbox.read("shop.ridl");
    expect(text).toContain("- FindOrder(id: string)");
    expect(text).toContain("- DeleteParcels()");
    const again = await sandbox.run(command);
    expect(again.stdout).toBe("nothing changed\n");
    expect(sandbox.read("shop.ridl")).toBe(text);
  });

  test("keeps the line breaks and the name of the file", async () => {
    const sandbox = createSandbox({ "shop.yaml": old });
    const args = [...command, "--out", "schema/api.ridl"];
    await sandbox.run(args);
    const text = sandbox.read("schema/api.ridl").replaceAll("\n", "\r\n");
    sandbox.write({
      "schema/api.ridl": text.replace("Finds an order", "Finds it"),
      "shop.yaml": newer,
    });
    const { stdout } = await sandbox.run(args);
    expect(stdout).toContain("updated schema/api.ridl\n");
    const updated = sandbox.read("schema/api.ridl");
    expect(updated).toContain("# Finds it.\r\n");
    expect(updated.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("reports conflicts, which are errors with `--strict`", async () => {
    const { sandbox, edited } = await importOld();
    const mine = edited.replace("Finds an order.", "Finds one of my orders.");
    sandbox.write({
      "shop.ridl": mine,
      "shop.yaml": newer.replace("Finds an order.", "Finds any order."),
    });
    const strict = await sandbox.run([...command, "--strict"]);
    expect(strict.exitCode).toBe(1);
    expect(strict.stderr).toContain("error[import-conflict]: the comment of");
    expect(sandbox.read("shop.ridl")).toBe(mine);
    const { exitCode, stderr } = await sandbox.run(command);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("in the document: # Finds any order.");
    expect(sandbox.read("shop.ridl")).toContain("# Finds one of my orders.");
    expect((await sandbox.run(command)).stderr).not.toContain("conflict");
  });

  test("writes nothing if the RIDL would be invalid", async () => {
    const { sandbox, edited } = await importOld();
    const mine = `${edited}\nstruct A\n  - a: Missing\n`;
    sandbox.write({ "shop.ridl": mine, "shop.yaml": newer });
    const base = sandbox.read("shop.import.json");
    const { exitCode, stderr } = await sandbox.run(command);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("type `Missing` is not declared");
    expect(stderr).toContain("nothing was written");
    sandbox.write({ "shop.ridl": `${edited}\nstruct {\n` });
    expect((await sandbox.run(command)).stderr).toContain("cannot be updated");
    expect(sandbox.read("shop.import.json")).toBe(base);
  });

  test.each([
    ["broken", "{"],
    ["empty", ""],
    ["of another program", '{ "documents": {} }'],
    ["with a path", '{ "format": 1, "documents": { "../a.ridl": [] } }'],
    ["with a number", '{ "format": 1, "documents": { "a.ridl": [1] } }'],
    ["of an unknown version", '{ "format": 0.5, "documents": {} }'],
    ["a merge conflict", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main\n"],
    ["nested", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("reports a state that is %s", async (_, state) => {
    const { sandbox, edited } = await importOld();
    sandbox.write({ "shop.import.json": state, "shop.yaml": newer });
    const { exitCode, stderr } = await sandbox.run(command);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[import-base]: `shop.import.json` does not");
    const forced = await sandbox.run([...command, "--force"]);
    expect(forced).toMatchObject({ exitCode: 2 });
    expect(forced.stderr).toContain("`shop.import.json` already exists");
    expect(sandbox.read("shop.ridl")).toBe(edited);
    expect(sandbox.read("shop.import.json")).toBe(state);
  });

  test("reports a state of a newer version, bytes and large files", async () => {
    const { sandbox, edited } = await importOld();
    sandbox.write({ "shop.import.json": '{ "format": 2 }' });
    const future = await sandbox.run(command);
    expect(future.exitCode).toBe(1);
    expect(future.stderr).toContain("was written by a newer version");
    sandbox.write({ "shop.import.json": " ".repeat(17_000_000) });
    const large = await sandbox.run(command);
    expect(large.exitCode).not.toBe(0);
    expect(large.stderr).toContain("it is larger than 16 MB");
    const bytes = Uint8Array.from([0xff, 0xfe, 0x00]);
    writeFileSync(join(sandbox.root, "shop.import.json"), bytes);
    const binary = await sandbox.run(command);
    expect(binary.exitCode).not.toBe(0);
    expect(binary.stderr).toContain("it is not UTF-8 text");
    expect(sandbox.read("shop.ridl")).toBe(edited);
  });

  test("removes documents of hosts that vanished with `--force`", async () => {
    const host = "      servers: [{ url: https://b.example.com }]\n";
    const files = { "shop.yaml": newer + host, "shop-c.ridl": "# mine\n" };
    const sandbox = createSandbox(files);
    await sandbox.run(command);
    expect(sandbox.has("shop-b.ridl")).toBe(true);
    sandbox.write({ "shop.yaml": newer });
    const { stdout } = await sandbox.run([...command, "--force"]);
    expect(stdout).toContain("wrote shop.ridl\n");
    expect(stdout).toContain("removed shop-b.ridl\n");
    expect(sandbox.has("shop-b.ridl")).toBe(false);
    expect(sandbox.read("shop-c.ridl")).toBe("# mine\n");
    expect(sandbox.read("shop.import.json")).not.toContain("shop-b");
  });

  test("refuses RIDL of no import, and lost files", async () => {
    const { sandbox, edited } = await importOld();
    const base = sandbox.read("shop.import.json");
    sandbox.remove("shop.import.json");
    const unknown = await sandbox.run(command);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(
      "`shop.import.json` does not say that an import wrote it",
    );
    expect(sandbox.read("shop.ridl")).toBe(edited);
    const more = base.replace(/\]\n  \}/u, '],\n"shop-b.ridl": [""]\n  }');
    expect(more).not.toBe(base);
    sandbox.write({ "shop.import.json": more });
    const lost = await sandbox.run(command);
    expect(lost.exitCode).toBe(2);
    expect(lost.stderr).toContain("the last import wrote it");
  });
});
