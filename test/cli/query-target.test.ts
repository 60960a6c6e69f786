import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const header = "webrpc = v1\nname = shop\nversion = v1.0.0\n\nservice Shop\n";
const unmarked = `${header}  - GetOrder(id: uint32) => (note: string)
  - Pay(id: uint32) => ()
  @idempotencyKey
  - Order(id: uint32) => ()
  - Watch() => stream (note: string)
`;
const marked = unmarked.replace("  - Get", "  @readonly\n  - Get");

function shopWith(setting: string, schema: string) {
  return createSandbox({
    "shop.ridl": schema,
    "ridl.config.yaml": `schema: [shop.ridl]\nemit:\n  - query${setting}\n`,
  });
}

const names = "`Shop.GetOrder`, `Shop.Pay`, `Shop.Watch`";

test.each([
  ["", unmarked, "no method has a query", names],
  [": vue", unmarked, "no method has a query", names],
  [
    ":\n      queries: all",
    unmarked,
    "queries call methods that are not marked",
    names,
  ],
  [
    ": { framework: vue, queries: all }",
    marked,
    "queries call methods that are not marked",
    "`Shop.Pay`, `Shop.Watch`",
  ],
])(
  "`query%s` reports methods without marks, in `check` and `generate`",
  async (setting, schema, message, names) => {
    const sandbox = shopWith(setting, schema);
    for (const command of ["check", "generate"]) {
      const { exitCode, stderr } = await sandbox.run([command]);
      expect(stderr).toContain(`warning[unmarked-queries]: ${message}`);
      expect(stderr).toContain(`the methods without marks: ${names}`);
      expect(exitCode).toBe(0);
    }
    const strict = await sandbox.run(["check", "--strict"]);
    expect(strict.exitCode).toBe(1);
  },
);

test("nothing is reported if the setting says that all methods write", async () => {
  const sandbox = shopWith(": { queries: reads }", unmarked);
  const { exitCode, stderr } = await sandbox.run(["check", "--strict"]);
  expect(stderr).not.toContain("unmarked");
  expect(exitCode).toBe(0);
});

test("nothing is reported if some methods are marked", async () => {
  const sandbox = shopWith("", marked);
  expect((await sandbox.run(["check"])).stderr).not.toContain("unmarked");
  await sandbox.run(["generate"]);
  const text = sandbox.read("generated/query.ts");
  expect(text).toContain("getOrder: queryMethod(");
  expect(text).toContain("pay: mutationMethod(");
  expect(text).toContain("order: keyedMutationMethod(");
  expect(text).not.toContain("watch");
});

test("a host with nothing to offer has no file", async () => {
  const sandbox = shopWith(
    "",
    `${header}  - Watch() => stream (note: string)\n`,
  );
  await sandbox.run(["generate"]);
  expect(sandbox.has("generated/query.ts")).toBe(false);
});

test("a wrong setting is explained", async () => {
  const sandbox = shopWith(": { queries: some }", marked);
  const { stderr } = await sandbox.run(["check"]);
  expect(stderr).toContain("must be one of `reads`, `all`");
});
