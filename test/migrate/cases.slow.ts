import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawSome } from "../support/draw-some.js";
import { runTsc } from "../support/run-tsc.js";
import { expectCase, isUpdating, root } from "./expect-case.js";

const all = readdirSync(root);
// Each case loads the compiler four times.
const cases = isUpdating ? all : drawSome(all, 8);

describe.each(cases)("%s", (name) => {
  test("becomes calls of the generated client", async () => {
    const project = await expectCase(name);
    // Code that the command leaves alone can have errors.
    if (name.endsWith("leftovers") || isUpdating) return;
    expect(runTsc(join(project.root, "tsconfig.json")).stdout).toBe("");
  });
});
