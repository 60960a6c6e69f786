import { posix } from "node:path/posix";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { createTools } from "../../generator/4-emit/custom/create-tools.js";
import { printStatements } from "../../generator/4-emit/custom/print-statements.js";
import { readStatements } from "../../generator/4-emit/custom/read-statements.js";
import type {
  Diagnostic,
  Diagnosed,
} from "../../generator/diagnostics/diagnostic.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { EmitterModule } from "../config/config.js";
import { manifestName } from "./manifest.js";
import { describeThrown, type LoadedEmitter } from "./emitter-modules.js";
import { foldersAbove, isBelow } from "../system/paths.js";

/** The output of a custom emitter. */
export interface EmittedFiles {
  readonly module: EmitterModule;
  readonly files: readonly OutputFile[];
  /** Names of targets whose files the emitter's files import. */
  readonly needs: ReadonlySet<string>;
}

/** A problem with a file and how to fix it. */
interface FileFault {
  /** The problem, e.g. "does not return a list of files". */
  readonly fact: string;
  readonly help: string;
}

/**
 * Runs a custom emitter and checks what it returns. Errors: `failed-emitter`,
 * `invalid-output`.
 */
export async function runEmitter(
  { module, emit }: LoadedEmitter,
  contract: Contract,
  settings: EmitOptions,
): Promise<Diagnosed<EmittedFiles>> {
  const none: EmittedFiles = { module, files: [], needs: new Set() };
  try {
    // Copies protect the originals, which other emitters receive, from changes.
    const copy = structuredClone(contract);
    const options = structuredClone(module.options);
    const { needs, tools } = createTools(copy, settings, options);
    const output = await emit(copy, { ...settings }, tools);
    const files = readFiles(output, contract, settings);
    return "fact" in files
      ? { value: none, diagnostics: [reportOutput(module, files)] }
      : { value: { module, files, needs }, diagnostics: [] };
  } catch (error) {
    const diagnostic: Diagnostic = {
      code: "failed-emitter",
      severity: "error",
      message: `the emitter \`${module.name}\` failed`,
      location: module.location,
      notes: describeThrown(error),
    };
    return { value: none, diagnostics: [diagnostic] };
  }
}

function reportOutput(
  { location, name }: EmitterModule,
  { fact, help }: FileFault,
): Diagnostic {
  return {
    code: "invalid-output",
    severity: "error",
    message: `the emitter \`${name}\` ${fact}`,
    location,
    help,
  };
}

const filesHelp =
  "`emit` returns files `{ path, text }` or `{ path, statements }`, with paths below the output folder";

function readFiles(
  output: unknown,
  contract: Contract,
  settings: EmitOptions,
): readonly OutputFile[] | FileFault {
  if (!Array.isArray(output)) {
    return { fact: "does not return a list of files", help: filesHelp };
  }
  const files: OutputFile[] = [];
  for (const each of output) {
    const printed = readFile(each, contract, settings);
    if ("fact" in printed) return printed;
    const fault = printed.map(faultOf).find((found) => found !== null);
    if (fault) return fault;
    files.push(...printed);
  }
  return files;
}

/** Turns one returned file into output files. JavaScript needs several. */
function readFile(
  file: unknown,
  contract: Contract,
  settings: EmitOptions,
): readonly OutputFile[] | FileFault {
  const { path, statements, text } = Object(file) as Partial<
    Record<string, unknown>
  >;
  if (typeof path === "string" && typeof text === "string") {
    return [{ path, text }];
  }
  if (typeof path !== "string" || statements === undefined) {
    const fact =
      "returns a file without a path, or with neither text nor statements";
    return { fact, help: filesHelp };
  }
  const read = readStatements(statements);
  if ("fault" in read) {
    const fact = `returns \`${path}\` with an invalid statement: ${read.fault}`;
    return { fact, help: "statements must be strings or ts-morph structures" };
  }
  const ending = /(?:\.d)?\.[cm]?[jt]sx?$/u.exec(path)?.[0];
  if (ending !== undefined) {
    const fact = `returns statements for \`${path}\`, whose extension depends on the language`;
    return { fact, help: `remove \`${ending}\`` };
  }
  return printStatements({ path, ...read }, contract, settings);
}

/** Describes what is wrong with a file. Returns null if it is valid. */
function faultOf({ path, text }: OutputFile): FileFault | null {
  const shown = JSON.stringify(path);
  const refuse = (fact: string): FileFault => ({ fact, help: filesHelp });
  if (!isBelow(path))
    return refuse(`writes outside the output folder: ${shown}`);
  const isPlain =
    posix.normalize(path) === path && !/[\\\p{Cc}\p{Cs}]|\/$/u.test(path);
  if (!isPlain)
    return refuse(`returns a path that is not normalized: ${shown}`);
  if (path === manifestName)
    return refuse(`writes a file that ridl itself writes: ${shown}`);
  // UTF-8 cannot encode a lone surrogate, so the written file would never match
  // the text.
  if (/\p{Cs}/u.test(text)) {
    const fact = `writes half of a surrogate pair, which UTF-8 cannot represent, to ${shown}`;
    return { fact, help: "write an escape such as `\\ud83d`" };
  }
  return null;
}

/**
 * Finds files that cannot all be written, because two have the same path, or
 * one has the path of a folder that another needs. The comparison ignores case,
 * because some file systems do.
 *
 * Input: the files of ridl's own targets, and the files of custom emitters.
 * Errors: `clashing-output`, at the later emitter.
 */
export function findClashes(
  own: readonly string[],
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
  for (const path of own) add(path, "ridl itself");
  for (const { module, files } of others) {
    for (const { path } of files) {
      const other = add(path, `\`${module.name}\``);
      if (other !== undefined) {
        diagnostics.push(reportClash(module, path, other));
      }
    }
  }
  return diagnostics;
}

function reportClash(
  { name: emitter, location }: EmitterModule,
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
