import type { Entries, MergeableEntry } from "./entries.js";
import { mergeOrder, mergeParts, printParts } from "./merge-parts.js";
import type { Parts } from "./parts.js";
import { hasSameTexts } from "./version.js";

/** The entries of three versions, with the same names. */
export interface Versions {
  readonly base: Entries;
  readonly current: Entries;
  readonly incoming: Entries;
}

/** Something that the person and the document changed in different ways. */
export interface Conflict {
  /** The entry, and the declaration or document that contains it. */
  readonly id: string;
  readonly home: string;
  readonly message: string;
  /** What is lost, as RIDL. */
  readonly current?: readonly string[];
  /** What the document says, as RIDL. Empty if it says nothing. */
  readonly incoming: readonly string[];
  /** What happened, e.g. "your change was kept". */
  readonly instead: string;
  /** Set if no text can be written. */
  readonly isFatal?: true;
}

/** An entry of the result. */
export interface MergedEntry {
  readonly id: string;
  readonly kind: MergeableEntry["kind"];
  readonly before: readonly string[];
  readonly lines: readonly string[];
  readonly members: readonly MergedEntry[];
  /** Whether the entry was not in the person's text, or at another place. */
  readonly isNew: boolean;
}

/**
 * Merges the entries of three versions. Entries in `kept` stay or come back even
 * if one of the others removed them, because something uses them.
 */
export class EntryMerger {
  readonly conflicts: Conflict[] = [];
  readonly #base: Entries;
  readonly #current: Entries;
  readonly #incoming: Entries;
  readonly #kept: ReadonlySet<string>;

  constructor(
    { base, current, incoming }: Versions,
    kept: ReadonlySet<string>,
  ) {
    this.#base = base;
    this.#current = current;
    this.#incoming = incoming;
    this.#kept = kept;
  }

