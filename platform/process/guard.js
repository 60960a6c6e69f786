// Runs a program for as long as the process lives that has started this one,
// however that ends. Programs would not notice it themselves. What to run comes
// as the first message; the program's number is told in return.
import { spawn } from "node:child_process";

// Ctrl-C reaches the whole terminal; when to stop is for the parent to say.
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
