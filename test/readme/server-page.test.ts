import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { compile, readBlocks, tsconfig } from "./program.js";

const blocks = readBlocks("docs/server.md");
const programs = blocks.filter(({ language }) => language === "ts");

/** What stands before each program of the page. */
const prelude = `
import { createKey, type Interceptor } from "ridlkit/runtime/server";
import { toPointer } from "ridlkit/runtime/validation";
import { createShopServer, type ShopServerOptions } from "./generated/server.js";

const required: ShopServerOptions = {
  verifyApiKey: () => true,
  handlers: {
    shop: {
      getPrice: () => ({ cents: 6400 }),
      order: () => Promise.resolve({ id: 7 }),
    },
  },
};
`;

/** Starts, is told to stop, and must end by itself. */
const stop = `setTimeout(() => process.kill(process.pid, "SIGTERM"), 50);`;

test("docs/server.md shows programs that compile and run", async () => {
  const [contract] = blocks.filter(({ path }) => path === "shop.ridl");
  const sandbox = createSandbox({ "shop.ridl": contract?.text ?? "" });
  expect(await sandbox.run(["fmt", "--check", "shop.ridl"])).toMatchObject({
    exitCode: 0,
  });
  expect(await sandbox.run(["generate", "shop.ridl"])).toMatchObject({
    exitCode: 0,
  });
  expect(programs.length).toBeGreaterThan(8);
  programs.forEach(({ text }, index) => {
    const ending = text.includes("SIGTERM") ? stop : "";
    const body = text.replace("8080", "0");
    sandbox.write({ [`example-${index}.ts`]: prelude + body + ending });
  });
  const imports = programs.map((_, index) => `import "./example-${index}.js";`);
  const settings = JSON.parse(tsconfig);
  settings.compilerOptions.noUnusedLocals = false;
  sandbox.write({
    "main.ts": imports.join("\n"),
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify(settings),
  });
  const telemetry = "node_modules/@opentelemetry";
  mkdirSync(join(sandbox.root, "node_modules"));
  symlinkSync(resolve(telemetry), join(sandbox.root, telemetry));
  compile(sandbox);
  const cwd = sandbox.root;
  expect(
    execFileSync(process.execPath, ["dist/main.js"], {
      cwd,
      timeout: 20_000,
    }).toString(),
  ).toBe("");
});

test("docs/server.md tells every option", () => {
  const source = readFileSync("runtime/server/server-options.ts", "utf8");
  const [options = ""] = source.split("/** Where a failure happened. */");
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gmu)].map(
    ([, name]) => name,
  );
  const rows = readFileSync("docs/server.md", "utf8").matchAll(
    /^\| `(\w+)` \|/gmu,
  );
  expect([...rows].map(([, name]) => name).sort()).toEqual(names.sort());
});
