import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { runTsc } from "../support/run-tsc.js";
import { createSandbox } from "./support/sandbox.js";
import type { Sandbox } from "./support/sandbox.js";

/** Simulates an installation of the runtime and the Node.js types. */
function install(sandbox: Sandbox): void {
  const modules = join(sandbox.root, "node_modules");
  for (const name of ["@types/node", "@ridlkit/runtime"]) {
    mkdirSync(join(modules, dirname(name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
}

/** What the compiler returns if it finds no errors. */
const compiled = { status: 0, stdout: "" };

describe("ridl init", () => {
  test("writes a project that generates, compiles, and runs", async () => {
    const sandbox = createSandbox();
    const { exitCode, stdout } = await sandbox.run(["init"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("create schema/greeter.ridl\n");
    expect(stdout).toContain("npm run dev");
    expect(await sandbox.run(["generate"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(await sandbox.run(["fmt", "--check", "schema"])).toMatchObject({
      exitCode: 0,
    });

    install(sandbox);
    const port = String(await findFreePort());
    for (const side of ["server.ts", "client.ts"]) {
      sandbox.write({ [side]: sandbox.read(side).replace("8080", port) });
    }
    const cwd = sandbox.root;
    expect(runTsc(join(cwd, "tsconfig.json"))).toEqual(compiled);

    const server = spawn(process.execPath, ["dist/server.js"], { cwd });
    onTestFinished(() => void server.kill());
    await new Promise((resolve) => server.stdout.once("data", resolve));
    const greet = (name: string): string =>
      execFileSync(process.execPath, ["dist/client.js", name], {
        cwd,
        stdio: ["ignore", "pipe", "pipe"],
      }).toString();
    expect(greet("Ada")).toBe("Hello, Ada!\n");
    expect(() => greet("Nobody")).toThrow("Nobody: nobody has that name");

    const other = spawnSync(process.execPath, ["dist/server.js"], { cwd });
    expect(other.stderr.toString()).toMatch(
      /^The server cannot start: .*EADDRINUSE.*\n$/u,
    );
    expect(other.status).toBe(1);
  });

  test("creates a project that also compiles with JavaScript", async () => {
    const sandbox = createSandbox();
    await sandbox.run(["init"]);
    sandbox.write({
      "ridl.config.yaml": `${sandbox.read("ridl.config.yaml")}language: javascript\n`,
    });
    await sandbox.run(["generate"]);
    install(sandbox);
    const config = join(sandbox.root, "tsconfig.json");
    expect(runTsc(config)).toEqual(compiled);
    expect(sandbox.read("dist/generated/client.js")).toContain(
      "createGreeterClient",
    );
  });

  test("writes nothing if the folder already has a contract", async () => {
    const sandbox = createSandbox({ "schema/greeter.ridl": "mine" });
    const { exitCode, stderr } = await sandbox.run(["init"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`schema/greeter.ridl`");
    expect(sandbox.snapshot()).toEqual({ "schema/greeter.ridl": "mine" });
  });

  test("keeps an existing package.json", async () => {
    const sandbox = createSandbox({ "app/package.json": "{}" });
    const { exitCode, stdout } = await sandbox.run(["init", "app"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("cd app\n");
    expect(stdout).toContain("npm install @ridlkit/runtime@");
    expect(stdout).toContain("npm install -D ridlkit@");
    expect(stdout).toContain("npm pkg set type=module");
    expect(sandbox.read("app/package.json")).toBe("{}");
    expect(sandbox.has("app/ridl.config.yaml")).toBe(true);

    sandbox.write({ "module/package.json": '{ "type": "module" }' });
    const beside = await sandbox.run(["init", "module"]);
    expect(beside.stdout).not.toContain("npm pkg");
  });

  test.each([
    ["app", "out: app/generated\n"],
    ["src/app", "out: src/app/generated\n"],
  ])(
    "adds a contract to a Next.js project with pages in %s",
    async (app, out) => {
      const project = {
        "package.json": '{ "dependencies": { "next": "^16.0.0" } }',
        [`${app}/page.jsx`]: "mine",
        [`${app}/layout.jsx`]: "mine",
      };
      const sandbox = createSandbox(project);
      const { exitCode, stdout } = await sandbox.run(["init"]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("npx ridlkit generate\n");
      expect(stdout).toContain("http://localhost:3000/greet\n");
      expect(stdout).not.toMatch(/npx tsc|npm pkg/u);
      const all = sandbox.snapshot();
      expect(all).toMatchObject(project);
      expect(Object.keys(all).sort()).toEqual(
        [
          ...[".gitignore", "AGENTS.md", "package.json", "ridl.config.yaml"],
          "schema/greeter.ridl",
          ...["greet/greet-form.tsx", "greet/page.tsx", "greeter.ts"].map(
            (path) => `${app}/${path}`,
          ),
          ...["layout.jsx", "page.jsx", "rpc/[...path]/route.ts"].map(
            (path) => `${app}/${path}`,
          ),
        ].sort(),
      );
      expect(all["ridl.config.yaml"]).toContain(out);
      expect((await sandbox.run(["generate"])).exitCode).toBe(0);
      expect(sandbox.has(`${app}/generated/server.ts`)).toBe(true);
    },
  );

  test("says how to add Next.js to a project without it", async () => {
    const sandbox = createSandbox({ "package.json": "{}" });
    const { stdout } = await sandbox.run(["init", "--template", "next"]);
    expect(stdout).toContain("  npm install next react react-dom\n");
    expect(stdout).toContain("  npx next dev ");
    expect(sandbox.has("app/layout.tsx")).toBe(true);
  });

  test.each([
    ["pages", "app"],
    ["src/pages", "src/app"],
  ])("adds a layout to a Next.js project with only %s", async (pages, app) => {
    const sandbox = createSandbox({
      "package.json": '{ "dependencies": { "next": "^16.0.0" } }',
      [`${pages}/index.jsx`]: "mine",
    });
    await sandbox.run(["init"]);
    expect(sandbox.has(`${app}/layout.tsx`)).toBe(true);
    expect(sandbox.has(`${app}/page.tsx`)).toBe(false);
    expect(sandbox.has(`${app}/rpc/[...path]/route.ts`)).toBe(true);
  });

  test("writes a whole Next.js project", async () => {
    const sandbox = createSandbox();
    const { stdout } = await sandbox.run(["init", "--template", "next"]);
    expect(stdout).toContain("npm run dev");
    expect(sandbox.has("app/layout.tsx")).toBe(true);
    expect(sandbox.has("app/page.tsx")).toBe(true);
    await sandbox.run(["init", "node", "--template", "node"]);
    const contract = "schema/greeter.ridl";
    expect(sandbox.read(contract)).toBe(sandbox.read(`node/${contract}`));
    const data = JSON.parse(sandbox.read("package.json"));
    expect(Object.keys(data.dependencies)).toContain("next");
  });

  test.each([
    ["pnpm/12.21.0 npm/? node/v20.20.2", "pnpm install", "pnpm run dev"],
    ["yarn/4.18.1 npm/? node/v20.20.2", "yarn install", "yarn run dev"],
    ["bun/1.4.5 npm/? node/v24.3.0", "bun install", "bun run dev"],
    ["npm/11.0.0 node/v20.20.2", "npm install", "npm run dev"],
    ["other/1.0.0", "npm install", "npm run dev"],
  ])("prints steps for the package manager %s", async (agent, ...steps) => {
    const environment = { npm_config_user_agent: agent };
    const { stdout } = await createSandbox().run(["init"], { environment });
    for (const step of steps) expect(stdout).toContain(step);
  });

  test("makes git ignore build output unless a .gitignore already exists", async () => {
    const sandbox = createSandbox({ "old/.gitignore": "mine\n" });
    await sandbox.run(["init", "new"]);
    expect(sandbox.read("new/.gitignore")).toBe("node_modules/\ndist/\n");
    const { stdout } = await sandbox.run(["init", "old"]);
    expect(sandbox.read("old/.gitignore")).toBe("mine\n");
    expect(stdout).toContain("  npm install\n");
  });

  test("writes notes for agents with the paths and scripts of the project", async () => {
    const sandbox = createSandbox({
      "old/AGENTS.md": "mine\n",
      "old/package.json": "{}",
      "kept/package.json": '{ "scripts": { "mine": "" } }',
    });
    const environment = { npm_config_user_agent: "pnpm/12.21.0" };
    await sandbox.run(["init", "new"], { environment });
    const notes = sandbox.read("new/AGENTS.md");
    expect(notes).toContain("- `schema/*.ridl`: the contract");
    expect(notes).toContain("- `generated`: generated");
    expect(notes).toContain("| `pnpm run generate` | runs `ridl generate` |");
    expect(notes).toContain("| `pnpm ridlkit breaking` |");
    const links = [...notes.matchAll(/\]\((node_modules\/.*?)\)/gu)];
    expect(links).toHaveLength(5);
    for (const [, link = ""] of links) {
      const path = link
        .replace(/^node_modules\/ridlkit\/(?=skills\/)/u, "docs/")
        .replace(/^node_modules\/(?:ridlkit|@ridlkit)\//u, "")
        .replace(/^runtime\//u, "runtime/typescript/");
      expect([path, existsSync(path)]).toEqual([path, true]);
    }
    await sandbox.run(["init", "next", "--template", "next"]);
    expect(sandbox.read("next/AGENTS.md")).toContain("- `app/generated`:");
    await sandbox.run(["init", "old"]);
    expect(sandbox.read("old/AGENTS.md")).toBe("mine\n");
    await sandbox.run(["init", "kept"]);
    expect(sandbox.read("kept/AGENTS.md")).not.toContain("run dev");
  });

  test("uses the folder name as the package name", async () => {
    const sandbox = createSandbox();
    await sandbox.run(["init", "My Första API"]);
    const text = sandbox.read("My Första API/package.json");
    expect(JSON.parse(text)).toMatchObject({ name: "my-f-rsta-api" });
  });

  test("makes the runtime a dependency and ridlkit a development dependency", async () => {
    const sandbox = createSandbox();
    await sandbox.run(["init"]);
    const data = JSON.parse(sandbox.read("package.json"));
    expect(Object.keys(data.dependencies)).toEqual(["@ridlkit/runtime"]);
    expect(Object.keys(data.devDependencies)).toContain("ridlkit");
  });

  describe("--template", () => {
    const files = {
      "README.md": "# Ours\n",
      _gitignore: "node_modules/\n",
      "package.json":
        '{ "name": "x", "devDependencies": { "ridlkit": "*", "vitest": "*" } }',
      "ridl.config.yaml": "schema: [schema/*.ridl]\n",
      "schema/__init__.ridl": "webrpc = v1\nname = ours\nversion = v1\n",
      "node_modules/left/index.js": "",
    };

    function below(folder: string): Record<string, string> {
      return Object.fromEntries(
        Object.entries(files).map(([path, text]) => [
          `${folder}/${path}`,
          text,
        ]),
      );
    }

    test("writes the files of a folder", async () => {
      const sandbox = createSandbox(below("ours"));
      const { exitCode, stdout } = await sandbox.run([
        "init",
        "app",
        "--template",
        "ours",
      ]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("  # then follow README.md\n");
      const written = sandbox.snapshot("app");
      expect(Object.keys(written)).toEqual([
        ".gitignore",
        "AGENTS.md",
        "README.md",
        "package.json",
        "ridl.config.yaml",
        "schema/__init__.ridl",
      ]);
      expect(JSON.parse(written["package.json"] ?? "")).toEqual({
        name: "app",
        devDependencies: {
          ridlkit: expect.stringMatching(/^\^\d/u),
          vitest: "*",
        },
      });
    });

    test.each(["our-template", "@ours/template"])(
      "writes the files of the installed package %s",
      async (name) => {
        const sandbox = createSandbox({
          ...below(`node_modules/${name}/template`),
          [`node_modules/${name}/package.json`]: "{}",
        });
        const { exitCode } = await sandbox.run(["init", "--template", name], {
          folder: ".",
        });
        expect(exitCode).toBe(0);
        expect(sandbox.read("README.md")).toBe("# Ours\n");
      },
    );

    test.each([
      ["../missing", "write the path of a folder"],
      ["missing", "install the package first"],
    ])("reports the missing template %s", async (template, help) => {
      const sandbox = createSandbox();
      const { exitCode, stderr } = await sandbox.run([
        "init",
        "--template",
        template,
      ]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`installed package \`${template}\``);
      expect(stderr).toContain(help);
    });

    test("follows no links, and refuses files that are not text", async () => {
      const sandbox = createSandbox({ "ours/a.txt": "", secret: "mine" });
      symlinkSync(join(sandbox.root, "secret"), join(sandbox.root, "ours/b"));
      await sandbox.run(["init", "app", "--template", "ours"]);
      expect(Object.keys(sandbox.snapshot("app"))).toEqual(["a.txt"]);
      sandbox.write({ "ours/image.png": "\0" });
      const { exitCode, stderr } = await sandbox.run([
        "init",
        "other",
        "--template",
        "ours",
      ]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("it is not a UTF-8 text file");
      expect(sandbox.has("other")).toBe(false);
    });
  });
});
