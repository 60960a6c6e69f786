import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { compile, generate, textOf } from "./program.js";

const page = "docs/test.md";

test("docs/test.md has a server whose fault is found as it says", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const server = textOf(page, "server.ts").replace("listen(8080)", "listen(0)");
  const announce = `http.on("listening", () => console.log(JSON.stringify(http.address())));\n`;
  compile(sandbox, { "server.ts": server + announce });
  const child = spawn(process.execPath, ["dist/server.js"], {
    cwd: sandbox.root,
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  const { port } = JSON.parse(String(line));
  const [, args = ""] = /^npx ridl (.*)$/mu.exec(textOf(page, "sh")) ?? [];
  const address = `localhost:${port}`;
  const command = args.replace("localhost:8080", address).split(" ");
  // The machine may be busy.
  const patient = [...command, "--max-time", "1000"];
  const { exitCode, stdout } = await sandbox.run(patient);
  expect(exitCode).toBe(1);
  const shown = stdout.replaceAll(address, "localhost:8080");
  expect(shown).toBe(textOf(page, "text"));
});
