import { posix } from "node:path";
import type { EmitOptions, OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Diagnostic, Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Contract } from "../../ir/contract.js";
import type { EmitterModule } from "../config/config.js";
import { manifestName } from "./manifest.js";
import { describeThrown, type LoadedEmitter } from "./emitter-modules.js";
import { isBelow } from "../system/paths.js";

/** What one emitter of the project made. */
export interface EmittedFiles {
  readonly module: EmitterModule;
  readonly files: readonly OutputFile[];
}

/**
 * Runs one emitter of the project, and looks at what it returns.
 *
 * Output: its files; none after an error.
 * Errors: `failed-emitter`, `invalid-output`.
 */
export async function runEmitter(
  { module, emit }: LoadedEmitter,
  contract: Contract,
  options: EmitOptions,
): Promise<Diagnosed<EmittedFiles>> {
  try {
    // Copies: whatever it does to them, other emitters get the originals.
    const inputs = [structuredClone(contract), { ...options }];
    const output = await emit(...inputs);
    if (!Array.isArray(output)) {
      return refuse(module, "returns no list of files");
    }
    const files: OutputFile[] = [];
    for (const file of output) {
      const fault = faultOf(file);
      if (fault !== null) return refuse(module, fault);
      files.push({ path: file.path, text: file.text });
    }
    return { value: { module, files }, diagnostics: [] };
  } catch (error) {
    const diagnostic: Diagnostic = {
      code: "failed-emitter",
      severity: "error",
      message: `the emitter \`${module.path}\` failed`,
      location: module.location,
      notes: describeThrown(error),
    };
    return { value: { module, files: [] }, diagnostics: [diagnostic] };
  }
}

function refuse(module: EmitterModule, fault: string): Diagnosed<EmittedFiles> {
  const diagnostic: Diagnostic = {
    code: "invalid-output",
    severity: "error",
    message: `the emitter \`${module.path}\` ${fault}`,
    location: module.location,
    help: "`emit` returns files `{ path, text }`, with paths below the output folder",
  };
  return { value: { module, files: [] }, diagnostics: [diagnostic] };
}

/** What is wrong with one file; null when nothing is. */
function faultOf(file: unknown): string | null {
  const { path, text } = Object(file) as Partial<Record<string, unknown>>;
  if (typeof path !== "string" || typeof text !== "string") {
    return "returns a file without a path or a text";
  }
  const shown = JSON.stringify(path);
  if (!isBelow(path)) return `writes outside of the output folder: ${shown}`;
  const isPlain =
    posix.normalize(path) === path && !/[\\\p{Cc}]|\/$/u.test(path);
  if (!isPlain) return `returns a path that is not plain: ${shown}`;
  if (path === manifestName) return `writes a file that is ours: ${shown}`;
  return null;
}

/**
 * Files that cannot all be written, since two have one path, or one has the
 * path of a folder that another needs. Case does not tell files apart on every
 * machine.
 *
 * Input: the files of our own targets, and those of the project's emitters.
 * Errors: `clashing-output`, at the emitter that comes later.
 */
export function findClashes(
  own: readonly OutputFile[],
  others: readonly EmittedFiles[],
): readonly Diagnostic[] {
  const owners = new Map<string, string>();
  const folders = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const add = (path: string, owner: string): string | undefined => {
    const key = path.toLowerCase();
    const above = foldersAbove(key);
    const other =
      owners.get(key) ??
      folders.get(key) ??
      above.map((folder) => owners.get(folder)).find(Boolean);
    if (other !== undefined) return other;
    owners.set(key, owner);
    for (const folder of above) folders.set(folder, owner);
    return undefined;
  };
  for (const { path } of own) add(path, "ridl itself");
  for (const { module, files } of others) {
    for (const { path } of files) {
      const other = add(path, `\`${module.path}\``);
      if (other !== undefined) {
        diagnostics.push(reportClash(module, path, other));
      }
    }
  }
  return diagnostics;
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = posix.dirname(path);
  for (; folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}

function reportClash(
  { path: emitter, location }: EmitterModule,
  path: string,
  other: string,
): Diagnostic {
  return {
    code: "clashing-output",
    severity: "error",
    message: `the emitter \`${emitter}\` writes \`${path}\`, and so does ${other}`,
    location,
    help: "choose another path for one of them",
  };
}
