import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileSources } from "../../apps/playground/worker/compile-sources.js";
import { LanguageService } from "../../tools/editor/service/language-service.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { readBlocks } from "./program.js";

const page = "docs/learn.md";
const contracts = readBlocks(page).map(({ language, text }) => {
  expect(language).toBe("ridl");
  return text;
});

test.for(contracts.map((text, at) => [at + 1, text] as const))(
  "contract %i of docs/learn.md runs in the playground",
  async ([, text]) => {
    const service = new LanguageService({ reader: { read: () => null } });
    service.setDocument("shop.ridl", text);
    expect(
      service.diagnoseAll().flatMap(({ diagnostics }) => diagnostics),
    ).toEqual([]);
    const compiled = compileSources(new Map([["shop.ridl", text]]));
    expect(compiled?.hosts).toHaveLength(1);
    const sandbox = createSandbox({ "shop.ridl": text });
    const result = await sandbox.run(["fmt", "--check", "shop.ridl"]);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  },
);

test("docs/learn.md has at most 900 words", () => {
  expect(contracts.length).toBeGreaterThan(6);
  const words = readFileSync(page, "utf8").split(/\s+/u).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(900);
});
