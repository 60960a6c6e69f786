import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
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

/** Prints the same schema as YAML. */
function yamlOf(json: string): string {
  return stringify(JSON.parse(json));
}

describe("ridl export", () => {
  test("json prints the contract in webrpc's form, and hash prints its SHA-1", async () => {
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

  test("warns about aliases that webrpc's Go generator gets wrong", async () => {
    const document = files["a.ridl"].replace(
      "type Big: uint64\n  + maximum = 18446744073709551615",
      "type Big: timestamp",
    );
    const sandbox = createSandbox({ ...files, "a.ridl": document });
    const run = (format: string) => sandbox.run(["export", "--format", format]);
    for (const format of ["json", "ridl"]) {
      const { exitCode, stdout, stderr } = await run(format);
      expect([exitCode, stdout === ""]).toEqual([0, false]);
      expect(stderr).toContain("warning[timestamp-alias]");
    }
    expect((await run("hash")).stderr).toBe("");
    sandbox.write({
      "ridl.config.yaml":
        "schema: [a.ridl]\nlint: { rules: { timestamp-alias: off } }\n",
    });
    expect((await run("json")).stderr).toBe("");
  });

  test("warns about fields whose JSON webrpc writes differently", async () => {
    const document = files["a.ridl"].replace(
      "service A",
      `struct Entity
  - type: string
    + jsonName = "@odata.type"
  - details: map<string,any>
    + extra = true

service A`,
    );
    const sandbox = createSandbox({ ...files, "a.ridl": document });
    const run = (format: string) => sandbox.run(["export", "--format", format]);
    for (const format of ["json", "ridl"]) {
      const { exitCode, stdout, stderr } = await run(format);
      expect([exitCode, stdout.includes("extra")]).toEqual([0, true]);
      expect(stderr).toContain("uses the JSON name `type`");
      expect(stderr).toContain("uses the JSON name `details`");
    }
    expect((await run("ir")).stderr).toBe("");
    expect((await sandbox.run(["check"])).stdout).not.toContain("webrpc-field");
    sandbox.write({
      "ridl.config.yaml":
        "schema: [a.ridl]\nlint: { rules: { webrpc-field: off } }\n",
    });
    expect((await run("json")).stderr).toBe("");
  });

  test("can replace aliases by their types", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [a.ridl]\n",
      "a.ridl": `webrpc = v1
name = a
version = v1.0.0

type Isbn: string
  + pattern = "^[0-9]{13}$"

type Isbns: []Isbn

enum Kind: string
  - Isbn

type Key: Kind

struct Book
  - isbn: Isbn
  - kind: Kind
  - others?: map<Key,Isbns>

service A
  - Find(isbns: Isbns, isbn?: Isbn) => (books: map<Kind,[]Book>)
  - Put(Book) => (Book)
`,
    });
    const run = (format: string, ...more: readonly string[]) =>
      sandbox.run(["export", "--format", format, "--inline-aliases", ...more]);
    const { stdout: ridl } = await run("ridl");
    expect(ridl).toBe(`webrpc = v1
name = a
version = v1.0.0
basepath = /rpc/

enum Kind: string
  - Isbn = Isbn

struct Book
  - isbn: string
  - kind: Kind
  - others?: map<Kind,[]string>

service A
  - Find(isbns: []string, isbn?: string) => (books: map<Kind,[]Book>)
  - Put(Book) => (Book)
`);
    const { stdout: json } = await run("json");
    sandbox.write({ "b.json": json, "c.ridl": ridl });
    for (const path of ["b.json", "c.ridl"]) {
      expect(await sandbox.run(["check", path])).toMatchObject({ exitCode: 0 });
      expect(await run("json", path)).toMatchObject({ stdout: json });
    }
    expect(await run("ir")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("does not apply to `--format ir`"),
    });
  });

  test("can read its own json output", async () => {
    const sandbox = createSandbox(files);
    const { stdout } = await sandbox.run(["export", "--format", "json"]);
    sandbox.write({ "b.json": stdout });
    const args = ["export", "--format", "json", "b.json"];
    expect(await sandbox.run(args)).toMatchObject({ stdout });
  });

  test("ridl omits private comments", async () => {
    const sandbox = createSandbox({
      "a.ridl": `#! secret 1
webrpc = v1 #! secret 2
name = a
version = v1

# A service.
#! secret 3
service A
  #! secret 4

  # Gets it.
  - Get() #! secret 5
#! secret 6
`,
    });
    const { stdout } = await sandbox.run([
      "export",
      "--format",
      "ridl",
      "*.ridl",
    ]);
    expect(stdout).toBe(
      "webrpc = v1\nname = a\nversion = v1\n\n# A service.\nservice A\n\n  # Gets it.\n  - Get()\n",
    );
    await sandbox.run(["package", "a.ridl", "--out", "made"]);
    expect(JSON.stringify(sandbox.snapshot("made"))).not.toContain("secret");
  });

  test("ridl keeps annotations on one line, so that webrpc keeps the comment above", async () => {
    const method = `  # Gets it.\n  @internal @note:x\n  - Get() => ()\n`;
    const sandbox = createSandbox({
      "a.ridl": `webrpc = v1\nname = a\nversion = v1\nimport "b.ridl"\nservice A\n${method}`,
      "b.ridl": `webrpc = v1\ntype A: string\n`,
    });
    const { stdout } = await sandbox.run([
      "export",
      "--format",
      "ridl",
      "a.ridl",
    ]);
    expect(stdout).toContain(method);
  });

  test("ridl prints one document for JSON, for YAML, and for RIDL with imports", async () => {
    const sandbox = createSandbox(files);
    const print = (format: string, document: string) =>
      sandbox.run(["export", "--format", format, document]);
    const json = await print("json", "a.ridl");
    sandbox.write({ "b.json": json.stdout, "b.yaml": yamlOf(json.stdout) });
    for (const name of ["b.json", "b.yaml"]) {
      const ridl = await print("ridl", name);
      expect(ridl).toMatchObject({ exitCode: 0, stderr: "" });
      expect(ridl.stdout).toContain("service A\n  - Get(big: Big)");
      sandbox.write({ "c.ridl": ridl.stdout });
      expect((await print("json", "c.ridl")).stdout).toBe(json.stdout);
    }
    sandbox.write({
      "d.ridl": `webrpc = v1 # one\nname = d\nimport "a.ridl"\n - Big\nstruct D\n - big: Big\n`,
    });
    expect((await print("ridl", "a.ridl")).stdout).toBe(files["a.ridl"]);
    expect((await print("ridl", "d.ridl")).stdout).toBe(`webrpc = v1
name = d

type Big: uint64
  + maximum = 18446744073709551615

struct D
  - big: Big
`);
  });

  test("exports a method that no target supports", async () => {
    const sandbox = createSandbox({
      ...files,
      "a.ridl": `${files["a.ridl"]}  - stream Send(big: Big) => ()\n`,
    });
    for (const format of ["json", "hash", "ridl"]) {
      const result = await sandbox.run(["export", "--format", format]);
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    }
    const json = await sandbox.run(["export", "--format", "json"]);
    expect(json.stdout).toContain('"streamInput": true');
    const ir = await sandbox.run(["export", "--format", "ir"]);
    expect(ir).toMatchObject({ exitCode: 1, stdout: "" });
    expect(ir.stderr).toContain("client-stream");
  });

  test("ir prints the contract, with large integers as strings", async () => {
    const sandbox = createSandbox(files);
    const { stdout } = await sandbox.run(["export", "--format", "ir"]);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "contract",
      hosts: [{ name: "a", document: "a.ridl" }],
      types: [{ constraints: { maximum: "18446744073709551615" } }],
    });
  });

  test("hash prints a line for each host, and json requires one host", async () => {
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

  test("prints only diagnostics if the schema is invalid", async () => {
    const sandbox = createSandbox({ ...files, "a.ridl": "struct a b" });
    const result = await sandbox.run(["export", "--format", "ir"]);
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("--> a.ridl:1:");
  });
});
