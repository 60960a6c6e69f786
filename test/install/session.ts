import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { linkedPackages, linkPackages } from "../readme/program.js";
import { tscPath } from "../support/run-tsc.js";
import { npmSetting, startRegistry } from "./registry.js";

/**
 * The ports in documented programs and commands: one for a server and one for a
 * page.
 */
const documentedPorts = ["8080", "4173"] as const;

type DocumentedPort = (typeof documentedPorts)[number];

/** The exit code and output of commands. */
interface Attempt {
  readonly status: number;
  readonly output: string;
}

/** A new user's folder, in which documented commands run unchanged. */
export interface Trial {
  /** Writes documented files. */
  write(files: Readonly<Record<string, string>>): void;
  read(path: string): string;
  /** Runs commands that must succeed. Returns what they print. */
  run(commands: string): Promise<string>;
  /**
   * Runs commands that may fail. Returns their exit code and what they print.
   */
  attempt(commands: string): Promise<Attempt>;
  /** Returns the absolute path of a file or folder. */
  path(path: string): string;
  /**
   * Runs commands, the last of which starts a server. The server replaces an
   * earlier one at its port, which is the documented port in the commands or
   * else 8080. Resolves when the server accepts calls.
   */
  start(commands: string): Promise<void>;
  /** Returns the output of all running servers. */
  printedByServers(): string;
  /** Returns the address of the server at a documented port. */
  url(port?: DocumentedPort): string;
  /** Creates a subfolder. Input: its name, and folders to prepend to `PATH`. */
  within(name: string, ...programs: readonly string[]): Trial;
  /** Copies this folder to a new folder of the session. */
  copy(name: string, ...programs: readonly string[]): Trial;
}

/** The environment of a test: an empty folder, a registry, and free ports. */
interface Session {
  readonly root: string;
  /** Free ports that replace the documented ports. */
  readonly ports: Readonly<Record<DocumentedPort, string>>;
  readonly registry: string;
  /** This machine's npm cache. */
  readonly cache: string;
}

/** Starts a session for the tests in a file. Returns its empty folder. */
export async function startSession(): Promise<Trial> {
  const root = createRoot();
  const registry = await startRegistry(root);
  afterAll(registry.close);
  const settings = `registry=${registry.url}\naudit=false\nfund=false\nupdate-notifier=false\n`;
  writeFileSync(join(root, ".npmrc"), settings);
  return startTrial(root, [], registry.url);
}

/**
 * Starts a session without a registry. Programs in its folders use ridlkit, its
 * runtime and other packages of this repository. Returns its empty folder.
 */
export async function startLinkedSession(): Promise<Trial> {
  const root = createRoot();
  writeFileSync(join(root, ".npmrc"), "offline=true\nupdate-notifier=false\n");
  const modules = join(root, "node_modules");
  linkPackages(modules, [...linkedPackages, "typescript", "yaml", "zod"]);
  symlinkSync(resolve("."), join(modules, "ridlkit"));
  const programs = join(modules, ".bin");
  mkdirSync(programs);
  for (const name of ["ridl", "ridlkit"])
    symlinkSync(resolve("bin/ridl.js"), join(programs, name));
  symlinkSync(tscPath, join(programs, "tsc"));
  return startTrial(root, [programs], "");
}

/** Creates the folder of a session. */
function createRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "ridlkit-install-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

async function startTrial(
  root: string,
  programs: readonly string[],
  registry: string,
): Promise<Trial> {
  const ports = {
    "8080": String(await findFreePort()),
    "4173": String(await findFreePort()),
  };
  const cache = npmSetting("cache");
  return createTrial(root, programs, { root, ports, registry, cache });
}

