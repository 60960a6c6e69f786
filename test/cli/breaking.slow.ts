import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { System } from "../../cli/system/system.js";
import { commit, git, makeRepository } from "./support/repository.js";
import type { Sandbox } from "./support/sandbox.js";
import { createSandbox } from "./support/sandbox.js";

const config = "schema:\n  - schema/*.ridl\n";
const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";
const shop = `${head}service Shop\n  - Ping()\n  - Pong()\n`;
const smaller = `${head}service Shop\n  - Ping()\n`;

/**
 * Creates a repository whose main branch has the given files, and checks out a
 * new branch, `feature`.
 */
function createRepository(files: Readonly<Record<string, string>>): Sandbox {
  const sandbox = createSandbox(files);
  makeRepository(sandbox);
  git(sandbox, "checkout", "--quiet", "-b", "feature");
  return sandbox;
}

/** Replaces commit hashes with a placeholder. */
function withoutHash(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{8}\b/gu, "⟨commit⟩");
}

test("compares the working tree with the merge base", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
  });
  sandbox.write({ "schema/shop.ridl": smaller });
  const { exitCode, stderr, stdout } = await sandbox.run(["breaking"]);
  expect(exitCode).toBe(1);
  expect(stdout).toBe("");
  expect(withoutHash(stderr))
    .toBe(`error[method-no-delete]: method \`Shop.Pong\` was removed
 --> schema/shop.ridl:5:9
  |
5 | service Shop
  |         ^^^^
 ::: ⟨commit⟩:schema/shop.ridl:7:5
  |
7 |   - Pong()
  |     ---- before
  = note: breaks old clients of the new server, code that calls the client, code that implements the server
  = help: mark it \`@deprecated\`, and keep it until no client calls it

1 error
`);
});

test("does not blame a branch for later changes on the main branch", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": smaller,
  });
  git(sandbox, "checkout", "--quiet", "main");
  sandbox.write({ "schema/shop.ridl": shop });
  commit(sandbox);
  git(sandbox, "checkout", "--quiet", "feature");
  const result = await sandbox.run(["breaking"], { isTerminal: true });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(withoutHash(result.stdout)).toBe(
    "compared with main (⟨commit⟩): nothing breaks\n",
  );
});

test("uses the old configuration to find moved documents", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
  });
  sandbox.remove("schema");
  sandbox.write({
    "ridl.config.yaml": "schema:\n  - contract\n",
    "contract/all.ridl": smaller,
  });
  const { stderr } = await sandbox.run(["breaking"]);
  expect(stderr).toContain("error[method-no-delete]");
  expect(stderr).toContain("--> contract/all.ridl:5:9");
  expect(stderr).toContain(":schema/shop.ridl:7:5");
});

test("uses each configuration's integer type for 64-bit integers", async () => {
  const exact = `${config}int64: bigint\n`;
  const sandbox = createRepository({
    "ridl.config.yaml": exact,
    "schema/shop.ridl": `${head}service Shop\n  - Put(count: uint64)\n`,
  });
  expect((await sandbox.run(["breaking"])).exitCode).toBe(0);
  sandbox.write({ "ridl.config.yaml": config });
  const { exitCode, stderr } = await sandbox.run(["breaking"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "`Shop.Put.count` in requests was `uint64` (a `bigint` in code) and is now `uint64` (a `number` in code)",
  );
});

test("reports that a setting changed the type of timestamps in code", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": `${config}timestamp: date\n`,
    "schema/shop.ridl": `${head}service Shop\n  - Put(at: timestamp)\n`,
  });
  expect((await sandbox.run(["breaking"])).stderr).toBe("");
  sandbox.write({ "ridl.config.yaml": config });
  const { exitCode, stderr } = await sandbox.run(["breaking"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "warning[field-same-type]: `Shop.Put.at` was `timestamp` (a `Date` in code) and is now `timestamp` (a `string` in code)",
  );
});

test("reads imports of old documents, even from a subfolder", async () => {
  const types = (type: string): string =>
    `webrpc = v1\n\nstruct Book\n  - price: ${type}\n`;
  const entry = `${head}import "./types.ridl"\n\nservice Shop\n  - Get() => (book: Book)\n`;
  const sandbox = createRepository({
    "api/ridl.config.yaml": config,
    "api/schema/shop.ridl": entry,
    "api/schema/types.ridl": types("uint32"),
  });
  sandbox.write({ "api/schema/types.ridl": types("string") });
  const { stderr } = await sandbox.run(["breaking"], { folder: "api" });
  expect(stderr).toContain("error[field-same-json-kind]");
  expect(stderr).toContain("--> schema/types.ridl:4:5");
  expect(withoutHash(stderr)).toContain(
    "::: ⟨commit⟩:api/schema/types.ridl:4:5",
  );
});

