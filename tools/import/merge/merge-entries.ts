import type { Entries, MergeableEntry } from "./entries.js";
import { mergeOrder, mergeParts, printParts } from "./merge-parts.js";
import type { Parts } from "./parts.js";
import { hasSameTexts } from "./version.js";

/** The entries of three versions, with the same names. */
export interface Versions {
  readonly base: Entries;
  readonly mine: Entries;
  readonly theirs: Entries;
}

/** Something that the person and the document changed in different ways. */
export interface Conflict {
  /** The entry, and the declaration or document that contains it. */
  readonly id: string;
  readonly home: string;
  readonly message: string;
  /** What is lost, as RIDL. */
  readonly mine?: readonly string[];
  /** What the document says, as RIDL. Empty if it says nothing. */
  readonly theirs: readonly string[];
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
  readonly #mine: Entries;
  readonly #theirs: Entries;
  readonly #kept: ReadonlySet<string>;

  constructor({ base, mine, theirs }: Versions, kept: ReadonlySet<string>) {
    this.#base = base;
    this.#mine = mine;
    this.#theirs = theirs;
    this.#kept = kept;
  }

  /** Merges what a document contains, or the members of a declaration. */
  mergeHome(home: string): readonly MergedEntry[] {
    const idsOf = ({ byHome }: Entries): string[] =>
      (byHome.get(home) ?? []).map(({ id }) => id);
    const isHere = (id: string): boolean => this.#homeOf(id) === home;
    const mine = idsOf(this.#mine);
    const ids = mergeOrder(
      // An entry that moved is the document's.
      mine.filter(isHere),
      idsOf(this.#theirs),
    );
    const own = new Set(mine);
    return ids
      .filter(isHere)
      .flatMap((id) => this.#merge(id, !own.has(id)) ?? []);
  }

  /** Returns where an entry is in the result. */
  #homeOf(id: string): string | undefined {
    const base = this.#base.byId.get(id)?.home;
    const mine = this.#mine.byId.get(id)?.home;
    const theirs = this.#theirs.byId.get(id)?.home;
    const isMoved = theirs !== undefined && theirs !== base;
    if (mine === undefined || (mine === base && isMoved)) {
      const isRemoved =
        mine !== undefined &&
        theirs !== undefined &&
        this.#base.byId.has(theirs) &&
        !this.#mine.byId.has(theirs);
      return isRemoved ? mine : (theirs ?? base);
    }
    return mine;
  }

  #merge(id: string, isNew: boolean): MergedEntry | null {
    const base = this.#base.byId.get(id);
    const mine = this.#mine.byId.get(id);
    const theirs = this.#theirs.byId.get(id);
    if (mine === undefined) {
      if (theirs === undefined) return null;
      // Members of what comes back come back, too.
      const isBack = isMember(theirs) && !this.#mine.byId.has(theirs.home);
      if (base === undefined || isBack || this.#kept.has(id)) {
        return this.#take(theirs, true);
      }
      return theirs.kind === "service"
        ? this.#leaveService(theirs)
        : this.#leaveRemoved(base, theirs);
    }
    if (theirs === undefined) {
      return base === undefined
        ? this.#take(mine, isNew)
        : this.#remove(base, mine, isNew);
    }
    if (base === undefined && isDeclaration(mine)) {
      return this.#refuseNamesake(mine, theirs);
    }
    if (base !== undefined && mine.kind !== theirs.kind) {
      return this.#mergeKinds(base, mine, theirs, isNew);
    }
    const lines = this.#mergeLines(base?.parts ?? new Map(), mine, theirs);
    return { ...this.#take(mine, isNew), lines };
  }

  #take(entry: MergeableEntry, isNew: boolean): MergedEntry {
    const { before, id, kind, lines } = entry;
    const members = this.mergeHome(id);
    return { id, kind, before, lines, members, isNew };
  }

  /** Merges, for example, a struct that became an alias. */
  #mergeKinds(
    base: MergeableEntry,
    mine: MergeableEntry,
    theirs: MergeableEntry,
    isNew: boolean,
  ): MergedEntry {
    const { id, kind, label } = mine;
    const isTheirs = base.kind === kind;
    const isChanged = isTheirs
      ? !hasSameTexts(base.parts, mine.parts)
      : this.#textOf(this.#base, base) !== this.#textOf(this.#theirs, theirs);
    if (isChanged) {
      this.#report(mine, {
        message: `\`${label}\` was changed here and in the document`,
        mine: this.#linesOf(mine),
        theirs: theirs.lines,
        instead: isTheirs
          ? "it is what the document says"
          : "the text here was kept",
      });
    }
    if (isTheirs) {
      const { lines } = theirs;
      return { ...this.#take(mine, isNew), kind: theirs.kind, lines };
    }
    const members = (this.#mine.byHome.get(id) ?? []).map((member) => ({
      ...member,
      members: [],
      isNew: false,
    }));
    return { ...mine, members, isNew };
  }

  #mergeLines(
    base: Parts,
    mine: MergeableEntry,
    theirs: MergeableEntry,
  ): readonly string[] {
    if (
      hasSameTexts(mine.parts, theirs.parts) ||
      hasSameTexts(base, theirs.parts)
    ) {
      return mine.lines;
    }
    if (hasSameTexts(base, mine.parts)) return theirs.lines;
    const { conflicts, parts } = mergeParts(base, mine.parts, theirs.parts);
    for (const { part, theirs: text } of conflicts) {
      this.#report(mine, {
        message: `${nameOf(part)} of \`${mine.label}\` was changed here and in the document`,
        theirs: text === null ? [] : text.split("\n"),
        instead: "the text here was kept",
      });
    }
    return printParts(mine, parts);
  }

  /** Removes an entry that is no longer in the document. */
  #remove(
    base: MergeableEntry,
    mine: MergeableEntry,
    isNew: boolean,
  ): MergedEntry | null {
    const { id, kind, label } = mine;
    const isOfFile = kind === "header" || kind === "import";
    // The document's file is gone, but this one may have other declarations.
    // Members of what is kept are kept, too.
    const isKeptPart =
      (isOfFile && !this.#theirs.byHome.has(mine.home)) ||
      (isMember(mine) && !this.#theirs.byId.has(mine.home));
    if (isKeptPart) return this.#take(mine, isNew);
    if (this.#kept.has(id)) {
      this.#report(mine, {
        message: `\`${label}\` is no longer in the document, but it is used here`,
        theirs: [],
        instead: "it was kept",
      });
      return this.#take(mine, isNew);
    }
    if (kind === "service") {
      const service = this.#take(mine, isNew);
      if (service.members.some(hasLines)) return service;
    }
    const isEdited =
      this.#textOf(this.#base, base) !== this.#textOf(this.#mine, mine);
    if (isEdited) {
      this.#report(mine, {
        message: `\`${label}\` was changed here and is no longer in the document`,
        mine: this.#linesOf(mine),
        theirs: [],
        instead: "it was removed",
      });
    }
    // The comments above it belong to nothing.
    const hasComments = mine.before.some((line) => line !== "");
    if (!hasComments) return null;
    const { before } = mine;
    return { id, kind, before, lines: [], members: [], isNew };
  }

  /** Brings a service back that a person removed, for methods that are new. */
  #leaveService(theirs: MergeableEntry): MergedEntry | null {
    const service = this.#take(theirs, true);
    return service.members.some(hasLines) ? service : null;
  }

  /** Reports that the document changed what a person removed. */
  #leaveRemoved(base: MergeableEntry, theirs: MergeableEntry): null {
    const text = this.#textOf(this.#theirs, theirs);
    if (text !== this.#textOf(this.#base, base)) {
      this.#report(theirs, {
        message: `\`${theirs.label}\` was removed here and changed in the document`,
        theirs: theirs.lines.map((line) => line.trim()),
        instead: "it was not added again",
      });
    }
    return null;
  }

  #refuseNamesake(mine: MergeableEntry, theirs: MergeableEntry): MergedEntry {
    const isEqual =
      this.#textOf(this.#mine, mine) === this.#textOf(this.#theirs, theirs);
    if (!isEqual) {
      this.#report(mine, {
        message: `\`${mine.label}\` is new in the document, and another declaration here has this name`,
        theirs: theirs.lines,
        instead: "nothing was written",
        isFatal: true,
      });
    }
    return this.#take(mine, false);
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
    const members = this.#mine.byHome.get(id) ?? [];
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
