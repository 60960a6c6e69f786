import { expect, it, onTestFinished } from "vitest";
import { runScript } from "../../scripts/test-long/run-script.js";

/** A script that fails, and leaves a process that holds its output open. */
const leaving = (isDetached: boolean): string[] => [
  "-e",
  `const { spawn } = require("node:child_process");
  const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    detached: ${isDetached},
    stdio: ["ignore", "inherit", "inherit"],
  });
  console.log(left.pid);
  process.exit(3);`,
];

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// Windows has no process groups.
it.skipIf(process.platform === "win32")(
  "kills what a failed script leaves",
  async () => {
    const { status, text } = await runScript(leaving(false), 50);
    expect(status).toBe(3);
    await expect.poll(() => isRunning(Number(text))).toBe(false);
  },
);

it("does not wait for a process outside the script's group", async () => {
  const { status, text } = await runScript(leaving(true), 50);
  onTestFinished(() => void process.kill(Number(text)));
  expect(status).toBe(3);
  expect(isRunning(Number(text))).toBe(true);
});
