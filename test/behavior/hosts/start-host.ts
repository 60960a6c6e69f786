import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  bundleGenerated,
  generateContract,
} from "../conformance/load-contract.js";
import { runningOverHttp2 } from "../conformance/http2-host.js";
import {
  countDescriptors,
  fileName,
  socketName,
} from "../count-descriptors.js";
import { runningOn, type Running } from "../typescript/hosts.js";
import { buildGoServer } from "./go-host.js";
import type { Host } from "./hosts.js";
import type { Proxy } from "./proxies/start-proxy.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A contract, and the module that creates a server for it. */
export interface App {
  /** The path of the contract in the repository. */
  readonly contract: string;
  /** The path of a module in the repository. */
  readonly module: string;
  /**
   * A function of the module that takes the exports of the generated code, and
   * returns the server.
   */
  readonly create: string;
}

/** A host in a process of its own. */
export interface StartedHost {
  readonly port: number;
  readonly isHttp2: boolean;
  readonly isBehindProxy: boolean;
  /** Sends a signal to the process. */
  readonly signal: (name: NodeJS.Signals) => void;
  readonly isRunning: () => boolean;
  /** Returns the number of sockets that the process has open. */
  readonly socketCount: () => number;
  /**
   * Returns the number of regular files that the process has open, and of those
   * in its temporary folder.
   */
  readonly fileCount: () => number;
  /** Returns what the process has printed. */
  readonly printed: () => string;
  /** Kills the process. */
  readonly close: () => Promise<void>;
  /**
   * Opens connections, whose `close` also closes the host.
   *
   * Input: another port that leads to the host.
   */
  readonly connect: (port?: number) => Running;
}

/**
 * Serves an app on a host.
 *
 * Errors: Error with the output of the process if it ends before it listens.
 */
export async function startHost(host: Host, app: App): Promise<StartedHost> {
  const folder = await prepare(host, app);
  const [command = "", ...words] = host.command();
  const temporary = mkdtempSync(join(tmpdir(), "ridlkit-host-"));
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(command, words, { cwd: folder, env, stdio: "pipe" });
  let proxy: Proxy | null = null;
  const printed: Buffer[] = [];
  const text = (): string => Buffer.concat(printed).toString();
  const ended = once(child, "close").then(() => undefined);
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await proxy?.stop();
    rmSync(temporary, { recursive: true, force: true });
  };
  const listening = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => {
        printed.push(data);
        const found = /(?:127\.0\.0\.1|localhost):(\d+)|"port":(\d+)/u.exec(
          text(),
        );
        if (found !== null) resolve(Number(found[1] ?? found[2]));
      });
    }
  });
  const own = await Promise.race([listening, ended.then(() => null)]);
  if (own === null) {
    await close();
    throw new Error(`${host.name} ended early:\n${text()}`);
  }
  if (host.front) proxy = await host.front.start(own);
  const port = proxy?.port ?? own;
  const { isHttp2 = false } = host;
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  const connect = (to = port): Running =>
    isHttp2
      ? runningOverHttp2(`http://127.0.0.1:${String(to)}`, close)
      : runningOn(to, close);
  const isRunning = (): boolean =>
    child.exitCode === null && child.signalCode === null;
  // Proxies keep connections to the server open.
  const { pid = 0 } = child;
  const socketCount = (): number =>
    host.front ? 0 : countDescriptors(socketName, pid);
  const fileCount = (): number =>
    countDescriptors(fileName, pid) + readdirSync(temporary).length;
  return {
    ...{ isHttp2, isRunning, port, fileCount, socketCount },
    isBehindProxy: host.front !== undefined,
    signal,
    printed: text,
    close,
    connect,
  };
}

const prepared = new Map<string, Promise<string>>();

/** Writes and builds a program. Returns its folder. */
function prepare(host: Host, app: App): Promise<string> {
  const of = host.program === undefined ? "Go" : host.name;
  const name = `${of} ${app.create}`.replace(/[^a-z0-9]+/giu, "-");
  const known = prepared.get(name);
  if (known !== undefined) return known;
  const folder = join(here, ".work", name);
  const made =
    host.program === undefined
      ? buildGoServer(folder)
      : write(host, app, folder);
  prepared.set(name, made);
  return made;
}

async function write(host: Host, app: App, folder: string): Promise<string> {
  const { build = [], files = {}, path = "program.mjs" } = host;
  rmSync(folder, { recursive: true, force: true });
  const all = { ...files, [path]: await bundle(host, app) };
  for (const [name, text] of Object.entries(all)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const [command, ...words] = build;
  if (command !== undefined) {
    await promisify(execFile)(command, words, { cwd: folder });
  }
  return folder;
}

/** Bundles an app for a host. */
function bundle(
  { program = "" }: Host,
  { contract, create, module }: App,
): Promise<string> {
  const files = generateContract(root, contract, {
    int64: "number",
    timestamp: "string",
  });
  const contents = `
    import * as errors from "./index.js";
    import * as generated from "./server.js";
    import { ${create} } from ${JSON.stringify(join(root, module))};
    const { server } = ${create}({ ...errors, ...generated });
    ${program}`;
  return bundleGenerated(files, { contents, resolveDir: here });
}
