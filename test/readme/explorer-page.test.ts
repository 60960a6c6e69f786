import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { compile, generate, textOf } from "./program.js";

const page = "docs/explorer.md";

test("docs/explorer.md serves a page beside its methods", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const server = textOf(page, "server.ts").replace("listen(8080)", "listen(0)");
  const announce = `http.on("listening", () => console.log(JSON.stringify(http.address())));\n`;
  compile(sandbox, { "server.ts": server + announce });
  const child = spawn(process.execPath, ["dist/server.js"], {
    cwd: sandbox.root,
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  const { port } = JSON.parse(String(line));
  const base = `http://localhost:${port}`;
  const shown = await fetch(`${base}/`);
  expect(await shown.text()).toContain("<title>The shop</title>");
  const policy = shown.headers.get("content-security-policy");
  expect(`Content-Security-Policy: ${policy}\n`).toBe(textOf(page, "text"));
  const answer = await fetch(`${base}/rpc/Shop/GetBook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"isbn":"1"}',
  });
  expect(await answer.json()).toEqual({ title: "Book 1" });
});
