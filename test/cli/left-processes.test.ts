import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { drawSome } from "../support/draw-some.js";

const files = {
  "program.cjs": `setInterval(() => {}, 1000);
if (process.argv[2] === "stubborn") process.on("SIGTERM", () => {});
console.error("program has started");
`,
  "shop.ridl":
    "webrpc = v1\nname = shop\nversion = v1.0.0\n\nservice Shop\n  - Ping()\n",
  "ridl.config.yaml": "schema: [shop.ridl]\nout: generated\n",
};

/** The arguments of `ridl`, and those of what it starts. */
const commands = [
  {
    args: `generate --watch --run "node program.cjs one" --run "node program.cjs two; node $PWD/program.cjs next"`,
    started: ["program.cjs one", "program.cjs two"],
  },
  { args: "mock --port 0", started: [] },
  {
    args: `generate --watch --run "node program.cjs stubborn"`,
    started: ["program.cjs stubborn"],
  },
  {
    args: `conformance server "true; node program.cjs server"`,
    started: ["program.cjs server"],
  },
];

const kills = [
  { whom: "npm", signal: "SIGTERM" },
  { whom: "npm", signal: "SIGKILL" },
  { whom: "bin/ridl.js", signal: "SIGTERM" },
  { whom: "bin/ridl.js", signal: "SIGKILL" },
] as const;

/** A process, as `ps` lists it. */
interface Listed {
  readonly id: number;
  readonly parent: number;
  readonly text: string;
}

/** Returns all processes that have not ended. */
function listProcesses(): Listed[] {
  const words = ["-A", "-o", "pid=,ppid=,stat=,args="];
  const { stdout } = spawnSync("ps", words, { encoding: "utf8" });
  return [...stdout.matchAll(/^ *(\d+) +(\d+) +([^Z\s]\S*) +(.*)$/gmu)].map(
    ([, id, parent, , text = ""]) => ({
      id: Number(id),
      parent: Number(parent),
      text,
    }),
  );
}

/** Returns a process and all that it has started, directly or not. */
function treeOf(root: number, all = listProcesses()): Listed[] {
  return all
    .filter(({ id }) => id === root)
    .concat(
      all
        .filter(({ parent }) => parent === root)
        .flatMap(({ id }) => treeOf(id, all)),
    );
}

// Each case starts up to six processes, so `npm test` draws some.
const cases = drawSome(
  commands.flatMap((command) => kills.map((kill) => ({ ...command, ...kill }))),
  4,
);

test.skipIf(process.platform === "win32").each(cases)(
  "ridl $args leaves no process behind when $whom gets $signal",
  async ({ args, started, whom, signal }) => {
    const folder = mkdtempSync(join(tmpdir(), "ridl-left-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dev = `true && "${process.execPath}" "${resolve("bin/ridl.js")}" ${args}`;
    const manifest = JSON.stringify({ scripts: { dev } });
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, "package.json"), manifest);
    const npm = spawn("npm", ["run", "dev"], { cwd: folder });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr])
      stream.on("data", (data) => (output += data));
    const root = Number(npm.pid);
    let tree: Listed[] = [];
    onTestFinished(() => {
      for (const { id } of left()) process.kill(id, "SIGKILL");
    });
    const left = (): Listed[] => {
      const ids = tree.map(({ id }) => id);
      return listProcesses().filter(({ id }) => ids.includes(id));
    };
    // `ridl conformance` compiles its own contract first.
    await expect
      .poll(() => output, { timeout: 100_000 })
      .toMatch(/has started|http:/u);
    await expect
      .poll(() => {
        tree = treeOf(root);
        return started.every((end) =>
          tree.some(
            ({ text }) => text.startsWith("node") && text.endsWith(end),
          ),
        );
      })
      .toBe(true);
    const target =
      whom === "npm"
        ? root
        : tree.find(
            ({ text }) =>
              text.startsWith(`${process.execPath} `) && text.includes(whom),
          )?.id;
    process.kill(Number(target), signal);
    await expect.poll(left).toEqual([]);
    const isNext = ({ text }: Listed): boolean =>
      text.includes(`${basename(folder)}/program.cjs`);
    expect(listProcesses().filter(isNext)).toEqual([]);
  },
);
