import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { emitCase, goldenCases, readTree } from "../support/golden-cases.js";

const isUpdate =
  process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined;

describe("what every emitter writes", () => {
  it.each(goldenCases().map((golden) => [golden.name, golden] as const))(
    "%s",
    (_, golden) => {
      const emitted = new Map(
        emitCase(golden)
          // The copied runtime, and what every explorer has, are tested where
          // they are at home.
          .filter(({ path }) => !/^runtime\/|^explorer\/explorer\./u.test(path))
          .map(({ path, text }) => [path, text]),
      );
      if (isUpdate) writeTree(golden.expected, emitted);
      const expected = readTree(golden.expected);
      expect([...emitted.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [path, text] of emitted) {
        expect(text, `${golden.name}/${path}`).toBe(expected.get(path));
      }
    },
  );

  it("is the same on every run", () => {
    for (const golden of goldenCases()) {
      expect(emitCase(golden)).toEqual(emitCase(golden));
    }
  });
});

function writeTree(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
