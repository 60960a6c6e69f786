import { describe, expect, test } from "vitest";
import { configSchema } from "../../cli/config/config-faults.js";
import type { WireOptions } from "../../generator/values/wire-options.js";
import { commit, git, makeRepository } from "./support/repository.js";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0

struct Order
  - at: timestamp
  - count: uint64
  - names: []string
  - notes?: map<string,string>

service Shop
  - Put(order: Order) => (lists: map<string,[]Order>)

service Events
  @webhook
  - Sold(order: Order)
`;

/** Returns the output of `ridl breaking` after a change of settings. */
async function compare(before: string, after: string, text = shop) {
  const schema = "schema: [shop.ridl]\n";
  const sandbox = createSandbox({
    "now/ridl.config.yaml": schema + after,
    "now/shop.ridl": text,
    "before/ridl.config.yaml": schema + before,
    "before/shop.ridl": text,
  });
  const args = ["breaking", "--against", "../before", "--strict"];
  const { stderr } = await sandbox.run(args, { folder: "now" });
  return [...stderr.matchAll(/^[a-z]+\[.*$/gmu)].map(([line]) => line);
}

/** Two values of each setting that `ridl breaking` compares. */
const wireSettings: Readonly<
  Record<keyof WireOptions, readonly [string, string]>
> = {
  int64: ["number", "bigint"],
  nullAsEmpty: ["true", "false"],
  timestamp: ["string", "date"],
};

/** Settings that change neither messages nor the types of their values. */
const otherSettings = [
  "skew",
  "schema",
  "importFolders",
  "out",
  "emit",
  "templates",
  "language",
  "declarationMaps",
  "runtime",
  "runtimeFiles",
  "importExtension",
  // It only matters to programs with `exactOptionalPropertyTypes`.
  "explicitUndefined",
  // It only matters to types.
  "readonlyLists",
  // Other output can contain the rest of the contract.
  "filter",
  "lint",
  "breaking",
];

test("every setting is compared, or listed as one that is not", () => {
  const listed = [...Object.keys(wireSettings), ...otherSettings];
  expect(Object.keys(configSchema.properties ?? {}).sort()).toEqual(
    listed.sort(),
  );
});

describe.each(Object.entries(wireSettings))("%s", (name, [one, other]) => {
  const line = (value: string): string => `${name}: ${value}\n`;

  test("is compared", async () => {
    expect(await compare(line(one), line(other))).not.toEqual([]);
    expect(await compare(line(other), line(one))).not.toEqual([]);
    expect(await compare(line(one), line(one))).toEqual([]);
  });
});

test("reports once for each kind of message that null is no longer read as empty", async () => {
  const now = "is no longer read as an empty list, map or `[]byte` in";
  expect(await compare("emit: [compat]\n", "")).toEqual([
    `error[request-field-no-forbid-null]: null ${now} requests, for example in \`Order.names\``,
    `error[response-field-no-forbid-null]: null ${now} webhooks, for example in \`Order.names\``,
    `warning[response-field-no-forbid-null]: null ${now} responses, for example in \`Shop.Put.lists\``,
  ]);
  expect(await compare("emit: [compat]\n", "nullAsEmpty: true\n")).toEqual([]);
  expect(await compare("", "emit: [compat]\n")).toEqual([
    "warning[request-field-no-allow-null]: null is now read as an empty list, map or `[]byte` in requests, for example in `Order.names`",
  ]);
});

test("ignores `nullAsEmpty` if no required field can be empty", async () => {
  const text = shop
    .replace("names: []", "names?: []")
    .replace("[]Order", "Order");
  const optional = text.replace("lists: map<string,Order>", "order: Order");
  expect(await compare("nullAsEmpty: true\n", "", optional)).toEqual([]);
});

