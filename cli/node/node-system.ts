import {
  existsSync,
  fstatSync,
  readFileSync,
  statSync,
  watch as watchFolder,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exitCodes } from "../system/exit-codes.js";
import {
  type System,
  codeOf,
  decodeText,
  FileError,
  type Output,
  type StandardStreams,
  type Listen,
} from "../system/system.js";
import {
  type AbsolutePath,
  parentOf,
  toAbsolutePath,
} from "../system/paths.js";
import { createFiles } from "./files.js";
import type { LimitTime } from "./limit-time.js";
import { openOutput } from "./open-output.js";
import { runGit } from "./run-git.js";
import { startCommand, startProgram } from "./start-command.js";
import type { AddressInfo } from "node:net";

/** Parts of the process that callers, mostly tests, can replace. */
export interface NodeSystemOptions {
  readonly workingFolder?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** Content of standard input. */
  readonly input?: string | Uint8Array;
  readonly untilInterrupted?: () => Promise<void>;
  /** The time limit of {@link System.runModule} in milliseconds. Default: a minute. */
  readonly moduleMs?: number;
  /** Called before a command starts its work. Does nothing by default. */
  readonly beforeWork?: () => void;
}

/** Creates a `System` for a real process. Options replace parts of it. */
export function createNodeSystem(options: NodeSystemOptions = {}): System {
  const { input, moduleMs = 60_000 } = options;
  let limiting: Promise<LimitTime> | null = null;
  const runModule: System["runModule"] = async (name, run) => {
    limiting ??= import("./limit-time.js").then((module) =>
      module.createTimeLimit(),
    );
    const limitTime = await limiting;
    return limitTime(name, moduleMs, run);
  };
  const packageFolder = findPackageFolder();
  return {
    workingFolder: toAbsolutePath(options.workingFolder ?? process.cwd()),
    environment: options.environment ?? process.env,
    packageFolder,
    version: readVersion(packageFolder),
    platform: `node ${process.versions.node}, ${process.platform} ${process.arch}`,
    stdout: options.stdout ?? createOutput("stdout"),
    stderr: options.stderr ?? createOutput("stderr"),
    readInput: async () =>
      typeof input === "string"
        ? input
        : decodeText(input ?? (await readStandardInput()), "standard input"),
    openStreams,
    openOutput: (path) => openOutput(path, options.stdout),
    ...createFiles(),
    importModule: (path, version) =>
      import(`${pathToFileURL(path).href}?version=${version}`),
    runModule,
    loadPackage,
    runGit,
    startCommand,
    startProgram,
    identify,
    watch,
    isRunning,
    listen,
    untilInterrupted: options.untilInterrupted ?? untilInterrupted,
    beforeWork: options.beforeWork ?? (() => {}),
  };
}

/** Opens the streams of a server, which may run for days. */
function openStreams(): StandardStreams {
  // By default, V8 lets a busy heap grow to several times its live size, and
  // the young generation to 48 MB.
  const v8 = process.getBuiltinModule("node:v8");
  v8.setFlagsFromString("--heap-growing-percent=30");
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  // A young generation that stays small is collected faster by one thread.
  v8.setFlagsFromString("--no-parallel-scavenge");
  return { input: process.stdin, output: process.stdout };
}

const descriptors = { stdout: 1, stderr: 2 } as const;

/** Opens the stream on first use, because creating one is slow in Node. */
function createOutput(name: "stdout" | "stderr"): Output {
  return {
    get isTerminal() {
      const mayBe = fstatSync(descriptors[name]).isCharacterDevice();
      return mayBe && process[name].isTTY === true;
    },
    write: (text) => {
      const stream = process[name];
      const onError = onWriteError[name];
      if (stream.listenerCount("error", onError) === 0) {
        stream.on("error", onError);
      }
      stream.write(text);
    },
  };
}

const onWriteError = {
  stdout: (error: unknown) => failUnlessClosed("standard output", error),
  stderr: (error: unknown) => failUnlessClosed("standard error", error),
};

