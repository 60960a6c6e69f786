import { emitContract } from "../4-emit/emit.js";
import type {
  Emitter,
  EmitOptions,
  OutputFile,
} from "../4-emit/emitter/emitter.js";
import { importsOf } from "../4-emit/runtime-copy/runtime-copy.js";
import { unitEmitters } from "../4-emit/registry.js";
import { webhooksEmitter } from "../4-emit/typescript/server/server.js";
import type { Contract } from "../ir/contract.js";

/** The code of a package: JavaScript and its declarations. */
export interface ClientFiles {
  /**
   * Files that users import, without extensions, e.g. `marketplace/index`, in
   * path order.
   */
  readonly entries: readonly string[];
  /** Entries of `@ridlkit/runtime` that users also need, e.g. `errors`. */
  readonly runtimeEntries: readonly string[];
  /** The entries and everything that they import, in path order. */
  readonly files: readonly OutputFile[];
}

const emitters: readonly Emitter[] = [
  ...unitEmitters.filter(({ name }) => name !== "server"),
  webhooksEmitter,
];

/**
 * Emits the client, types and errors of a contract, and receivers of webhooks
 * if it has any.
 *
 * The options must have `language: javascript`.
 */
export function emitClientFiles(
  contract: Contract,
  options: EmitOptions,
): ClientFiles {
  const context = { runtimeSources: new Map<string, string>() };
  const emitted = emitContract(contract, emitters, options, context);
  const entries = emitted.flatMap(({ path }) => entryOf(path) ?? []);
  const reached = reachableFrom(entries, emitted);
  return {
    entries,
    runtimeEntries: runtimeEntriesFor(emitted),
    files: emitted.filter(({ path }) => reached.has(withoutEnding(path))),
  };
}

/**
 * Returns the entry of a script, e.g. `api/index`, or null if it is not one.
 */
function entryOf(path: string): string | null {
  const isEntry =
    /(?:^|\/)(?:index|query|schemas|validators|webhooks|webrpc)\.js$/u;
  return isEntry.test(path) ? withoutEnding(path) : null;
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.js|\.d\.ts)$/u, "");
}

function reachableFrom(
  entries: readonly string[],
  files: readonly OutputFile[],
): ReadonlySet<string> {
  const imports = new Map(
    files.map(({ path, text }) => [path, importsOf(path, text)]),
  );
  const reached = new Set(entries);
  for (const name of reached) {
    for (const path of [`${name}.js`, `${name}.d.ts`]) {
      for (const target of imports.get(path) ?? []) reached.add(target);
    }
  }
  return reached;
}

function runtimeEntriesFor(files: readonly OutputFile[]): readonly string[] {
  const isUsed = (entry: string): boolean =>
    files.some(({ text }) => text.includes(`"@ridlkit/runtime/${entry}"`));
  return [
    "client",
    "errors",
    ...(isUsed("transfer") ? ["file-data"] : []),
    "interceptors",
    // Receivers use `Request` and `Response`, which Node.js servers do not.
    // Senders sign webhooks.
    ...(isUsed("receiver") ? ["node", "sign-webhooks"] : []),
    ...(isUsed("stream") ? ["stream"] : []),
    ...(isUsed("transfer") ? ["transfer"] : []),
  ];
}
