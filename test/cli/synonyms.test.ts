import { expect, test } from "vitest";
import { catalog } from "../../generator/diagnostics/catalog.js";
import { createSandbox } from "./support/sandbox.js";

test.each(["-V", "-v", "--version", "version"])(
  "%s prints the version",
  async (argument) => {
    const { exitCode, stdout } = await createSandbox().run([argument]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+\.\d+\.\d+\n$/u),
    ]);
  },
);

test("gen is short for generate", async () => {
  const sandbox = createSandbox({
    "a.ridl": "webrpc = v1\nname = a\nversion = v1\n\nstruct A\n",
  });
  expect((await sandbox.run(["gen", "a.ridl"])).exitCode).toBe(0);
  expect(sandbox.has("generated/.ridl-manifest.json")).toBe(true);
});

test("explain lists every code", async () => {
  const { exitCode, stdout } = await createSandbox().run(["explain"]);
  expect(exitCode).toBe(0);
  const codes = stdout.split("\n");
  expect(codes).toEqual(expect.arrayContaining(Object.keys(catalog)));
  expect(codes).toContain("file-access");
});
