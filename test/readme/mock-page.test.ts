import { expect, test } from "vitest";
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
  expect(run(sandbox, "dist/main.js")).toBe("true 404 200\n");
  const order = run(sandbox, "dist/in-process.js");
  expect(order).toContain("id: 'AB-123456'");
  expect(run(sandbox, "dist/in-process.js")).toBe(order);
  expect(run(sandbox, "dist/msw.js")).toBe("true\n");
});
