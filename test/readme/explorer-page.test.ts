import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { compile, readBlocks, tsconfig } from "./program.js";

const blocks = readBlocks("docs/explorer.md");

function textOf(path: string): string {
  const found = blocks.find((block) => block.path === path);
  return found?.text ?? expect.unreachable(`docs/explorer.md has no ${path}`);
}

test("docs/explorer.md serves a page beside its methods", async () => {
  const sandbox = createSandbox({
    "shop.ridl": textOf("shop.ridl"),
    "ridl.config.yaml": textOf("ridl.config.yaml"),
  });
  expect(await sandbox.run(["fmt", "--check"])).toMatchObject({ exitCode: 0 });
  expect(await sandbox.run(["generate"])).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const server = textOf("server.ts").replace("listen(8080)", "listen(0)");
  const announce = `http.on("listening", () => console.log(JSON.stringify(http.address())));\n`;
  sandbox.write({
    "server.ts": server + announce,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": tsconfig,
  });
  compile(sandbox);
  const child = spawn(process.execPath, ["dist/server.js"], {
    cwd: sandbox.root,
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  const { port } = JSON.parse(String(line));
  const base = `http://localhost:${port}`;
  const page = await fetch(`${base}/`);
  expect(await page.text()).toContain("<title>The shop</title>");
  const policy = blocks.find(({ language }) => language === "text")?.text;
  expect(`${page.headers.get("content-security-policy")}`).toBe(
    policy?.trim().replace("Content-Security-Policy: ", ""),
  );
  const answer = await fetch(`${base}/rpc/Shop/GetBook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"isbn":"1"}',
  });
  expect(await answer.json()).toEqual({ title: "Book 1" });
});
