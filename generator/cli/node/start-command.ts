import { exitCodes } from "../system/exit-codes.js";
import type { System } from "../system/system.js";

/** A single program with arguments, in which a shell has nothing to do. */
const simple = /^[\w./@-]+(?: [^;&|<>()$`\n]*)?$/u;

/**
 * Starts a command in a shell, with the standard streams of this process. It
 * belongs to the same process group, so Ctrl-C and the end of the terminal reach
 * it, too.
 */
export const startCommand: System["startCommand"] = (command, folder) => {
  // Loaded on demand, because few runs start a command.
  const { spawn, spawnSync } = process.getBuiltinModule("node:child_process");
  const isWindows = process.platform === "win32";
  // `exec` replaces the shell, which would not pass on the signal of `stop`.
  const prefix = !isWindows && simple.test(command) ? "exec " : "";
  const child = spawn(`${prefix}${command}`, {
    cwd: folder,
    shell: true,
    stdio: "inherit",
  });
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(exitCodes.failure));
    child.once("exit", (code) => resolve(code ?? exitCodes.failure));
  });
  const stop = (): void => {
    if (isWindows && child.pid !== undefined) {
      spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"]);
    } else child.kill();
  };
  return { ended, stop };
};
