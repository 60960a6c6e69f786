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
 * Starts a bundle on a host.
 *
 * Returns its `port` and two functions. `usage()` returns its CPU seconds and
 * its peak memory in MB so far, and `stop()` ends it. Errors: throws if the
 * process ends before it listens.
 */
export async function startOn(host, folder) {
  const [command, ...words] = host.command();
  const child = spawn(command, words, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`${folder} ended with ${code}`)),
    );
    let printed = "";
    child.stdout.on("data", (data) => {
      printed += data;
      const found = /"port":(\d+)|^(\d+)\n/mu.exec(printed);
      if (found !== null) resolve(Number(found[1] ?? found[2]));
    });
  });
  return {
    port,
    usage: () => usageOf(child.pid),
    stop: () => child.kill("SIGKILL"),
  };
}

/** Reads what Linux knows of a process, because not every host tells it. */
function usageOf(pid) {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks)
    .map((task) => readFileSync(`${tasks}/${task}/schedstat`, "utf8"))
    .reduce((sum, text) => sum + Number(text.split(" ", 1)[0]), 0);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = /^VmHWM:\s+(\d+)/mu.exec(status);
  return { cpu: nanoseconds / 1e9, peak: Number(kilobytes) / 1024 };
}
