import { expect, test } from "vitest";
import { parse } from "yaml";
import { action } from "../ci/action.js";
import { readBlocks, textOf } from "./program.js";

const page = "docs/ci.md";

test("docs/ci.md has a workflow with inputs that the action has", () => {
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
