import { posix } from "node:path/posix";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type {
  Diagnostic,
  Diagnosed,
} from "../../generator/diagnostics/diagnostic.js";
import { isCall, memberOf } from "../../tools/loaded.js";
import type { Contract } from "../../generator/ir/contract.js";
import { type EmitterModule, isTemplateFolder } from "../config/config.js";
import { resolvePath } from "../system/paths.js";
import { codeOf, type System, EndlessModuleError } from "../system/system.js";
import { hashText } from "./manifest.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";

/** A custom emitter, loaded but not yet run. */
export interface LoadedEmitter {
  readonly module: EmitterModule;
  /** The function `emit`, whose result has not been checked. */
  readonly emit: (
    contract: Contract,
    settings: EmitOptions,
    tools: unknown,
  ) => unknown;
}

/**
 * Loads the emitters that the configuration lists by path. Their source is read
 * through `documents`, so that a changed emitter counts as a changed input.
 *
 * Returns the emitters that could be loaded.
 * Errors: `missing-emitter`, `file-access`, `invalid-emitter`.
 */
export async function loadEmitters(
  { config, root }: Project,
  documents: RecordingReader,
  system: System,
): Promise<Diagnosed<readonly LoadedEmitter[]>> {
  const emitters: LoadedEmitter[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const module of config.emitterModules) {
    if (isTemplateFolder(module)) {
      const { readListedSet } = await import("./template-sets.js");
      const { printSet } =
        await import("../../generator/4-emit/templates/template-set.js");
      const { value: set, diagnostics: found } = readListedSet(
        module,
        config,
        documents,
      );
      diagnostics.push(...found);
      if (set) {
        const { options } = module;
        emitters.push({
          module,
          emit: (contract, { skew }) =>
            printSet(set, contract, { package: options, skew }),
        });
      }
      continue;
    }
    const path = posix.normalize(module.path);
    const text = documents.read(path);
    if (text === null) {
      diagnostics.push(reportMissing(module, documents.faultOf(path)));
      continue;
    }
    try {
      const absolute = resolvePath(root, path);
      const loaded = await system.runModule(module.name, () =>
        system.importModule(absolute, hashText(text)),
      );
      const emit = memberOf(loaded, "emit");
      if (isCall(emit)) {
        emitters.push({
          module,
          emit: (...args) => system.runModule(module.name, () => emit(...args)),
        });
      } else diagnostics.push(reportShape(module));
    } catch (error) {
      diagnostics.push(reportUnloadable(module, error));
    }
  }
  return { value: emitters, diagnostics };
}

function reportMissing(
  { path, location }: EmitterModule,
  fault: string | null,
): Diagnostic {
  if (fault !== null) {
    return {
      code: "file-access",
      severity: "error",
      message: `the emitter \`${path}\` cannot be read: ${fault}`,
      location,
    };
  }
  return {
    code: "missing-emitter",
    severity: "error",
    message: `there is no emitter \`${path}\``,
    location,
    notes: ["the path must be relative to the configuration file"],
  };
}

function reportShape({ path, location }: EmitterModule): Diagnostic {
  return {
    code: "invalid-emitter",
    severity: "error",
    message: `\`${path}\` does not export a function \`emit\``,
    location,
    help: "write `export function emit(contract, settings, tools) { return [{ path, text }]; }`",
  };
}

function reportUnloadable(
  { path, location }: EmitterModule,
  error: unknown,
): Diagnostic {
  return {
    code: "invalid-emitter",
    severity: "error",
    message: `the emitter \`${path}\` cannot be loaded`,
    location,
    ...(codeOf(error) === "ERR_UNKNOWN_FILE_EXTENSION"
      ? explainExtension(String(error))
      : { notes: describeThrown(error) }),
    // Node prints the location of a syntax error only if nothing catches it.
    ...(error instanceof SyntaxError && {
      help: `\`node --check ${path}\` shows where`,
    }),
  };
}

/** Explains why Node does not load a file with an unknown extension. */
function explainExtension(
  thrown: string,
): Required<Pick<Diagnostic, "notes" | "help">> {
  const [, ending = "", file = ""] = /"(.*)" for (.*)/u.exec(thrown) ?? [];
  return {
    notes: [`this version of Node cannot load ${file}`],
    help: /^\.[cm]?ts$/u.test(ending)
      ? 'upgrade to Node 22.18 or newer, which loads TypeScript, or write JavaScript with types in comments: `@type {import("ridlkit").EmitFunction}`'
      : "use a file that ends in `.js`, `.mjs` or `.ts`",
  };
}

/** Describes what an emitter threw, and where in its code. */
export function describeThrown(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof EndlessModuleError) return [error.message];
  const frames = (error.stack ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at ") && !line.includes("node:"));
  // The frames after the module's own belong to ridl, which called it.
  const last = frames.findLastIndex((line) => version.test(line));
  const own = last === -1 ? frames : frames.slice(0, last + 1);
  return [
    ...String(error).split("\n"),
    ...own.slice(0, 3).map((line) => line.replace(version, "")),
  ];
}

/** The query that {@link System.importModule} adds to the URL of a module. */
const version = /\?version=\w+/u;
