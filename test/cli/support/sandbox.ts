import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { onTestFinished } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import type { System } from "../../../cli/system/system.js";
import { main } from "../../../cli/main.js";
import { createWindowsSystem, simulatesWindows, toDrive } from "./windows.js";

/** The output and exit code of a command. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for running a command. */
export interface CommandOptions {
  readonly isTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The working directory inside the sandbox. */
  readonly folder?: string;
  readonly untilInterrupted?: () => Promise<void>;
  /** Replaces parts of the system, for example to make a write fail. */
  readonly patch?: (system: System) => Partial<System>;
  /** Receives standard output while the command runs. */
  readonly onOutput?: (text: string) => void;
}

/** A separate folder on the real disk, which is removed after the test. */
export interface Sandbox {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
  read(path: string): string;
  has(path: string): boolean;
  remove(path: string): void;
  /** Returns the text of every file by path, sorted by path. */
  snapshot(folder?: string): Record<string, string>;
  run(
    args: readonly string[],
    options?: CommandOptions,
  ): Promise<CommandResult>;
}

/** Creates a sandbox with the given files. */
export function createSandbox(
  files: Readonly<Record<string, string>> = {},
): Sandbox {
  const root = mkdtempSync(join(tmpdir(), "ridl-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox: Sandbox = {
    root,
    write: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    has: (path) => existsSync(join(root, path)),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    snapshot: (folder = ".") => readTree(join(root, folder)),
    run: (args, options = {}) => runCommand(root, args, options),
  };
  sandbox.write(files);
  return sandbox;
}

function readTree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    paths.map((path) => [
      relative(folder, path).split(sep).join("/"),
      readFileSync(path, "utf8"),
    ]),
  );
}

async function runCommand(
  root: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const printed = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTerminal: options.isTerminal ?? false,
    write: (text: string) => {
      printed[name] += text;
      options.onOutput?.(text);
    },
  });
  const node = createNodeSystem({
    workingFolder: toDrive(join(root, options.folder ?? ".")),
    environment: options.environment ?? {},
    stdout: output("stdout"),
    stderr: output("stderr"),
    input: options.input ?? "",
    ...(options.untilInterrupted && {
      untilInterrupted: options.untilInterrupted,
    }),
  });
  const system = simulatesWindows ? createWindowsSystem(node) : node;
  const exitCode = await main(args, { ...system, ...options.patch?.(system) });
  return { exitCode, ...printed };
}
