import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "./sandbox.js";

const run = promisify(execFile);
const command = join(import.meta.dirname, "../../../bin/ridl.js");

const documents = Object.fromEntries(
  ["one", "two", "three"].map((name) => [
    `${name}.ridl`,
    `webrpc = v1\nname = ${name}\nversion = v1\nservice ${name}\n  - Get() => (a: string)\n`,
  ]),
);

/** Concurrently runs two commands that create the same folder. */
export function testSimultaneousRuns(rounds: number): void {
  test.each([
    ["generate", ["generate", "*.ridl", "--force", "--out", "out"]],
    ["package", ["package", "*.ridl", "--force", "--out", "out"]],
  ])(
    `two concurrent runs of ridl %s both succeed, ${rounds} times`,
    async (_, args) => {
      const sandbox = createSandbox(documents);
      const start = () =>
        run(process.execPath, [command, ...args], { cwd: sandbox.root });
      await start();
      const expected = sandbox.snapshot("out");
      for (let round = 0; round < rounds; round += 1) {
        sandbox.remove("out");
        await Promise.all([start(), start()]);
        expect(sandbox.snapshot("out")).toEqual(expected);
      }
    },
    600_000,
  );
}
