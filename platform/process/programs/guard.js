// Runs a program and stops it when the parent process ends for any reason,
// which the program itself would not notice. The first message names the
// program. The reply is its process ID.
import { spawn } from "node:child_process";

// Ctrl-C reaches all processes in the terminal, but the parent decides when to
// stop.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}

process.once("message", (program) => {
  const { account, graceMs, stopSignal } = program;
  const child = spawn(program.command, program.arguments, {
    env: { ...process.env, ...program.environment },
    stdio: ["ignore", "inherit", "inherit"],
    windowsHide: true,
    ...account,
  });
  child.once("spawn", () => {
    process.send?.(child.pid);
  });
  child.once("error", (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.once("exit", (code) => process.exit(code ?? 1));
  process.once("disconnect", () => {
    child.kill(stopSignal);
    setTimeout(() => child.kill("SIGKILL"), graceMs);
  });
});
