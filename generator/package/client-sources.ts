import { emitContract } from "../4-emit/emit.js";
import type {
  EmitContext,
  Emitter,
  EmitOptions,
  OutputFile,
} from "../4-emit/emitter.js";
import { importsOf } from "../4-emit/runtime-copy/runtime-copy.js";
import { clientEmitter } from "../4-emit/typescript/client/client.js";
import { codecsEmitter } from "../4-emit/typescript/codecs/codecs.js";
import { compatEmitter } from "../4-emit/typescript/compat/compat.js";
import { errorsEmitter } from "../4-emit/typescript/errors/errors.js";
import { indexEmitter } from "../4-emit/typescript/index/index-file.js";
import { typesEmitter } from "../4-emit/typescript/types/types.js";
import { validatorsEmitter } from "../4-emit/typescript/validators/validators.js";
import { webhooksEmitter } from "../4-emit/typescript/server/webhooks.js";
import type { Contract } from "../ir/contract.js";

/** The TypeScript of a package. */
export interface ClientSources {
  /** What people import, by path, e.g. `marketplace/index.ts`; in path order. */
  readonly entries: readonly string[];
  /** Those files and all that they import, in path order. */
  readonly files: readonly OutputFile[];
}

const emitters: readonly Emitter[] = [
  typesEmitter,
  errorsEmitter,
  validatorsEmitter,
  codecsEmitter,
  clientEmitter,
  indexEmitter,
  webhooksEmitter,
  compatEmitter,
];

/**
 * Emits client, types, errors, and receivers of webhooks where the contract
 * has any, with the runtime that they need.
 *
 * Input: options with `runtime: copy`.
 */
export function emitClientSources(
  contract: Contract,
  options: EmitOptions,
  context: EmitContext,
): ClientSources {
  const generated = emitters.flatMap(({ emit }) => emit(contract, options));
  const roots: Emitter = {
    name: "package-roots",
    emit: () => [rootsFile(generated)],
  };
  const all: Emitter = { name: "package", emit: () => generated };
  const emitted = emitContract(contract, [all, roots], options, context);
  const files = new Map(emitted.map((file) => [file.path, file]));
  const entries = [...files.keys()].filter(isEntry(rootsOf(generated))).sort();
  const reached = reachableFrom(entries, files);
  return {
    entries,
    files: emitted.filter(({ path }) => reached.has(path)),
  };
}

/** Files of the runtime that users of a client need themselves. */
function rootsOf(generated: readonly OutputFile[]): readonly string[] {
  const isUsed = (text: string): boolean =>
    generated.some((file) => file.text.includes(text));
  const hasWebhooks = generated.some(({ path }) =>
    /(?:^|\/)webhooks\.ts$/u.test(path),
  );
  return [
    "client",
    "errors",
    "interceptors",
    ...(isUsed("/runtime/stream.js") ? ["stream"] : []),
    ...(isUsed("/runtime/transfer.js") ? ["transfer", "file-data"] : []),
    // Receivers answer Request with Response, which Node.js's server has not;
    // whoever sends has to sign.
    ...(hasWebhooks ? ["node", "sign-webhooks"] : []),
  ];
}

/** A file that imports them, so that they are copied. */
function rootsFile(generated: readonly OutputFile[]): OutputFile {
  const lines = rootsOf(generated).map(
    (name) => `export * from "./runtime/${name}.js";\n`,
  );
  return { path: ".package-roots.ts", text: lines.join("") };
}

function isEntry(roots: readonly string[]): (path: string) => boolean {
  const runtime = new Set(roots.map((name) => `runtime/${name}.ts`));
  return (path) =>
    path.startsWith("runtime/")
      ? runtime.has(path)
      : /(?:^|\/)(?:index|validators|webhooks|webrpc)\.ts$/u.test(path);
}

function reachableFrom(
  entries: readonly string[],
  files: ReadonlyMap<string, OutputFile>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (const path of waiting) {
    const file = files.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...importsOf(path, file.text).map((each) => `${each}.ts`));
  }
  return reached;
}
