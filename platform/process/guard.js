// Runs a program for as long as the process lives that has started this one,
// however that ends. Programs would not notice it themselves.
//
// Arguments: how to start and to stop it as JSON, the program, its arguments.
import { spawn } from "node:child_process";

const [options = "{}", command = "", ...programArguments] =
  process.argv.slice(2);
const { uid, gid, stopSignal, graceMs } = JSON.parse(options);

// Ctrl-C reaches the whole terminal; when to stop is for the parent to say.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}

const program = spawn(command, programArguments, {
  stdio: ["ignore", "inherit", "inherit"],
  windowsHide: true,
  ...(uid !== undefined && { uid, gid }),
});

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  program.kill(stopSignal);
  setTimeout(() => program.kill("SIGKILL"), graceMs);
};

program.once("spawn", () => {
  process.send?.(program.pid);
});
program.once("error", (error) => {
  console.error(error.message);
  process.exit(127);
});
program.once("exit", (code) => process.exit(code ?? 1));
process.once("disconnect", stop);