test.skipIf(process.platform === "win32")(
  "follows links in a revision",
  async () => {
    const types = (type: string): string =>
      `webrpc = v1\n\nstruct Book\n  - price: ${type}\n`;
    const entry = `${head}import "./shared/types.ridl"\n\nservice Shop\n  - Get() => (book: Book)\n`;
    const sandbox = createSandbox({
      "api/ridl.config.yaml": config,
      "api/schema/shop.ridl": entry,
      "common/real.ridl": types("uint32"),
    });
    for (const [path, target] of [
      ["api/schema/shared", "../../common"],
      ["common/types.ridl", "real.ridl"],
    ] as const) {
      symlinkSync(target, join(sandbox.root, path));
    }
    makeRepository(sandbox);
    const run = () =>
      sandbox.run(["breaking", "--against", "main"], { folder: "api" });
    expect(await run()).toMatchObject({ exitCode: 0, stderr: "" });
    sandbox.write({ "common/real.ridl": types("string") });
    expect((await run()).stderr).toContain("error[field-same-json-kind]");
  },
);

test("compares with any revision or folder", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
    "old/ridl.config.yaml": config,
    "old/schema/shop.ridl": shop,
  });
  sandbox.write({ "schema/shop.ridl": smaller });
  commit(sandbox);
  const runs = ["HEAD", "HEAD~1", "./old"].map((against) =>
    sandbox.run(["breaking", "--against", against]),
  );
  const [same, before, folder] = await Promise.all(runs);
  expect(same?.exitCode).toBe(0);
  expect(before?.exitCode).toBe(1);
  expect(folder?.stderr).toContain("::: old/schema/shop.ridl:7:5");
});

test("uses the configuration unless flags override it", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": `${config}breaking:\n  against: ./old\n  strict: true\n  rules:\n    method-no-delete: warning\n`,
    "schema/shop.ridl": `${smaller}  - Peng() => (at: timestamp)\n`,
    "old/ridl.config.yaml": config,
    "old/schema/shop.ridl": shop,
  });
  const { exitCode, stderr } = await sandbox.run(["breaking", "--all"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("warning[method-no-delete]");
  expect(stderr).toContain("info[method-added]");
  const quiet = await sandbox.run(["breaking", "--against", "./schema/.."]);
  expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
});

test("reports a removed host at its own document instead of another document", async () => {
  const depot = shop.replace("name = shop", "name = depot");
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/depot.ridl": depot.replace("service Shop", "service Depot"),
    "schema/shop.ridl": shop,
  });
  sandbox.remove("schema/depot.ridl");
  const { stderr } = await sandbox.run(["breaking"]);
  expect(withoutHash(stderr)).toContain(
    "service `Depot` was removed\n --> ⟨commit⟩:schema/depot.ridl:5:9\n",
  );
});

test("prints findings as machine-readable data", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
  });
  sandbox.write({ "schema/shop.ridl": smaller });
  const { stdout } = await sandbox.run(["breaking", "--format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    diagnostics: [{ code: "method-no-delete", file: "schema/shop.ridl" }],
  });
});

test("succeeds and reports that there was no contract before", async () => {
  const sandbox = createRepository({ "README.md": "nothing yet" });
  sandbox.write({ "ridl.config.yaml": config, "schema/shop.ridl": shop });
  const { exitCode, stderr } = await sandbox.run(["breaking"]);
  expect(exitCode).toBe(0);
  expect(withoutHash(stderr)).toContain(
    "main (⟨commit⟩) has no contract, so nothing was compared\n",
  );
});

test("fails if a folder has no contract", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
    "before/shop.ridl": shop,
  });
  const { exitCode, stderr } = await sandbox.run([
    "breaking",
    "--against=./before",
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("folder `./before` has no contract");
  expect(stderr).toContain("the same paths");
});

test("uses the current configuration if the revision has none", async () => {
  const sandbox = createRepository({ "schema/shop.ridl": shop });
  sandbox.write({
    "ridl.config.yaml": `schema:\n  - schema/*.ridl\n  - more/*.ridl\n`,
    "schema/shop.ridl": smaller,
    "more/new.ridl": shop.replaceAll(/shop/giu, "New"),
    "old/schema/shop.ridl": shop,
  });
  for (const against of ["main", "./old"]) {
    const args = ["breaking", `--against=${against}`];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(stderr).toContain("error[method-no-delete]");
    expect(exitCode).toBe(1);
  }
});

