import { expect, test } from "vitest";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createSandbox } from "../cli/support/sandbox.js";
import { compileErrors, run } from "../readme/program.js";
import { referenceFolder } from "./support/expect-pages.js";
import { createApiProject, readApi } from "./support/read-api.js";
import { createApiPages, readExample } from "./support/create-api-pages.js";

test("docs/reference/ridlkit.md describes every export and shows how to use it", async () => {
  const { program } = readExample("ridlkit");
  const sandbox = createSandbox({ "ridlkit.ts": program });
  const modules = join(sandbox.root, "node_modules");
  const project = createApiProject();
  const declarations = resolve("dist/cli/index.d.ts");
  const [api = new Map()] = readApi(project, [declarations]);
  const entries = [{ specifier: "ridlkit", page: "ridlkit.md", api }];

  sandbox.write({ "node_modules/.keep": "" });
  symlinkSync(resolve("."), join(modules, "ridlkit"));
  expect(compileErrors(sandbox, {})).toBe("");
  expect(run(sandbox, "dist/ridlkit.js")).toContain("client.ts");

  const file = project.addSourceFileAtPath(`${sandbox.root}/ridlkit.ts`);
  const programs = new Map([["ridlkit", file]]);
  const { faults, pages } = createApiPages(entries, programs, "");
  expect(faults).toEqual([]);
  const path = `../../${referenceFolder}/ridlkit.md`;
  await expect(pages.get("ridlkit.md")).toMatchFileSnapshot(path);
});
