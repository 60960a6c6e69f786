import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { action } from "../ci/action.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { readBlocks, textOf } from "./program.js";

const page = "docs/ci.md";

test("the workflow in docs/ci.md sets only inputs of the action", () => {
  const { jobs } = parse(textOf(page, ".github/workflows/contract.yml"));
  const steps: readonly { uses?: string; with?: object }[] =
    jobs.contract.steps;
  const step = steps.find(({ uses }) => uses?.includes("ridlkit"));
  expect(Object.keys(action.inputs)).toEqual(
    expect.arrayContaining(Object.keys(step?.with ?? {})),
  );
  const yaml = readBlocks(page).filter(({ language }) => language === "yaml");
  expect(yaml).toHaveLength(3);
  for (const { text } of yaml) expect(parse(text)).toBeTypeOf("object");
});

test("docs/ci.md has tasks for lint-staged that any project can load", async () => {
  const path = "lint-staged.config.mjs";
  const sandbox = createSandbox({ [path]: textOf(page, path) });
  const url = pathToFileURL(join(sandbox.root, path)).href;
  const loaded: { default: Readonly<Record<string, readonly unknown[]>> } =
    await import(url);
  const commands = (loaded.default["*.ridl"] ?? []).map((task): unknown =>
    typeof task === "function" ? task(["a.ridl"]) : task,
  );
  expect(commands).toEqual(["ridl fmt", "ridl check", "ridl generate --check"]);
});
