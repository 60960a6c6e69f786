import { expect, test } from "vitest";
import { startNative } from "./editor-definitions.js";
import {
  createProject,
  expectDefinitions,
  generated,
  packaged,
} from "./expect-definitions.js";

test.each([
  ["a packaged client", packaged],
  ["a generated client", generated],
])(
  "navigates with TypeScript 7 from %s to the contract",
  (_, client) => expectDefinitions(startNative, client),
  60_000,
);

test("updates the declaration maps of all hosts after an edit", async () => {
  const project = await createProject(generated);
  const before = project.read("generated/errors.d.ts.map");
  project.write({ "common.ridl": `# New.\n${project.read("common.ridl")}` });
  expect((await project.run(["generate"])).exitCode).toBe(0);
  expect(project.read("generated/errors.d.ts.map")).not.toBe(before);
  project.write({ "stock.ridl": `# New.\n${project.read("stock.ridl")}` });
  expect((await project.run(["generate"])).exitCode).toBe(0);
  const { exitCode, stdout } = await project.run(["generate", "--check"]);
  expect(stdout).toBe("nothing changed\n");
  expect(exitCode).toBe(0);
});

test("writes and removes declaration maps in another output folder", async () => {
  const project = await createProject(generated);
  const config = "ridl.config.yaml";
  const text = project.read(config);
  const without = text.replace("declarationMaps: true", "");
  const map = "other/errors.d.ts.map";
  for (const [settings, hasMaps] of [
    [without, false],
    [text, true],
    [without, false],
  ] as const) {
    project.write({ [config]: settings });
    await project.run(["generate", "--out", "other"]);
    expect(project.has(map)).toBe(hasMaps);
  }
});

test("declaration maps require JavaScript", async () => {
  const project = await createProject(generated);
  const config = "ridl.config.yaml";
  const text = project.read(config);
  project.write({ [config]: text.replace("language: javascript\n", "") });
  expect((await project.run(["generate", "--check"])).exitCode).toBe(0);
  const other = text.replace("javascript", "typescript");
  project.write({ [config]: other.replace("true", "false") });
  expect((await project.run(["generate", "--dry-run"])).exitCode).toBe(0);
  project.write({ [config]: other });
  const { exitCode, stderr } = await project.run(["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "`language` must be `javascript` if `declarationMaps` is `true`",
  );
});
