import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

const page = "docs/mock.md";
const programs = readBlocks(page).filter(({ language }) => language === "ts");

test("docs/mock.md shows programs that compile and run", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const texts = programs.map(({ path, text }) => [path, text] as const);
  const check = `
    import "./in-process.js";
    import "./msw.js";
    import { isOrder } from "./check.js";
    import { server } from "./own-answers.js";

    const ask = async (id: string): Promise<number> => {
      const url = "http://localhost/rpc/Shop/GetOrder";
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ id });
      const request = new Request(url, { method: "POST", headers, body });
      return (await server.fetch(request)).status;
    };
    console.log(isOrder, await ask("AB-000404"), await ask("AB-000001"));
  `;
  const draw = `
    import { Draw } from "@ridlkit/runtime/mock";
    import { drawOrder } from "./generated/mock.js";

    export const isOrder = drawOrder(new Draw("seed")).id.startsWith("AB-");
  `;
  compile(sandbox, {
    ...Object.fromEntries(texts),
    "check.ts": draw,
    "main.ts": check,
  });
  const printed = run(sandbox, "dist/main.js");
  expect(printed).toContain("id: 'AB-123456'");
  expect(printed).toMatch(/\ntrue\ntrue 404 200\n$/u);
  expect(run(sandbox, "dist/describe-order.test.js")).toMatch(/pass 1\b/u);
});

test("docs/mock.md has overrides that ridl mock accepts", async () => {
  const sandbox = createSandbox({ "shop.ridl": textOf(page, "shop.ridl") });
  for (const { language, path, text } of readBlocks(page)) {
    if (language === "json") sandbox.write({ [`answers/${path}`]: text });
  }
  expect(sandbox.has("answers/Shop/GetOrder.json")).toBe(true);
  const args = ["shop.ridl", "--port", "0", "--overrides", "answers"];
  const untilInterrupted = () => Promise.resolve();
  const result = await sandbox.run(["mock", ...args], { untilInterrupted });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(result.stdout).toContain("mock server at http://127.0.0.1:");
});
