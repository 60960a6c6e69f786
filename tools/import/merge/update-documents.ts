import { parseDocument } from "../../../generator/1-parse/load/parse-document.js";
import { loadDocuments } from "../../../generator/1-parse/load/load-documents.js";
import {
  isPrintable,
  printDocument,
} from "../../../generator/1-parse/print.js";
import { checkContract } from "../../../generator/2-check/index.js";
import {
  compareDiagnostics,
  type Diagnostic,
} from "../../../generator/diagnostics/diagnostic.js";
import { withLineBreaksOf } from "../../../generator/source/line-breaks.js";
import { reportConflicts } from "./conflicts.js";
import { listEntries } from "./entries.js";
import { findMissing } from "./find-missing.js";
import { matchVersions, type Pairs } from "./match-versions.js";
import {
  type Conflict,
  EntryMerger,
  hasLines,
  type MergedEntry,
  type Versions,
} from "./merge-entries.js";
import { methodIdsIn, printEntries } from "./print-entries.js";
import { chooseNames, renameVersion } from "./rename-version.js";
import { hasSameTexts, readVersion, type Version } from "./version.js";

/** RIDL documents by the names of their files. */
export type Documents = ReadonlyMap<string, string>;

/** The three versions that an update merges. */
export interface UpdateInput {
  /** What the last import made. */
  readonly base: Documents;
  /** What the files contain now. */
  readonly current: Documents;
  /** What the document is in RIDL now. */
  readonly incoming: Documents;
  /** Reads other documents, which those of the person may import. */
  readonly read: (path: string) => string | null;
  /** Whether conflicts are errors. */
  readonly isStrict: boolean;
}