test("treats a document as new if the revision does not have it", async () => {
  const sandbox = createRepository({ "shop.ridl": shop });
  sandbox.write({ "shop.ridl": smaller, "new.ridl": shop });
  const { exitCode, stderr } = await sandbox.run(["breaking", "new.ridl"]);
  expect(exitCode).toBe(0);
  expect(withoutHash(stderr)).toContain(
    "main (⟨commit⟩) has no contract, so nothing was compared\n",
  );
});

test("names the revision if its configuration is invalid", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": "schema: 3\n",
    "schema/shop.ridl": shop,
  });
  sandbox.write({ "ridl.config.yaml": config });
  const { stderr } = await sandbox.run(["breaking"]);
  expect(withoutHash(stderr)).toContain("--> ⟨commit⟩:ridl.config.yaml:1:9");
});

test.each(["now", "before"])(
  "reports errors in documents: %s",
  async (which) => {
    const broken = `${head}service Shop\n  - Ping(a: Nope)\n`;
    const sandbox = createRepository({
      "ridl.config.yaml": config,
      "schema/shop.ridl": which === "now" ? shop : broken,
    });
    sandbox.write({ "schema/shop.ridl": which === "now" ? broken : shop });
    const { exitCode, stderr } = await sandbox.run(["breaking"]);
    expect(exitCode).toBe(1);
    expect(withoutHash(stderr)).toContain(
      `--> ${which === "now" ? "" : "⟨commit⟩:"}schema/shop.ridl:6:13`,
    );
  },
);

test.each([
  ["nowhere", "git has no revision `nowhere`"],
  ["--output=x", "git has no revision `--output=x`"],
  ["../nowhere", "folder `../nowhere` does not exist"],
])("does not compare with %s", async (against, message) => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
  });
  const args = ["breaking", `--against=${against}`];
  const { exitCode, stderr } = await sandbox.run(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test("explains why there is no merge base", async () => {
  const files = { "ridl.config.yaml": config, "schema/shop.ridl": shop };
  const other = createRepository(files);
  other.write({ "schema/shop.ridl": smaller });
  commit(other);
  const sandbox = createRepository(files);
  git(sandbox, "checkout", "--quiet", "--orphan", "alone");
  sandbox.write({ "schema/shop.ridl": smaller });
  commit(sandbox);
  const unrelated = await sandbox.run(["breaking"]);
  expect(unrelated.exitCode).toBe(2);
  expect(unrelated.stderr).toBe(
    [
      "error: this clone has no common ancestor of `main` and HEAD",
      "  = help: choose another revision, or check out `main` in a folder and compare with that: `--against ../before`",
      "",
    ].join("\n"),
  );
  const url = pathToFileURL(other.root).href;
  git(sandbox, "fetch", "--quiet", "--depth", "1", url, "feature:shallow");
  const shallow = await sandbox.run(["breaking", "--against", "shallow"]);
  expect(shallow.exitCode).toBe(2);
  expect(shallow.stderr).toContain("git fetch --unshallow");
});

test("reads each old file only once", async () => {
  const sandbox = createRepository({
    "ridl.config.yaml": config,
    "schema/shop.ridl": shop,
  });
  const blobs: string[] = [];
  const patch = (system: System) => ({
    runGit: (...[folder, args]: Parameters<System["runGit"]>) => {
      if (args[0] === "cat-file") blobs.push(args.at(-1) ?? "");
      return system.runGit(folder, args);
    },
  });
  expect((await sandbox.run(["breaking"], { patch })).exitCode).toBe(0);
  expect(blobs.map((blob) => blob.replace(/^.*:/u, ""))).toEqual([
    "ridl.config.yaml",
    "schema/shop.ridl",
  ]);
});

test("requires a repository or an explicit base", async () => {
  const files = { "ridl.config.yaml": config, "schema/shop.ridl": shop };
  const patch = () => ({ runGit: () => null });
  const none = await createSandbox(files).run(["breaking"], { patch });
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain("this is not a git repository");
  const sandbox = createSandbox(files);
  git(sandbox, "init", "--quiet", "--initial-branch", "trunk");
  const empty = await sandbox.run(["breaking"]);
  expect(empty.exitCode).toBe(2);
  expect(empty.stderr).toContain("cannot determine the main branch");
});
