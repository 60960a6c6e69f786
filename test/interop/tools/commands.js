import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const here = fileURLToPath(new URL(".", import.meta.url));
export const work = `${here}.work`;

/** What later runs reuse, such as compiled dependencies of clients. */
export const cache = `${here}.cache`;

/**
 * Runs a command in this folder, and returns its standard output.
 *
 * Errors: an error with the whole output if the command fails.
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: here,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    ...options,
    env: { ...process.env, ...options.env },
  });
  if (status === 0) return stdout;
  throw new Error(
    `${[command, ...args].join(" ")}\n${stdout ?? ""}${stderr ?? "not found"}`,
  );
}

/** Runs a program of an npm package. */
export const bin = (name, ...args) => run(`node_modules/.bin/${name}`, args);

/** Runs `ridl generate` with a configuration. */
export const ridl = (config) =>
  run(process.execPath, [
    "../../../bin/ridl.js",
    "generate",
    "--config",
    config,
  ]);

/**
 * Runs a client, and returns what it prints. Does not block, because the client
 * calls a server in this process.
 */
export function call(command, args, options = {}) {
  const child = spawn(command, args, { cwd: here, ...options });
  const printed = [];
  const complaints = [];
  child.stdout.on("data", (data) => printed.push(data));
  child.stderr.on("data", (data) => complaints.push(data));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(Buffer.concat(printed).toString());
      else
        reject(
          new Error(Buffer.concat([...printed, ...complaints]).toString()),
        );
    });
  });
}
