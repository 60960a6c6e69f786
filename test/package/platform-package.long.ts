import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  attwReport,
  clientName,
  pack,
  packageClient,
  publintMessages,
} from "./packed.js";

it("passes publint and are-the-types-wrong", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packageFolder = join(folder, "package");
  expect(await packageClient(packageFolder)).toBe(0);
  expect(await publintMessages(packageFolder)).toEqual([]);
  const report = await attwReport(pack(packageFolder, folder));
  expect(report).toContain(`"${clientName}/indexer/webhooks"`);
  expect(report).not.toContain("❌");
});
