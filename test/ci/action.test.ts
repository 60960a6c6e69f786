import { describe, expect, test } from "vitest";
import { action, runAction } from "./action.js";
import { checkOut, checks, config, pullRequest } from "./checkout.js";

describe("action.yml", () => {
  test("is a composite action whose scripts contain no expressions", () => {
    expect(action.runs.using).toBe("composite");
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  test("annotates drift and breaking changes, and writes a report", async () => {
    const sandbox = await checkOut();
    const results = runAction(sandbox, checks, config, pullRequest);
    expect(results.get("Find ridlkit")?.status).toBe(0);
    expect(results.get("Check the contract")).toEqual({
      status: 0,
      output: "",
    });
    const drift = results.get("Compare generated code");
    expect(drift?.status).toBe(1);
    expect(drift?.output).toMatch(/^::error .*title=drift/mu);
    const breaking = results.get("Find breaking changes");
    expect(breaking?.status).toBe(1);
    expect(breaking?.output).toContain("::error file=api/shop.ridl,line=5,");
    expect(sandbox.read("temp/summary.md")).toContain(
      "### Breaks existing clients\n\n- **error:** method `Shop.Pong` was removed",
    );
  });

  test("does not run code of a fork with the rights of the base branch", async () => {
    const sandbox = await checkOut();
    const run = (event: Readonly<Record<string, string>>) =>
      runAction(sandbox, ["Find ridlkit"], config, event).get("Find ridlkit");
    const base = { GITHUB_SHA: "0".repeat(40) };
    for (const name of ["pull_request_target", "workflow_run"]) {
      const result = run({ ...base, GITHUB_EVENT_NAME: name });
      expect(result?.status).toBe(1);
      expect(result?.output).toContain(`\`${name}\` runs with the rights`);
    }
    const usual = { ...base, GITHUB_EVENT_NAME: "pull_request" };
    expect(run(usual)?.status).toBe(0);
  });
});
