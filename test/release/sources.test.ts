import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  findStale,
  hashSources,
  measured,
} from "../../bench/harness/sources.js";

/** Writes the sources that the server benchmark measures. */
function writeSources(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of measured.server) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, "runtime/typescript/add.ts"), text);
  return folder;
}

const text = "export const add = (left: number) => left + 1;\n";

it.each([
  ["a comment", `/** Adds 1. */\n${text}`],
  ["the format", text.replace("(left: number)", "(\n  left: number,\n)")],
  ["a type", text.replace("number", "bigint")],
])("the hash of a report does not depend on %s", async (_, changed) => {
  const hash = await hashSources("server", writeSources(text));
  expect(await hashSources("server", writeSources(changed))).toBe(hash);
});

it("the hash of a report depends on the types of generated code", async () => {
  const hashes = ["number", "string"].map((type) => {
    const folder = writeSources(text);
    const generated = `export type Id = ${type};\n`;
    writeFileSync(join(folder, "generated/types.ts"), generated);
    return hashSources("typecheck", folder);
  });
  const [first, second] = await Promise.all(hashes);
  expect(first).not.toBe(second);
});

it("a report of other sources is stale", async () => {
  const folder = writeSources(text);
  const hash = await hashSources("server", folder);
  const report = `# Servers\n\nHash of the measured sources: \`${hash}\`.\n`;
  expect(await findStale("server", report, folder)).toBe(false);
  writeFileSync(
    join(folder, "runtime/typescript/add.ts"),
    text.replace("1", "2"),
  );
  const stale = /server\.md measured other sources/u;
  expect(await findStale("server", report, folder)).toMatch(stale);
  expect(await findStale("server", "# Servers\n", folder)).toMatch(stale);
});
