import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isQuick } from "./support/is-quick.js";
import { createRandomProject } from "./support/random-project.js";
import { createSandbox } from "./support/sandbox.js";
import type { CommandResult, Sandbox } from "./support/sandbox.js";
import { toDrive } from "./support/windows.js";

/**
 * Runs `ridl generate`, and returns whether it generated only the files of some
 * hosts.
 */
async function generate(
  sandbox: Sandbox,
  ofAllHosts = "errors.ts",
): Promise<CommandResult & { readonly isPart: boolean }> {
  const root = toDrive(join(sandbox.root, "generated", ofAllHosts));
  let isWhole = false;
  const result = await sandbox.run(["generate"], {
    patch: (system) => ({
      readText: (path) => {
        isWhole ||= path === root;
        return system.readText(path);
      },
    }),
  });
  return { ...result, isPart: !isWhole };
}

/** Returns the output of a run that generates the same files from scratch. */
async function generateAnew(
  files: Readonly<Record<string, string>>,
): Promise<CommandResult & { readonly output: Record<string, string> }> {
  const fresh = createSandbox(files);
  const result = await fresh.run(["generate"]);
  const output = fresh.snapshot("generated");
  rmSync(fresh.root, { recursive: true, force: true });
  return { ...result, output };
}

const shop = `webrpc = v1
name = shop
version = v1.0.0

import "common.ridl"

# An item.
struct Item
  - id: Id

service Shop
  - GetItem(id: Id) => (item: Item)
`;

const files = {
  "ridl.config.yaml": "schema:\n  - schema/*.ridl\n",
  "schema/common.ridl":
    "webrpc = v1\n\n# An id.\ntype Id: string\n\nstruct Page\n  - number: uint32\n",
  "schema/shop.ridl": shop,
  "schema/stock.ridl": shop
    .replace("name = shop", "name = stock")
    .replaceAll("Item", "Stock")
    .replace("service Shop", "service Stocks"),
};

describe("ridl generate", () => {
  test("generates only the files of a host if the change affects no other host", async () => {
    const sandbox = createSandbox(files);
    await generate(sandbox);
    const before = sandbox.snapshot("generated");
    sandbox.write({
      "schema/shop.ridl": shop.replace("An item", "A thing"),
    });
    expect(await generate(sandbox)).toMatchObject({
      exitCode: 0,
      isPart: true,
    });
    const after = sandbox.snapshot("generated");
    const changed = Object.keys(after).filter(
      (path) => after[path] !== before[path],
    );
    expect(changed).toEqual([".ridl-manifest.json", "shop/types.ts"]);
    const everywhere = await sandbox.run(["generate", "--check"]);
    expect(everywhere.exitCode).toBe(0);
  });

  test.each([
    ["a new type", "service Shop", "struct More\n  - id: Id\n\nservice Shop"],
    [
      "a shared type that was unused before",
      "- id: Id\n\n",
      "- id: Id\n  - page: Page\n\n",
    ],
    ["an error", "# An item.", 'error 7 Gone "gone" HTTP 410\n\n# An item.'],
    ["another method", "  - GetItem", "  - Ping()\n  - GetItem"],
  ])("generates all files if an edit introduces %s", async (_, old, text) => {
    const sandbox = createSandbox(files);
    await generate(sandbox);
    sandbox.write({ "schema/shop.ridl": shop.replace(old, text) });
    expect(await generate(sandbox)).toMatchObject({
      exitCode: 0,
      isPart: false,
    });
    const { output } = await generateAnew({
      ...files,
      "schema/shop.ridl": shop.replace(old, text),
    });
    expect(sandbox.snapshot("generated")).toEqual(output);
  });

  test.each([
    ["a field becomes uint16", "- count: uint32", "- count: uint16", true],
    ["a field becomes uint64", "- count: uint32", "- count: uint64", false],
  ])(
    "generates all files only if a host starts to use 64-bit integers: %s",
    async (_, old, text, isPart) => {
      const exact = {
        "ridl.config.yaml": "schema: [schema/*.ridl]\nint64: bigint\n",
        "schema/common.ridl": `${files["schema/common.ridl"]}  - width: float64\n`,
        "schema/shop.ridl": shop.replace(
          "- id: Id\n\n",
          "- id: Id\n  - price: float64\n  - page: Page\n  - count: uint32\n\n",
        ),
        "schema/stock.ridl": files["schema/stock.ridl"].replace(
          "- id: Id\n\n",
          "- id: Id\n  - number: uint64\n  - page: Page\n\n",
        ),
      };
      const sandbox = createSandbox(exact);
      await generate(sandbox);
      const edited = exact["schema/shop.ridl"].replace(old, text);
      sandbox.write({ "schema/shop.ridl": edited });
      expect(await generate(sandbox)).toMatchObject({ exitCode: 0, isPart });
      const anew = await generateAnew({ ...exact, "schema/shop.ridl": edited });
      expect(sandbox.snapshot("generated")).toEqual(anew.output);
    },
  );

  test("generates only the files of one host in JavaScript", async () => {
    const config = `${files["ridl.config.yaml"]}language: javascript\n`;
    const sandbox = createSandbox({ ...files, "ridl.config.yaml": config });
    await generate(sandbox);
    const before = sandbox.snapshot("generated");
    const edited = shop.replace("item: Item", "item: Item, count: uint32");
    sandbox.write({ "schema/shop.ridl": edited });
    expect(await generate(sandbox, "errors.js")).toMatchObject({
      exitCode: 0,
      isPart: true,
    });
    const after = sandbox.snapshot("generated");
    const changed = Object.keys(after).filter(
      (path) => after[path] !== before[path],
    );
    expect(changed).toContain("shop/printers.js");
    expect(changed).toContain("shop/types.d.ts");
    expect(changed.filter((path) => !path.startsWith("shop/"))).toEqual([
      ".ridl-manifest.json",
    ]);
    expect((await sandbox.run(["generate", "--check"])).exitCode).toBe(0);
    expect(isQuick(sandbox)).toBe(true);
  });

  test("takes the shortcut if nothing has changed", async () => {
    const sandbox = createSandbox(files);
    expect(isQuick(sandbox)).toBe(false);
    await generate(sandbox);
    expect(isQuick(sandbox)).toBe(true);
    const errors = sandbox.read("generated/errors.ts");
    sandbox.write({ "generated/errors.ts": `${errors}\n` });
    expect(isQuick(sandbox)).toBe(false);
    sandbox.write({ "generated/errors.ts": errors });
    sandbox.write({ "schema/more.ridl": "webrpc = v1\n" });
    expect(isQuick(sandbox)).toBe(false);
    sandbox.remove("schema/more.ridl");
    sandbox.write({ "ridl.config.yaml": "schema: [schema/*.ridl]\n" });
    expect(isQuick(sandbox)).toBe(false);
  });

  test("generates all files if an output file has changed", async () => {
    const sandbox = createSandbox(files);
    await generate(sandbox);
    const before = sandbox.snapshot("generated");
    sandbox.write({
      "schema/shop.ridl": `${shop}\n# The end.\n`,
      "generated/stock/types.ts": "// mine\n",
    });
    expect(await generate(sandbox)).toMatchObject({ isPart: false });
    expect(sandbox.read("generated/stock/types.ts")).toBe(
      before["stock/types.ts"],
    );
  });
});

