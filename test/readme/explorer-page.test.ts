import { expect, test } from "vitest";
import { generate, servePage, textOf } from "./program.js";

const page = "docs/explorer.md#The explorer";
const serving = "docs/explorer.md#Serving the explorer";

test("the program in docs/explorer.md serves a page next to its methods", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const port = await servePage(sandbox, serving);
  const base = `http://localhost:${port}`;
  const shown = await fetch(`${base}/`);
  expect(await shown.text()).toContain("<title>The shop</title>");
  const policy = shown.headers.get("content-security-policy");
  expect(`Content-Security-Policy: ${policy}\n`).toBe(textOf(serving, "text"));
  const answer = await fetch(`${base}/rpc/Shop/GetBook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"isbn":"1"}',
  });
  expect(await answer.json()).toEqual({ title: "Book 1" });
});