  /** Merges what a document contains, or the members of a declaration. */
  mergeHome(home: string): readonly MergedEntry[] {
    const idsOf = ({ byHome }: Entries): string[] =>
      (byHome.get(home) ?? []).map(({ id }) => id);
    const isHere = (id: string): boolean => this.#homeOf(id) === home;
    const current = idsOf(this.#current);
    const ids = mergeOrder(
      // An entry that moved is the document's.
      current.filter(isHere),
      idsOf(this.#incoming),
    );
    const own = new Set(current);
    return ids
      .filter(isHere)
      .flatMap((id) => this.#merge(id, !own.has(id)) ?? []);
  }

  /** Returns where an entry is in the result. */
  #homeOf(id: string): string | undefined {
    const base = this.#base.byId.get(id)?.home;
    const current = this.#current.byId.get(id)?.home;
    const incoming = this.#incoming.byId.get(id)?.home;
    const isMoved = incoming !== undefined && incoming !== base;
    if (current === undefined || (current === base && isMoved)) {
      const isRemoved =
        current !== undefined &&
        incoming !== undefined &&
        this.#base.byId.has(incoming) &&
        !this.#current.byId.has(incoming);
      return isRemoved ? current : (incoming ?? base);
    }
    return current;
  }

  #merge(id: string, isNew: boolean): MergedEntry | null {
    const base = this.#base.byId.get(id);
    const current = this.#current.byId.get(id);
    const incoming = this.#incoming.byId.get(id);
    if (current === undefined) {
      if (incoming === undefined) return null;
      // Members of what comes back come back, too.
      const isBack =
        isMember(incoming) && !this.#current.byId.has(incoming.home);
      if (base === undefined || isBack || this.#kept.has(id)) {
        return this.#take(incoming, true);
      }
      return incoming.kind === "service"
        ? this.#leaveService(incoming)
        : this.#leaveRemoved(base, incoming);
    }
    if (incoming === undefined) {
      return base === undefined
        ? this.#take(current, isNew)
        : this.#remove(base, current, isNew);
    }
    if (base === undefined && isDeclaration(current)) {
      return this.#refuseNamesake(current, incoming);
    }
    if (base !== undefined && current.kind !== incoming.kind) {
      return this.#mergeKinds(base, current, incoming, isNew);
    }
    const lines = this.#mergeLines(base?.parts ?? new Map(), current, incoming);
    return { ...this.#take(current, isNew), lines };
  }

  #take(entry: MergeableEntry, isNew: boolean): MergedEntry {
    const { before, id, kind, lines } = entry;
    const members = this.mergeHome(id);
    return { id, kind, before, lines, members, isNew };
  }

  /** Merges, for example, a struct that became an alias. */
  #mergeKinds(
    base: MergeableEntry,
    current: MergeableEntry,
    incoming: MergeableEntry,
    isNew: boolean,
  ): MergedEntry {
    const { id, kind, label } = current;
    const isIncoming = base.kind === kind;
    const isChanged = isIncoming
      ? !hasSameTexts(base.parts, current.parts)
      : this.#textOf(this.#base, base) !==
        this.#textOf(this.#incoming, incoming);
    if (isChanged) {
      this.#report(current, {
        message: `\`${label}\` was changed here and in the document`,
        current: this.#linesOf(current),
        incoming: incoming.lines,
        instead: isIncoming
          ? "it is what the document says"
          : "the text here was kept",
      });
    }
    if (isIncoming) {
      const { lines } = incoming;
      return { ...this.#take(current, isNew), kind: incoming.kind, lines };
    }
    const members = (this.#current.byHome.get(id) ?? []).map((member) => ({
      ...member,
      members: [],
      isNew: false,
    }));
    return { ...current, members, isNew };
  }

  #mergeLines(
    base: Parts,
    current: MergeableEntry,
    incoming: MergeableEntry,
  ): readonly string[] {
    if (
      hasSameTexts(current.parts, incoming.parts) ||
      hasSameTexts(base, incoming.parts)
    ) {
      return current.lines;
    }
    if (hasSameTexts(base, current.parts)) return incoming.lines;
    const { conflicts, parts } = mergeParts(
      base,
      current.parts,
      incoming.parts,
    );
    for (const { part, incoming: text } of conflicts) {
      this.#report(current, {
        message: `${nameOf(part)} of \`${current.label}\` was changed here and in the document`,
        incoming: text === null ? [] : text.split("\n"),
        instead: "the text here was kept",
      });
    }
    return printParts(current, parts);
  }

  /** Removes an entry that is no longer in the document. */
  #remove(
    base: MergeableEntry,
    current: MergeableEntry,
    isNew: boolean,
  ): MergedEntry | null {
    const { id, kind, label } = current;
    const isOfFile = kind === "header" || kind === "import";
    // The document's file is gone, but this one may have other declarations.
    // Members of what is kept are kept, too.
    const isKeptPart =
      (isOfFile && !this.#incoming.byHome.has(current.home)) ||
      (isMember(current) && !this.#incoming.byId.has(current.home));
    if (isKeptPart) return this.#take(current, isNew);
    if (this.#kept.has(id)) {
      this.#report(current, {
        message: `\`${label}\` is no longer in the document, but it is used here`,
        incoming: [],
        instead: "it was kept",
      });
      return this.#take(current, isNew);
    }
    if (kind === "service") {
      const service = this.#take(current, isNew);
      if (service.members.some(hasLines)) return service;
    }
    const isEdited =
      this.#textOf(this.#base, base) !== this.#textOf(this.#current, current);
    if (isEdited) {
      this.#report(current, {
        message: `\`${label}\` was changed here and is no longer in the document`,
        current: this.#linesOf(current),
        incoming: [],
        instead: "it was removed",
      });
    }
    // The comments above it belong to nothing.
    const hasComments = current.before.some((line) => line !== "");
    if (!hasComments) return null;
    const { before } = current;
    return { id, kind, before, lines: [], members: [], isNew };
  }

  /** Brings a service back that a person removed, for methods that are new. */
  #leaveService(incoming: MergeableEntry): MergedEntry | null {
    const service = this.#take(incoming, true);
    return service.members.some(hasLines) ? service : null;
  }

  /** Reports that the document changed what a person removed. */
  #leaveRemoved(base: MergeableEntry, incoming: MergeableEntry): null {
    const text = this.#textOf(this.#incoming, incoming);
    if (text !== this.#textOf(this.#base, base)) {
      this.#report(incoming, {
        message: `\`${incoming.label}\` was removed here and changed in the document`,
        incoming: incoming.lines.map((line) => line.trim()),
        instead: "it was not added again",
      });
    }
    return null;
  }

  #refuseNamesake(
    current: MergeableEntry,
    incoming: MergeableEntry,
  ): MergedEntry {
    const isEqual =
      this.#textOf(this.#current, current) ===
      this.#textOf(this.#incoming, incoming);
    if (!isEqual) {
      this.#report(current, {
        message: `\`${current.label}\` is new in the document, and another declaration here has this name`,
        incoming: incoming.lines,
        instead: "nothing was written",
        isFatal: true,
      });
    }
    return this.#take(current, false);
  }

  /**
   * Returns what an entry and its members say, without their order and without
   * names that are only written because a person renamed a field.
   */
  #textOf(entries: Entries, { id, kind, parts }: MergeableEntry): string {
    const texts = [...parts]
      .filter(([key]) => key !== "+ jsonName" && key !== "+ json")
      .map(([key, text]) => `${key} ${text}`);
    // Methods are compared on their own, because they can move.
    const list = kind === "service" ? [] : (entries.byHome.get(id) ?? []);
    const members = list.map((member) => this.#textOf(entries, member));
    return JSON.stringify([texts.toSorted(), members.toSorted()]);
  }

  /** Returns the lines of an entry of the person and its members. */
  #linesOf({ id, kind, lines }: MergeableEntry): readonly string[] {
    const members = this.#current.byHome.get(id) ?? [];
    // Methods are reported on their own.
    return kind === "service"
      ? lines
      : [...lines, ...members.flatMap((member) => member.lines)];
  }

  #report(
    { home, id }: MergeableEntry,
    conflict: Omit<Conflict, "id" | "home">,
  ): void {
    this.conflicts.push({ id, home, ...conflict });
  }
}

/** Whether an entry is more than the comments above a removed one. */
export function hasLines({ lines }: MergedEntry): boolean {
  return lines.length > 0;
}

/** Whether another declaration with the same name would be another thing. */
function isDeclaration({ kind }: MergeableEntry): boolean {
  return (
    kind === "alias" || kind === "enum" || kind === "struct" || kind === "error"
  );
}

function isMember({ kind }: MergeableEntry): boolean {
  return kind === "field" || kind === "enum-member";
}

function nameOf(part: string): string {
  if (/^[@+]/u.test(part)) return `\`${part.replace(/^\+ /u, "+ ")}\``;
  const [kind, ...name] = part.split(" ");
  const isNamed = kind === "request" || kind === "response" || kind === "error";
  return isNamed && name.length > 0
    ? `\`${name.join(" ")}\` in the ${kind}`
    : `the ${part}`;
}
