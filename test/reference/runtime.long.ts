import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { compileErrors, generate, run } from "../readme/program.js";
import { expectPages, referenceFolder } from "./support/expect-pages.js";
import { createApiProject } from "./support/read-api.js";
import {
  createApiPages,
  nameOfEntry,
  readExample,
  readRuntime,
} from "./support/create-api-pages.js";

const examples = `${referenceFolder}/examples`;

/** Settings for the generated code that examples import. */
const settings = `schema: [shop.ridl]
emit: [defaults, docs, mcp, mock, schemas]
`;

test("docs/reference/runtime describes every export and shows how to use it", async () => {
  const sandbox = await generate({
    "shop.ridl": readFileSync(`${examples}/shop.ridl`, "utf8"),
    "ridl.config.yaml": settings,
  });
  const project = createApiProject();
  const entries = readRuntime(project);
  const names = entries.map(nameOfEntry);
  const files = readdirSync(`${examples}/runtime`);
  expect(files.sort()).toEqual(names.map((name) => `${name}.ts`).sort());

  const texts = names.map((name) => [
    `${name}.ts`,
    readExample(`runtime/${name}`).program,
  ]);
  const errors = compileErrors(sandbox, {
    "shop.ts": readFileSync(`${examples}/shop.ts`, "utf8"),
    ...Object.fromEntries(texts),
    "main.ts": names.map((name) => `import "./${name}.js";\n`).join(""),
  });
  expect(errors).toBe("");
  // Fails if a program throws or does not end by itself.
  expect(run(sandbox, "dist/main.js")).toContain("BookNotFound");

  const programs = new Map(
    names.map((name) => {
      const path = `${sandbox.root}/${name}.ts`;
      return [name, project.addSourceFileAtPath(path)];
    }),
  );
  const { faults, pages } = createApiPages(entries, programs, "runtime/");
  expect(faults).toEqual([]);
  await expectPages(`${referenceFolder}/runtime`, pages);
});