/** The result of an update. */
export interface Updated {
  /** New texts of files that change, null for those that nothing needs. */
  readonly changes: ReadonlyMap<string, string | null>;
  /** Conflicts. If one is an error, nothing may be written. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Updates RIDL that an import made, and that people changed since, with the
 * RIDL of a newer document. What only one of them changed is the result. If
 * both changed the same, the person's text stays, which is reported.
 */
export function updateDocuments(input: UpdateInput): Updated {
  const { base, current, incoming } = input;
  if (hasSameTexts(base, incoming))
    return { changes: new Map(), diagnostics: [] };
  const broken = [...current].flatMap(([path, text]) => findBroken(path, text));
  if (broken.length > 0) return { changes: new Map(), diagnostics: broken };
  const formatted = mapTexts(current, format);
  const merged = hasSameTexts(base, formatted)
    ? { texts: incoming, diagnostics: [] }
    : merge({ ...input, current: formatted });
  const changes = new Map<string, string | null>();
  for (const [path, text] of merged.texts) {
    const before = current.get(path);
    if (text === formatted.get(path)) continue;
    changes.set(path, withLineBreaksOf(before ?? "", text));
  }
  for (const path of current.keys()) {
    if (!merged.texts.has(path)) changes.set(path, null);
  }
  const { diagnostics } = merged;
  return { changes, diagnostics: diagnostics.toSorted(compareDiagnostics) };
}

interface Merged {
  readonly texts: Documents;
  readonly diagnostics: readonly Diagnostic[];
}

function merge(input: UpdateInput): Merged {
  const { isStrict } = input;
  const { original, versions } = align(input);
  const { conflicts, entries } = mergeVersions(versions, input);
  const texts = new Map(
    [...entries].map(([path, list]) => [
      path,
      format(printEntries(list), path),
    ]),
  );
  const errors = checkTexts(texts, input);
  const isWritten =
    errors.length === 0 &&
    !isStrict &&
    conflicts.every(({ isFatal }) => isFatal !== true);
  const ids = [...entries.values()].flatMap(methodIdsIn);
  const before = new Map(
    versions.current.all.map(({ id }, index) => [id, original.all[index]]),
  );
  // Places are those in the files after the run, except of what is gone.
  const after = isWritten ? listEntries(readVersion(texts), ids).byId : before;
  const found = reportConflicts(
    conflicts,
    isStrict,
    (id) => after.get(id) ?? before.get(id),
  );
  return { texts, diagnostics: [...found, ...errors] };
}

/** Gives the declarations of all versions the same names. */
function align({ base, current, incoming }: UpdateInput): {
  readonly versions: Versions;
  /** The entries of the person's files before. */
  readonly original: Versions["current"];
} {
  const [was, own, other] = [base, current, incoming].map(readVersion) as [
    Version,
    Version,
    Version,
  ];
  const ownPairs = matchVersions(was, own);
  const otherPairs = matchVersions(was, other);
  const names = chooseNames(ownPairs, otherPairs);
  const read = (version: Version, ids: readonly string[]) =>
    listEntries(
      readVersion(mapTexts(renameVersion(version, names), format)),
      ids,
    );
  const ids = was.methods.map((_, index) => `method ${index}`);
  const ownIds = pairIds(was, own, ownPairs);
  return {
    versions: {
      base: read(was, ids),
      current: read(own, ownIds),
      incoming: read(other, pairIds(was, other, otherPairs)),
    },
    original: listEntries(own, ownIds),
  };
}

/** Gives methods the ids of those of the base, or else their addresses. */
function pairIds(
  base: Version,
  other: Version,
  pairs: Pairs,
): readonly string[] {
  const ids = new Map(
    base.methods.map(({ syntax }, index) => [pairs.get(syntax), index]),
  );
  return other.methods.map(({ address, path, syntax }) => {
    const index = ids.get(syntax);
    return index === undefined
      ? `method ${path} ${address}`
      : `method ${index}`;
  });
}

/** Merges until everything that the result uses is in it. */
function mergeVersions(
  versions: Versions,
  { current, read, incoming }: UpdateInput,
): {
  readonly conflicts: readonly Conflict[];
  readonly entries: ReadonlyMap<string, readonly MergedEntry[]>;
} {
  const paths = [...new Set([...current.keys(), ...incoming.keys()])];
  const kept = new Set<string>();
  for (;;) {
    const merger = new EntryMerger(versions, kept);
    const entries = new Map(
      paths
        .map((path) => [path, merger.mergeHome(path)] as const)
        .filter(([path, list]) => incoming.has(path) || isNeeded(list)),
    );
    const texts = new Map(
      [...entries].map(([path, list]) => [path, printEntries(list)]),
    );
    const missing = findMissing(texts, read).filter(
      (id) =>
        !kept.has(id) &&
        (versions.current.byId.has(id) || versions.incoming.byId.has(id)),
    );
    const conflicts = [...findRepeated(versions), ...merger.conflicts];
    if (missing.length === 0) return { conflicts, entries };
    for (const id of missing) kept.add(id);
  }
}

/** Whether a file contains more than what every file does. */
function isNeeded(entries: readonly MergedEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind !== "header" && entry.kind !== "import" && hasLines(entry),
  );
}

/** Finds names that are given twice, once by a person. */
function findRepeated({ current, incoming }: Versions): readonly Conflict[] {
  return [...current.repeated, ...incoming.repeated].map(
    ({ home, id, label, lines }) => ({
      id,
      home,
      message: `\`${label}\` is a new name in the document, and the name here of another declaration`,
      incoming: lines,
      instead: "nothing was written",
      isFatal: true,
    }),
  );
}

function checkTexts(
  texts: Documents,
  { read }: UpdateInput,
): readonly Diagnostic[] {
  const paths = [...texts.keys()];
  const reader = { read: (path: string) => texts.get(path) ?? read(path) };
  const { diagnostics } = checkContract(paths, loadDocuments(paths, reader));
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((error) => ({
      ...error,
      notes: [
        ...(error.notes ?? []),
        "this is what the import would write; nothing was written",
      ],
    }));
}

function findBroken(path: string, text: string): readonly Diagnostic[] {
  const { diagnostics } = parseDocument({ path, text });
  if (isPrintable(diagnostics)) return [];
  const help = "fix the errors, and import the document again";
  const message = `\`${path}\` has text that cannot be updated`;
  return [
    ...diagnostics,
    { code: "import-conflict", severity: "error", message, help },
  ];
}

function format(text: string, path: string): string {
  const { diagnostics, value } = parseDocument({ path, text });
  return isPrintable(diagnostics) ? printDocument(value) : text;
}

function mapTexts(
  documents: Documents,
  map: (text: string, path: string) => string,
): Documents {
  return new Map([...documents].map(([path, text]) => [path, map(text, path)]));
}
