import { parseDocument } from "../../1-parse/index.js";
import type { Host } from "../../2-check/host.js";
import { applyFixes } from "../../diagnostics/apply-fixes.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isLintCode } from "../../lint/index.js";

/** A document that was repaired. */
export interface FixedDocument {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Codes of what was repaired, each as often as it was. */
  readonly codes: readonly string[];
}

/** What repairing came to. */
export interface FixResult {
  /** In path order; only those that changed. */
  readonly documents: readonly FixedDocument[];
  /** What is left to be said. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Says what is wrong with the documents of a host. */
export type Inspect = (host: Host) => readonly Diagnostic[];

/** A repair may uncover another; after so many rounds two undo each other. */
const maxRounds = 10;

/** Texts and codes of the documents while they are repaired. */
type Drafts = ReadonlyMap<string, Omit<FixedDocument, "path" | "before">>;

/**
 * Applies the fixes of diagnostics until none is left. Each step is checked:
 * a fix after which a document has more faults than before is not applied.
 * Input: paths of the documents that may be changed.
 */
export function fixDocuments(
  paths: readonly string[],
  host: Host,
  inspect: Inspect,
): FixResult {
  const look = (drafts: Drafts): readonly Diagnostic[] =>
    inspect(withDrafts(host, drafts));
  let drafts: Drafts = new Map();
  let diagnostics = look(drafts);
  for (let round = 0; round < maxRounds; round++) {
    const before = drafts;
    for (const path of paths.filter((each) => each.endsWith(".ridl"))) {
      const fixable = diagnostics.filter(
        ({ fix }) => fix?.location.source.path === path,
      );
      if (fixable.length === 0) continue;
      const text = withDrafts(host, drafts).read(path) ?? "";
      const limit = countFaults(path, text, diagnostics);
      drafts = improve({ path, text, fixable, limit, drafts, look });
      diagnostics = look(drafts);
    }
    if (drafts === before) break;
  }
  const documents = [...drafts]
    .map(([path, draft]) => ({ path, before: host.read(path) ?? "", ...draft }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { documents, diagnostics };
}

function withDrafts(host: Host, drafts: Drafts): Host {
  return { read: (path) => drafts.get(path)?.after ?? host.read(path) };
}

/** One document, and what may be repaired in it. */
interface Task {
  readonly path: string;
  readonly text: string;
  readonly fixable: readonly Diagnostic[];
  /** How broken it may be after a fix: as it is now. */
  readonly limit: number;
  readonly drafts: Drafts;
  readonly look: (drafts: Drafts) => readonly Diagnostic[];
}

/** All fixes at once if that is well; else each that is, one after the other. */
function improve(task: Task): Drafts {
  const { path, text, limit, drafts } = task;
  const attempt = (fixable: readonly Diagnostic[]): Drafts | null => {
    const draft = toDraft(task, fixable);
    if (draft.after === text) return null;
    const next = new Map([...drafts, [path, draft]]);
    const faults = countFaults(path, draft.after, task.look(next));
    return faults <= limit ? next : null;
  };
  const all = attempt(task.fixable);
  if (all) return all;
  let good: readonly Diagnostic[] = [];
  let best = drafts;
  for (const each of task.fixable) {
    const next = attempt([...good, each]);
    if (next === null) continue;
    good = [...good, each];
    best = next;
  }
  return best;
}

function toDraft(
  { path, text, drafts }: Task,
  fixable: readonly Diagnostic[],
): Omit<FixedDocument, "path" | "before"> {
  const fixes = fixable.flatMap(({ fix }) => fix ?? []);
  const { text: after, applied } = applyFixes(text, fixes);
  const codes = fixable
    .filter(({ fix }) => fix && applied.includes(fix))
    .map(({ code }) => code);
  return { after, codes: [...(drafts.get(path)?.codes ?? []), ...codes] };
}

/**
 * A measure of how broken things are. What cannot be read counts most: as long
 * as there is any of it, other faults are hidden. Advice counts nothing.
 */
function countFaults(
  path: string,
  text: string,
  diagnostics: readonly Diagnostic[],
): number {
  const isError = ({ severity, code }: Diagnostic): boolean =>
    severity === "error" && !isLintCode(code);
  const unreadable = parseDocument({ path, text }).diagnostics.filter(isError);
  const all = diagnostics.filter(isError);
  return unreadable.length * 1_000_000 + all.length;
}
