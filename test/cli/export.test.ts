import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const files = {
  "ridl.config.yaml": "schema: [a.ridl]\n",
  "a.ridl": `webrpc = v1
name = a
version = v1.0.0

type Big: uint64
  + maximum = 18446744073709551615

service A
  - Get(big: Big) => ()
`,
};

describe("ridl export", () => {
  test("json is webrpc's form, and hash its SHA-1", async () => {
    const sandbox = createSandbox(files);
    const json = await sandbox.run(["export", "--format", "json"]);
    expect(json).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(json.stdout)).toMatchObject({
      webrpc: "v1",
      name: "a",
      basepath: "/rpc/",
      services: [{ name: "A", methods: [{ name: "Get" }] }],
    });
    const hash = await sandbox.run(["export", "--format", "hash"]);
    const expected = createHash("sha1").update(json.stdout).digest("hex");
    expect(hash.stdout).toBe(`${expected}\n`);
  });

  test("what json prints can be read again", async () => {
    const sandbox = createSandbox(files);
    const { stdout } = await sandbox.run(["export", "--format", "json"]);
    sandbox.write({ "b.json": stdout });
    const args = ["export", "--format", "json", "b.json"];
    expect(await sandbox.run(args)).toMatchObject({ stdout });
  });

  test("ir is the contract, large integers as text", async () => {
    const sandbox = createSandbox(files);
    const { stdout } = await sandbox.run(["export", "--format", "ir"]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "contract",
      hosts: [{ name: "a", document: "a.ridl" }],
      types: [{ constraints: { maximum: "18446744073709551615" } }],
    });
  });

  test("hash has a line for each host; json wants one host", async () => {
    const sandbox = createSandbox(files);
    const other = files["a.ridl"]
      .replace("name = a", "name = b")
      .replace("service A", "service B")
      .replaceAll("Big", "Large");
    sandbox.write({ "b.ridl": other });
    const hashes = await sandbox.run(["export", "--format=hash", "*.ridl"]);
    expect(hashes.stdout).toMatch(
      /^[0-9a-f]{40} {2}a\.ridl\n[0-9a-f]{40} {2}b\.ridl\n$/u,
    );
    const json = await sandbox.run(["export", "--format=json", "*.ridl"]);
    expect(json).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("prints nothing but faults when there are any", async () => {
    const sandbox = createSandbox({ ...files, "a.ridl": "struct a b" });
    const result = await sandbox.run(["export", "--format", "ir"]);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("--> a.ridl:1:");
  });
});
