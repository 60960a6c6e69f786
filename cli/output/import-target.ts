import {
  baseName,
  type ParsedBase,
  parseBase,
  printBase,
} from "../../tools/import/merge/base-file.js";
import {
  type Documents,
  updateDocuments,
} from "../../tools/import/merge/update-documents.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { readDocument } from "../project/read-document.js";
import { renameSources } from "../report/rebase.js";
import {
  type AbsolutePath,
  parentOf,
  pathFrom,
  resolvePath,
} from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import type { FileChange } from "./changes.js";

/** What an import would change, and what it would lose. */
export interface PlannedImport {
  /** Changes of files in {@link ImportTarget.folder}. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files that an import writes: RIDL, and what the next import needs. */
export class ImportTarget {
  readonly folder: AbsolutePath;
  /** The name of the first RIDL file without `.ridl`. */
  readonly stem: string;
  readonly #out: string;
  readonly #base: string;
  readonly #system: System;

  constructor(out: AbsolutePath, system: System) {
    this.folder = parentOf(out);
    this.#out = pathFrom(this.folder, out);
    this.stem = this.#out.replace(/\.ridl$/iu, "");
    this.#base = baseName(this.stem);
    this.#system = system;
  }

  /**
   * Reads what the last import made. Returns null if there is no RIDL.
   * Errors: a {@link UsageError} if there is RIDL that no import wrote.
   */
  readLast(): ParsedBase | null {
    if (this.#readText(this.#out) === null) return null;
    const text = this.#read(this.#base);
    if (text === null) this.#refuse(this.#out);
    return parseBase(this.#show(this.#base), text);
  }

  /**
   * Plans the first import, or one that replaces all.
   * Errors: a {@link UsageError} if a file exists, unless `isForced`.
   */
  planNew(documents: Documents, isForced: boolean): PlannedImport {
    const texts = this.#named(documents);
    for (const name of isForced ? [] : texts.keys()) {
      if (this.#readText(name) !== null) this.#refuse(name);
    }
    const last = this.#named(this.#readBase() ?? new Map<string, string>());
    const vanished = isForced
      ? [...last.keys()].filter((name) => !texts.has(name))
      : [];
    const files = new Map<string, string | null>([
      ...texts,
      [this.#base, printBase(documents)],
      ...vanished.map((name) => [name, null] as const),
    ]);
    return { changes: this.#compare(files), diagnostics: [] };
  }

  /**
   * Plans an update. Input: what the last import made, and what the document is
   * now.
   * Errors: a {@link UsageError} if a new file exists or an old one does not.
   */
  planUpdate(
    base: Documents,
    documents: Documents,
    isStrict: boolean,
  ): PlannedImport {
    const was = this.#named(base);
    const incoming = this.#named(documents);
    const current = new Map<string, string>();
    for (const name of was.keys()) {
      const text = this.#read(name);
      if (text === null) this.#refuseMissing(name);
      current.set(name, text);
    }
    for (const name of incoming.keys()) {
      if (!was.has(name) && this.#readText(name) !== null) this.#refuse(name);
    }
    const { changes, diagnostics } = updateDocuments({
      base: was,
      current,
      incoming,
      read: (path) => this.#read(path),
      isStrict,
    });
    const files = new Map([
      ...changes,
      [this.#base, printBase(documents)] as const,
    ]);
    const found = renameSources(diagnostics, ({ path }) => this.#show(path));
    return { changes: this.#compare(files), diagnostics: found };
  }

  /** The first file has the name that the user chose. */
  #named(documents: Documents): Documents {
    return new Map(
      [...documents].map(([name, text], index) => [
        index === 0 ? this.#out : name,
        text,
      ]),
    );
  }

  /**
   * Returns what the last import made, or null.
   * Errors: a {@link UsageError} for a file of the user, which has this name by
   * chance.
   */
  #readBase(): Documents | null {
    const text = this.#readText(this.#base);
    if (text === null) return null;
    const base = parseBase(this.#base, text);
    if ("documents" in base) return base.documents;
    throw new UsageError(
      `\`${this.#show(this.#base)}\` already exists`,
      "move it away, or choose another file with `--out`",
    );
  }

  #compare(files: ReadonlyMap<string, string | null>): FileChange[] {
    return [...files].flatMap(([path, text]): FileChange[] => {
      const current = this.#readText(path);
      if (text === current) return [];
      if (text === null) return [{ path, kind: "remove", text, current }];
      return [
        { path, kind: current === null ? "create" : "update", text, current },
      ];
    });
  }

  #readText(name: string): string | null {
    return this.#system.readText(resolvePath(this.folder, name));
  }

  #read(name: string): string | null {
    return readDocument(resolvePath(this.folder, name), this.#system);
  }

  #show(name: string): string {
    const place = resolvePath(this.folder, name);
    return pathFrom(this.#system.workingFolder, place);
  }

  #refuse(name: string): never {
    throw new UsageError(
      `\`${this.#show(name)}\` already exists, and \`${this.#show(this.#base)}\` does not say that an import wrote it`,
      "replace it with `--force`, or choose another file with `--out`",
    );
  }

  #refuseMissing(name: string): never {
    throw new UsageError(
      `\`${this.#show(name)}\` does not exist, but the last import wrote it`,
      "restore it, or write all files again with `--force`",
    );
  }
}