describe("a revision without the documents of a contract", () => {
  const old = "old/schema/shop.ridl";
  const config = "schema: [schema/*.ridl]\n";

  /** Runs the command after a branch replaced these files by a new contract. */
  async function run(
    files: Record<string, string>,
    format = "text",
    change = (sandbox: Sandbox) =>
      Object.keys(files).forEach((path) => sandbox.remove(path)),
    save = commit,
  ) {
    const sandbox = createSandbox({ "README.md": "A project.\n", ...files });
    makeRepository(sandbox);
    git(sandbox, "checkout", "--quiet", "-b", "topic");
    change(sandbox);
    sandbox.write({
      "new/ridl.config.yaml": config,
      "new/schema/shop.ridl": shop.replace("  - Put", "  - Set"),
    });
    save(sandbox);
    const args = ["breaking", "--against", "main", "--format", format];
    return sandbox.run(args, { folder: "new" });
  }

  test.each(["text", "json", "github", "sarif", "markdown"])(
    "fails if the contract was moved: %s",
    async (format) => {
      const files = { "old/ridl.config.yaml": config, [old]: shop };
      const { exitCode, stderr, stdout } = await run(files, format);
      expect(stdout + stderr).toMatch(/[0-9a-f]{8}:old\/schema\/shop\.ridl/u);
      expect(exitCode).toBe(1);
    },
  );

  test.each([
    ["not staged", () => {}],
    ["staged", (sandbox: Sandbox) => git(sandbox, "add", "--all")],
  ])("fails if the contract was moved, and that is %s", async (_, save) => {
    const files = { "old/ridl.config.yaml": config, [old]: shop };
    const { exitCode, stderr } = await run(files, "text", undefined, save);
    expect(stderr).toMatch(
      /none of these documents, but `[0-9a-f]{8}:old\/schema\/shop\.ridl`, which is gone/u,
    );
    expect(exitCode).toBe(1);
  });

  test.each(["text", "json", "github", "sarif", "markdown"])(
    "is mentioned if there was no contract: %s",
    async (format) => {
      const { exitCode, stderr, stdout } = await run({}, format);
      expect(stdout + stderr).toMatch(
        /main \([0-9a-f]{8}\)`? has no contract, so nothing was compared/u,
      );
      expect(exitCode).toBe(0);
    },
  );

  test("fails if the contract was moved, and its file renamed", async () => {
    const moved = "old/ridl/store.ridl";
    const { exitCode, stderr } = await run({ [moved]: shop });
    expect(stderr).toContain(`${moved}\`, which is gone`);
    expect(exitCode).toBe(1);
  });

  test("may have others that were deleted on purpose", async () => {
    const bank = shop.replace("name = shop", "name = bank");
    const { exitCode, stderr } = await run({
      "bank/ridl.config.yaml": config,
      "bank/schema/bank.ridl": bank,
      "test/fixture.ridl": bank,
    });
    expect(stderr).toContain("has no contract, so nothing was compared");
    expect(exitCode).toBe(0);
  });

  test("may have others that a sparse checkout leaves out", async () => {
    const { exitCode, stderr } = await run({ [old]: shop }, "text", (sandbox) =>
      git(sandbox, "sparse-checkout", "set", "new"),
    );
    expect(stderr).toContain("has no contract, so nothing was compared");
    expect(exitCode).toBe(0);
  });
});

test("fails if one of the given documents was moved", async () => {
  const host = (name: string): string =>
    `webrpc = v1\nname = ${name}\nversion = v1\n\nservice ${name.toUpperCase()}\n  - Ping()\n`;
  const sandbox = createSandbox({ "a.ridl": host("a"), "b.ridl": host("b") });
  makeRepository(sandbox);
  git(sandbox, "checkout", "--quiet", "-b", "topic");
  sandbox.remove("b.ridl");
  sandbox.write({ "new/b.ridl": host("b") });
  const args = ["breaking", "a.ridl", "new/b.ridl", "--against", "main"];
  const { exitCode, stderr } = await sandbox.run(args);
  expect(stderr).toMatch(
    /error\[no-documents\]: `new\/b\.ridl` is not in main \([0-9a-f]{8}\), but `[0-9a-f]{8}:b\.ridl`, which is gone\n/u,
  );
  expect(stderr).toContain("name no documents");
  expect(exitCode).toBe(1);
});

test("names a listed document that the old version does not have", async () => {
  const host = (name: string): string =>
    `webrpc = v1\nname = ${name}\nversion = v1\n\nservice ${name.toUpperCase()}\n  - Ping()\n`;
  const sandbox = createSandbox({
    "now/a.ridl": host("a"),
    "now/c.ridl": `webrpc = v1\nname = b\nversion = v1\n\nservice C\n  - Ping()\n`,
    "before/a.ridl": host("a"),
    "before/b.ridl": host("b"),
  });
  const args = ["breaking", "a.ridl", "c.ridl", "--against", "../before"];
  const { exitCode, stderr } = await sandbox.run(args, { folder: "now" });
  expect(stderr).toContain(
    "info[no-documents]: `c.ridl` is not in ../before, so its old version was not compared\n",
  );
  expect(exitCode).toBe(0);
});