/** An emitter that prints the entire contract. */
const ownEmitter = `
export const emit = ({ types, hosts }) => [
  { path: "shown.json", text: JSON.stringify([types, hosts]) + "\\n" },
];
`;
const withOwnEmitter = {
  config: "emit:\n  - server\n  - client\n  - ./own.mjs\n",
  "own.mjs": ownEmitter,
};

/** Configuration lines that affect generation. */
const settings = [
  { config: "emit: [defaults, compat]\n" },
  { config: "filter: { unused: omit }\n" },
];

test.each([
  ["a project emitter", withOwnEmitter, "shown.json", "errors.ts"],
  [
    "the explorer",
    { config: "emit: [defaults, docs: {title: Shops}]\n" },
    "explorer/index.html",
    "errors.ts",
  ],
  [
    "declaration maps",
    { config: "language: javascript\ndeclarationMaps: true\n" },
    "shop/types.d.ts",
    "errors.js",
  ],
])("generates all files with %s", async (_, more, shown, ofAllHosts) => {
  const { config = "", ...others } = more;
  const project = {
    ...files,
    ...others,
    "ridl.config.yaml": files["ridl.config.yaml"] + config,
  };
  const sandbox = createSandbox(project);
  await generate(sandbox);
  const before = sandbox.snapshot("generated");
  const edited = {
    ...project,
    "schema/shop.ridl": shop.replace("- id: Id", "- key: Id"),
  };
  sandbox.write(edited);
  expect(await generate(sandbox, ofAllHosts)).toMatchObject({
    exitCode: 0,
    isPart: false,
  });
  const after = sandbox.snapshot("generated");
  expect(after).toEqual((await generateAnew(edited)).output);
  expect(after[shown]).not.toBe(before[shown]);
});

test("random edits produce the same files as a run from scratch", async () => {
  let [parts, wholes] = [0, 0];
  const number = fc.nat({ max: 5_000 });
  const edits = fc.array(fc.tuple(number, number, number, number, number), {
    minLength: 6,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom({}, ...settings, withOwnEmitter),
      edits,
      async (hosts, more, all) => {
        const project = createRandomProject(hosts, more);
        const sandbox = createSandbox(project.files());
        await generate(sandbox);
        // After a failed run, the files of the previous run remain.
        let isUpToDate = true;
        for (const [spoil, ...numbers] of all) {
          const before = JSON.stringify(project.files());
          project.edit(numbers);
          sandbox.write(project.files());
          const isEdited = JSON.stringify(project.files()) !== before;
          if (isEdited && isUpToDate) expect(isQuick(sandbox)).toBe(false);
          if (spoil % 12 === 0)
            sandbox.write({ "generated/errors.ts": "// x\n" });
          if (spoil % 12 === 1) spoilManifest(sandbox);
          if (spoil % 12 === 2) {
            rmSync(join(sandbox.root, "generated/index.ts"), { force: true });
          }
          const { isPart, exitCode, stderr } = await generate(sandbox);
          const anew = await generateAnew(project.files());
          expect({ exitCode, stderr }).toEqual({
            exitCode: anew.exitCode,
            stderr: anew.stderr,
          });
          isUpToDate = exitCode === 0;
          if (!isUpToDate) continue;
          expect(sandbox.snapshot("generated")).toEqual(anew.output);
          expect(isQuick(sandbox)).toBe(true);
          if (isPart) parts += 1;
          else wholes += 1;
        }
        rmSync(sandbox.root, { recursive: true, force: true });
      },
    ),
    { numRuns: 15 },
  );
  // Both partial and full runs must occur.
  expect(Math.min(parts, wholes)).toBeGreaterThan(0);
});

/** Simulates files from another version of ridlkit. */
function spoilManifest(sandbox: Sandbox): void {
  const path = "generated/.ridl-manifest.json";
  if (!sandbox.has(path)) return;
  const text = sandbox.read(path);
  sandbox.write({
    [path]: text.replace(/"version": "[^"]*"/u, '"version": ""'),
  });
}
