import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { drawSome } from "../support/draw-some.js";

const built = (path: string): string =>
  JSON.stringify(pathToFileURL(resolve("dist/cli", path)).href);

/**
 * Runs the built program with a limit of a tenth of a second for modules.
 */
const program = `
  const { createNodeSystem } = await import(${built("node-system.js")});
  const { main } = await import(${built("main.js")});
  const system = createNodeSystem({ moduleMs: 100 });
  process.exit(await main(process.argv.slice(1), system));
`;

const files = {
  "package.json": '{ "type": "module" }\n',
  "shop.ridl":
    "webrpc = v1\nname = shop\nversion = v1.0.0\n\nservice Shop\n  - Ping()\n",
  "ridl.config.yaml":
    "schema: [shop.ridl]\nout: generated\nemit: [types, ./emitter.js]\n",
};

/** Runs a command in a project. Returns its errors and the files it leaves. */
async function run(
  args: readonly string[],
  own: Readonly<Record<string, string>>,
) {
  const folder = mkdtempSync(join(tmpdir(), "ridl-endless-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  for (const [name, content] of Object.entries({ ...files, ...own })) {
    writeFileSync(join(folder, name), content);
  }
  symlinkSync(
    resolve("node_modules"),
    join(folder, "node_modules"),
    "junction",
  );
  const before = readdirSync(folder);
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", program, ...args],
    {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const stderr = await text(child.stderr);
  expect(child.exitCode ?? child.signalCode).not.toBe("SIGKILL");
  const left = readdirSync(folder).filter((name) => !before.includes(name));
  return { stderr, left: [...left, ...readdirSync(temporary)] };
}

const emit = "export const emit = () => [];\n";

// A module that loops keeps a core busy until it is interrupted.
const loops = [
  ["that loops", "for (;;);\n"],
  ["that loops after it waited", "await 0;\nfor (;;);\n"],
  ["that catches everything", "for (;;) try { for (;;); } catch {} finally {}"],
  [
    "that waits for long",
    "await new Promise((run) => setTimeout(run, 1e8));\n",
  ],
] as const;

test.each(drawSome(loops, 2, 1))("ends an emitter %s", async (_, loop) => {
  const { left, stderr } = await run(["generate"], {
    "emitter.js": `${loop}${emit}`,
  });
  expect(stderr).toContain("the emitter `./emitter.js` cannot be loaded");
  expect(stderr).toContain("note: `./emitter.js` takes longer than 0.1 s\n");
  expect(left).toEqual([]);
});

test("ends an emitter whose function loops", async () => {
  const { left, stderr } = await run(["generate"], {
    "emitter.js": "export function emit() { for (;;); }\n",
  });
  expect(stderr).toContain("the emitter `./emitter.js` failed");
  expect(stderr).toContain("note: `./emitter.js` takes longer than 0.1 s\n");
  expect(left).toEqual([]);
});

test.each(drawSome(["router.js", "router.ts"], 2))(
  "ends a router that loops: %s",
  async (name) => {
    const { left, stderr } = await run(["import", "trpc", name], {
      [name]: "for (;;);\n",
    });
    expect(stderr).toContain(`the module \`${name}\` cannot be loaded`);
    expect(stderr).toContain(`note: \`${name}\` takes longer than 0.1 s\n`);
    expect(left).toEqual([]);
  },
);

test("ends a router whose lazy router loops", async () => {
  const { left, stderr } = await run(["import", "trpc", "router.js"], {
    "router.js": `export const router = { _def: {
      router: true,
      procedures: {},
      lazy: { one: { load: () => { for (;;); } } },
    } };\n`,
  });
  expect(stderr).toContain("note: `router.js` takes longer than 0.1 s\n");
  expect(left).toEqual([]);
});
