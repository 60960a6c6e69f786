import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { startEditor, startProcess } from "../lsp/editor.js";
import { createSandbox } from "../cli/support/sandbox.js";

const hasRegistry =
  spawnSync("npm view typescript version", { shell: true }).status === 0;
const title = hasRegistry
  ? ""
  : " (NOT RUN: the npm registry is not reachable)";

test.runIf(hasRegistry)(
  `the .vsix contains every file that its manifest names, and a working server${title}`,
  async () => {
    const built = spawnSync("npm run vsix", { shell: true, encoding: "utf8" });
    expect(built.status, built.stdout + built.stderr).toBe(0);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const files = unzipSync(readFileSync(`dist/ridl-${version}.vsix`));
    const texts = Object.entries(files).map(([path, bytes]) => [
      path,
      new TextDecoder().decode(bytes),
    ]);
    const { root, read } = createSandbox(Object.fromEntries(texts));
    const manifest = JSON.parse(read("extension/package.json"));
    const { grammars, languages, snippets } = manifest.contributes;
    const named = [
      manifest.main,
      ...grammars.map(({ path }: { path: string }) => path),
      ...snippets.map(({ path }: { path: string }) => path),
      ...languages.map((each: { configuration: string }) => each.configuration),
    ];
    const packed = Object.keys(files);
    for (const path of named) {
      expect(packed).toContain(join("extension", path));
    }
    expect(packed.filter((path) => path.includes("node_modules"))).toEqual([]);

    const editor = await startEditor(
      {
        "a.ridl": "webrpc = v1\n\nstruct A\n  - a: B\n",
        "ridl.config.yaml": "schema: [a.ridl]\nemit: [./sql]\n",
        "sql/files/a.sql.hbs": "{{package.nam}}",
      },
      (folder) =>
        startProcess(folder, [
          join(root, "extension/dist/server.mjs"),
          "--stdio",
        ]),
    );
    expect(editor.initialized.serverInfo).toEqual({ name: "ridl", version });
    await editor.open("a.ridl");
    const codes = (await editor.diagnosticsOf("a.ridl")).map(
      ({ code }) => code,
    );
    expect(codes).toContain("unknown-type");
    await editor.open("sql/files/a.sql.hbs");
    expect(await editor.diagnosticsOf("sql/files/a.sql.hbs")).toMatchObject([
      { code: "unknown-template-name" },
    ]);
    expect(await editor.end()).toBe(0);
  },
  300_000,
);
