import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
/** The folder of generated code and bundles. */
export const work = fileURLToPath(new URL("../.work/hosts/", import.meta.url));

/**
 * Bundles a program for a host, as it is deployed. Returns its folder and its
 * source text.
 */
export async function bundleFor(host, name, source) {
  const folder = join(work, "programs", name.replaceAll(/[^\w]+/gu, "-"));
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    // CommonJS packages load Node's modules with `require`.
    banner: {
      js: 'import { createRequire as _require } from "node:module"; const require = _require("file:///");',
    },
    ...host.bundle,
  });
  const [{ text }] = outputFiles;
  const files = { ...host.files, "program.mjs": text };
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(join(folder, path), content);
  }
  return { folder, text };
}

/**
 * Starts a bundle on a host. Linux kills the process when this one ends, however
 * that happens.
 *
 * Returns its `port` and two functions. `usage()` returns its CPU seconds and
 * its peak memory in MB so far, and `stop()` ends it. Errors: throws if the
 * process ends before it listens, or does not listen within `deadlineMs`.
 */
export async function startOn(host, folder, deadlineMs = 60_000) {
  const words = ["--pdeathsig", "KILL", "--", ...host.command()];
  const child = spawn("setpriv", words, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A server that inherited it would keep it open.
  child.stderr.on("data", (data) => process.stderr.write(data));
  const stop = () => child.kill("SIGKILL");
  try {
    const port = await portOf(child, folder, deadlineMs);
    const threads = new Map();
    return { port, usage: () => usageOf(child.pid, threads), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * Starts bundles on a host, and stops all of them when `use` ends or throws.
 * `use` receives the servers in the order of the folders.
 */
export async function withServers(host, folders, use) {
  const servers = [];
  try {
    for (const folder of folders) servers.push(await startOn(host, folder));
    return await use(servers);
  } finally {
    for (const server of servers) server.stop();
  }
}

/** Returns the port that a process prints once it listens. */
async function portOf(child, folder, deadlineMs) {
  let timer;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (reason) => reject(new Error(`${folder} ${reason}`));
      timer = setTimeout(fail, deadlineMs, "does not listen");
      child.once("error", reject);
      child.once("exit", (code) => fail(`ended with ${code}`));
      let printed = "";
      child.stdout.on("data", (data) => {
        printed += data;
        const found = /"port":(\d+)|^(\d+)\n/mu.exec(printed);
        if (found !== null) resolve(Number(found[1] ?? found[2]));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads what Linux knows of a process, because not every host tells it.
 *
 * `threads` keeps the CPU time of each thread, because those that end would take
 * theirs along.
 */
function usageOf(pid, threads) {
  const tasks = `/proc/${pid}/task`;
  for (const task of readdirSync(tasks)) {
    const now = nanosecondsOf(`${tasks}/${task}/schedstat`);
    threads.set(task, Math.max(now, threads.get(task) ?? 0));
  }
  const nanoseconds = [...threads.values()].reduce((sum, each) => sum + each);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = /^VmHWM:\s+(\d+)/mu.exec(status);
  return { cpu: nanoseconds / 1e9, peak: Number(kilobytes) / 1024 };
}

/** Returns the CPU time of a thread, or 0 if it has just ended. */
function nanosecondsOf(path) {
  try {
    return Number(readFileSync(path, "utf8").split(" ", 1)[0]);
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(error.code)) return 0;
    throw error;
  }
}