function createTrial(
  folder: string,
  programs: readonly string[],
  session: Session,
): Trial {
  mkdirSync(folder, { recursive: true });
  const { ports } = session;
  const local = (text: string): string =>
    documentedPorts.reduce(
      (result, port) => result.replaceAll(port, ports[port]),
      text,
    );
  const documented = (data: Buffer): string =>
    documentedPorts.reduce(
      (result, port) => result.replaceAll(ports[port], port),
      data.toString(),
    );
  const url = (port: DocumentedPort = "8080"): string =>
    `http://localhost:${ports[port]}`;
  const servers = new Map<string, { output: string; stop(): Promise<void> }>();
  const env = createEnvironment(programs, session);
  const options = { cwd: folder, env, shell: true };
  // Do not block, because commands need the registry, which runs in this
  // process.
  const execute = async (commands: string) => {
    const child = spawn(`set -e\n${local(commands)}`, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { stdout: "", output: "" };
    child.stdout.on("data", (data: Buffer) => {
      printed.stdout += documented(data);
      printed.output += documented(data);
    });
    child.stderr.on("data", (data: Buffer) => {
      printed.output += documented(data);
    });
    const [status] = await once(child, "close");
    return { status: Number(status ?? 1), ...printed };
  };
  return {
    write: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), local(text));
      }
    },
    read: (path) => readFileSync(join(folder, path), "utf8"),
    path: (path) => join(folder, path),
    run: async (commands) => {
      const { status, stdout, output } = await execute(commands);
      expect(status, `${commands}\n${output}`).toBe(0);
      return stdout;
    },
    attempt: execute,
    url,
    start: async (commands) => {
      const port = documentedPorts.find((each) => commands.includes(each));
      const address = url(port);
      await servers.get(address)?.stop();
      const server = spawn(`set -e\n${local(commands)}`, {
        ...options,
        // Use a separate process group, because shells do not forward signals.
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const started = { output: "", stop: () => stop(server) };
      for (const stream of [server.stdout, server.stderr]) {
        stream.on("data", (data: Buffer) => {
          started.output += documented(data);
        });
      }
      servers.set(address, started);
      onTestFinished(started.stop);
      await accepting(address, server, started);
    },
    printedByServers: () =>
      [...servers.values()].map(({ output }) => output).join(""),
    within: (name, ...more) =>
      createTrial(join(folder, name), [...programs, ...more], session),
    copy: (name, ...more) => {
      const target = join(session.root, name);
      cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
      return createTrial(target, [...programs, ...more], session);
    },
  };
}

/**
 * Creates the environment of a new user whose package managers use the
 * registry.
 */
function createEnvironment(
  programs: readonly string[],
  { registry, root, cache }: Session,
): NodeJS.ProcessEnv {
  // Remove variables that npm and vitest set for child processes, because
  // users' programs do not have them.
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(ci|github_|npm_|vitest|node_env|node_options|test$)/iu.test(name),
  );
  const { PATH = "" } = process.env;
  return {
    ...Object.fromEntries(own),
    PATH: [...programs, withoutModules(PATH)].join(delimiter),
    NO_COLOR: "1",
    HOME: root,
    npm_config_cache: cache,
    npm_config_yes: "true",
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    YARN_ENABLE_TELEMETRY: "0",
    NEXT_TELEMETRY_DISABLED: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
}

/** Removes the folders of programs that users do not have from a `PATH`. */
function withoutModules(path: string): string {
  const folders = path.split(delimiter);
  return folders
    .filter((each) => !each.includes("node_modules"))
    .join(delimiter);
}

async function accepting(
  url: string,
  server: ChildProcess,
  printed: { readonly output: string },
): Promise<void> {
  while (!(await fetch(url).catch(() => null))) {
    expect(server.exitCode, `the server ended: ${printed.output}`).toBe(null);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function stop(server: ChildProcess): Promise<void> {
  const hasEnded = server.exitCode !== null || server.signalCode !== null;
  if (server.pid === undefined || hasEnded) return Promise.resolve();
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  process.kill(-server.pid, "SIGKILL");
  return ended;
}
