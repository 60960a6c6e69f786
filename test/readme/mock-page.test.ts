import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";

const page = "docs/mock.md";

test("docs/mock.md lists the flags of ridl mock", async () => {
  const { stdout } = await createSandbox().run(["mock", "--help"]);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu)]
    .map(([, flag = ""]) => flag)
    .filter((flag) => flag !== "--help");
  const [, table = ""] = readFileSync(page, "utf8").split("## `ridl mock`");
  const rows = [...table.matchAll(/^\| .*$/gmu)].join("\n");
  const documented = [...rows.matchAll(/`(--[\w-]+)/gu)].map(
    ([, flag]) => flag,
  );
  expect(documented.sort()).toEqual(flags.sort());
});
