import { describe, expect, it } from "vitest";
import type { Exports } from "../support/run-emitted.js";
import { emitCase, goldenCases } from "../support/golden-cases.js";
import { hostileText } from "../support/hostile-contract.js";
import { importEmitted } from "../support/import-emitted.js";

/** Bundles and runs every TypeScript file of a case. */
async function run(name: string): Promise<Exports> {
  const golden = goldenCases().find((candidate) => candidate.name === name);
  if (golden === undefined) throw new Error(`no case ${name}`);
  const files = emitCase(golden);
  const modules = files.filter(({ path }) => path.endsWith(".ts"));
  return importEmitted(
    files,
    modules.map(({ path }, at) => `export * as file${at} from "/${path}";`),
  );
}

const hostileCases = goldenCases()
  .map(({ name }) => name)
  .filter((name) => /hostile|names/u.test(name));

describe("a hostile contract", () => {
  it("has no side effects when its code runs, and keeps its text", async () => {
    const modules = await run("hostile");
    expect(Object.keys(globalThis)).not.toContain("hijacked");
    const exported: Readonly<Record<string, unknown>> = Object.assign(
      {},
      ...Object.values(modules),
    );
    expect(exported["errors"]).toHaveProperty(
      ["Er*/ror", "message"],
      hostileText,
    );
    expect(Object.values(Object(exported["Enum"]))).toContain(hostileText);
    const isEnum = exported["isEnum"];
    if (typeof isEnum !== "function") throw new Error("isEnum is missing");
    expect(isEnum(hostileText)).toBe(true);
    expect(isEnum("toString")).toBe(false);
  });

  it.each(hostileCases)("%s runs without side effects", async (name) => {
    expect(Object.keys(await run(name)).length).toBeGreaterThan(3);
    expect(Object.keys(globalThis)).not.toContain("hijacked");
  });

  it.each(hostileCases)("%s contains no invisible characters or script end tags", (name) => {
    const golden = goldenCases().find((each) => each.name === name);
    if (golden === undefined) throw new Error(`no case ${name}`);
    for (const { path, text } of emitCase(golden)) {
      if (!path.endsWith(".ts")) continue;
      expect(text, path).not.toMatch(/<\/script/iu);
      expect(text, path).not.toMatch(/[\u2028\u2029\u202e\0\r]/u);
    }
  });
});