/** Exits after a write error, unless the reader, such as `head`, has exited. */
function failUnlessClosed(path: string, error: unknown): void {
  if (codeOf(error) === "EPIPE") return;
  const { message } = new FileError(path, "write", error);
  process.stderr.write(`error[file-access]: ${message}\n`);
  process.exit(exitCodes.failure);
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function loadPackage(
  name: string,
  folder: AbsolutePath,
): ReturnType<System["loadPackage"]> {
  const require = createRequire(join(folder, "package.json"));
  try {
    const path = require.resolve(name);
    const exports: unknown = require(path);
    return { exports, folder: parentOf(toAbsolutePath(path)) };
  } catch (error) {
    if (codeOf(error) === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

function identify(path: AbsolutePath): string | null {
  try {
    const { birthtimeNs, dev, ino } = statSync(path, { bigint: true });
    // File systems use the numbers of removed folders again.
    return `${dev} ${ino} ${birthtimeNs}`;
  } catch {
    return null;
  }
}

function watch(
  folder: AbsolutePath,
  onChange: (name: string | null) => void,
  onEnd: (error: unknown) => void,
): () => void {
  const watcher = watchFolder(folder, (_, name) => onChange(name));
  watcher.on("error", onEnd);
  return () => watcher.close();
}

/** The interval between checks whether the script's processes still run. */
const watchMs = 250;

/**
 * Resolves when a command that runs forever should end: on Ctrl-C, on a signal,
 * when the terminal is closed or, in a script of a package manager, when the
 * package manager or its shell ends, because they do not always forward signals.
 */
function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.once(signal, () => resolve());
    }
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const parent = process.ppid;
    // Number 1 does not end before this process. It may be a package manager.
    const parents = [parent, parentIdOf(parent)].filter((id) => id > 1);
    const timer = setInterval(() => {
      if (process.ppid === parent && parents.every(isRunning)) return;
      clearInterval(timer);
      resolve();
    }, watchMs);
    timer.unref();
  });
}

/** Whether a process exists. */
function isRunning(processId: number): boolean {
  try {
    // Signal 0 only checks whether the process exists.
    return process.kill(processId, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Returns the parent of a process, or 0 if the system does not tell. */
function parentIdOf(processId: number): number {
  // Loaded on demand, because few commands run forever.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  try {
    // Slim containers have no `ps`. The name of the program is in parentheses.
    const text = readFileSync(`/proc/${processId}/stat`, "latin1");
    return Number(text.slice(text.lastIndexOf(")")).split(" ")[2]);
  } catch {
    const words = ["-o", "ppid=", "-p", String(processId)];
    const { stdout } = spawnSync("ps", words, { encoding: "latin1" });
    return Number(stdout) || 0;
  }
}

/**
 * Finds ridlkit's own folder: the nearest folder above this module that
 * contains a package.json. Errors: throws if there is none.
 */
function findPackageFolder(): AbsolutePath {
  const start = toAbsolutePath(dirname(fileURLToPath(import.meta.url)));
  let folder = start;
  while (!existsSync(join(folder, "package.json"))) {
    const parent = parentOf(folder);
    if (parent === folder) {
      throw new Error(
        `there is no package.json above \`${start}\`; install ridlkit again`,
      );
    }
    folder = parent;
  }
  return folder;
}

function readVersion(packageFolder: string): string {
  const text = readFileSync(join(packageFolder, "package.json"), "utf8");
  const data: unknown = JSON.parse(text);
  return typeof data === "object" && data !== null && "version" in data
    ? String(data.version)
    : "";
}

/** Serves HTTP at an address of this machine. */
const listen: Listen = (listener, { host, port }) => {
  // Loaded on demand, because few commands serve HTTP.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer(listener);
  // Otherwise, Node permits clients to send bodies that are then refused.
  server.on("checkContinue", listener);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      const bound = typeof address === "object" ? address?.port : undefined;
      resolve({ port: bound ?? port, close });
    });
  });
};
