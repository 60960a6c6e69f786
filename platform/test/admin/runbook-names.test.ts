import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { usages } from "../../admin/usage.js";

/** Names that belong to other programs, or that no file contains as a whole. */
const others = [
  ".platform/",
  "npm start -- --ready-file ready.json",
  "embeddedChain: null",
  "monitoring",
  ".platform/secret",
  "OTEL_EXPORTER_OTLP_…",
  "OTEL_RESOURCE_ATTRIBUTES",
  'owner: { role: owner, password: "scrypt$..." }',
  "postgresql-client",
];

/** All files of the platform except its pages, its tests and generated files. */
const sources = readdirSync("platform", { encoding: "utf8", recursive: true })
  .filter((file) => /\.(?:tsx?|ya?ml|ridl|json|sql)$/u.test(file))
  .filter((file) => !/(?:^|\/)(?:test|generated|node_modules)\//u.test(file))
  .map((file) => readFileSync(`platform/${file}`, "utf8"))
  .join("\n");

const text = readFileSync("platform/README.md", "utf8");
const withoutBlocks = text.replace(/^( *)```sh\n[^]*?\n *```$/gmu, "");
const names = [
  ...new Set(
    [...withoutBlocks.matchAll(/`([^`\n]+)`/gu)].map(([, name = ""]) => name),
  ),
];

/** Whether a name of the runbook is a command, or is in the source. */
function isKnown(name: string): boolean {
  if (/^[a-z]+ [a-z-]+ </u.test(name) || usages.has(name)) {
    return usages.has(name.replace(/ <.*/u, ""));
  }
  return sources.includes(name);
}

test("every log line, setting, alert and command in the runbook exists", () => {
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !isKnown(name))).toEqual(others);
});
