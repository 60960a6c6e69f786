import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { compile, run, textOf } from "./program.js";

const page = "docs/skew.md";

test("the page about skew has a program with the documented output", async () => {
  const files = ["ridl.config.yaml", "shop.ridl", "released/v1.3.0/shop.ridl"];
  const sandbox = createSandbox({
    ...Object.fromEntries(files.map((path) => [path, textOf(page, path)])),
    "old/ridl.config.yaml":
      "schema: [../released/v1.3.0/shop.ridl]\nskew: {}\n",
  });
  for (const command of [
    ["fmt", "--check", "shop.ridl", "released/v1.3.0/shop.ridl"],
    ["breaking", "--record"],
    ["generate"],
    ["generate", "--config", "old/ridl.config.yaml"],
  ]) {
    const result = await sandbox.run(command);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  }
  compile(sandbox, { "client.ts": textOf(page, "client.ts") });
  const printed = run(sandbox, "dist/client.js");
  expect(printed).toBe(textOf(page, "client.txt"));
  sandbox.write({ "calls.json": textOf(page, "calls.json") });
  const used = await sandbox.run(["breaking", "--in-use", "calls.json"]);
  expect(used.stdout).toBe(textOf(page, "in-use.txt"));
  expect(used.exitCode).toBe(1);
});
