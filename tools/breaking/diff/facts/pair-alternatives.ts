import type { AllowedValue } from "../../../../generator/ir/contract.js";
import {
  type Alternative,
  type Alternatives,
  hasSeveral,
  readersOf,
} from "./alternatives.js";
import type { Shift } from "./effects.js";
import type { Pair } from "./pairing.js";

/** The types of a value in both contracts, of which at least one is a union. */
export interface PairedAlternatives {
  /** The types that are at the same position in both contracts. */
  readonly kept: readonly Pair<Alternative>[];
  /**
   * What a reader of the other version cannot read. `narrower`: values of the
   * old version. `wider`: values of the new version.
   */
  readonly faults: Readonly<Record<keyof Shift, readonly AlternativeFault[]>>;
  /** The field that tells the types apart if both versions have the same. */
  readonly sharedTag: string | null;
}

/** Values that a reader of another version does not read as they are meant. */
export type AlternativeFault =
  /** The reader knows no such type, or no such tags. */
  | {
      readonly kind: "unknown";
      readonly written: Alternative;
      /** The unknown tags, or null if it is the entire type. */
      readonly tags: readonly AllowedValue[] | null;
      /** Whether the reader is an open union that accepts the tags. */
      readonly isAccepted: boolean;
    }
  /** The reader takes the values for those of another type. */
  | {
      readonly kind: "misread";
      readonly written: Alternative;
      readonly reader: Alternative;
    }
  /** The reader accepts only one of these fields. */
  | { readonly kind: "choice"; readonly names: readonly string[] }
  /** The reader expects another tag. */
  | { readonly kind: "tag"; readonly written: string; readonly reader: string }
  /** The reader rejects unknown tags. */
  | { readonly kind: "closed" };

/** Pairs the types that a value can have in both contracts. */
export function pairAlternatives({
  before,
  after,
}: Pair<Alternatives>): PairedAlternatives {
  const sharedTag = before.tag === after.tag ? before.tag : null;
  const isSame = sameTypeTest(before, after);
  const forward = mutualReadings(before, after);
  const backward = mutualReadings(after, before);
  const met: readonly Pair<Alternative>[] = [
    ...forward.map(({ reader, written }) => ({
      before: written,
      after: reader,
    })),
    ...backward.map(({ reader, written }) => ({
      before: reader,
      after: written,
    })),
  ];
  const kept = distinct(
    met.filter((each) => sharedTag !== null || isSame(each.before, each.after)),
  );
  kept.push(...pairByName(before.all, after.all, kept));
  const paired = new Set(kept.flatMap((each) => [each.before, each.after]));
  const faultsOf = (
    written: Alternatives,
    reader: Alternatives,
    readings: readonly Reading[],
  ): readonly AlternativeFault[] => [
    ...findOtherTag(written, reader),
    ...written.all.flatMap((each) =>
      findUnknown(each, reader, paired.has(each), sharedTag),
    ),
    ...readings.flatMap((each): readonly AlternativeFault[] =>
      isSame(each.written, each.reader) ? [] : [{ kind: "misread", ...each }],
    ),
    ...findChoices(readings),
    ...([...written.openTypes].every((type) => reader.openTypes.has(type))
      ? []
      : [{ kind: "closed" } as const]),
  ];
  return {
    kept,
    faults: {
      narrower: faultsOf(before, after, forward),
      wider: faultsOf(after, before, backward),
    },
    sharedTag,
  };
}

/** A type, and one that a reader of the other version takes it for. */
interface Reading {
  readonly written: Alternative;
  readonly reader: Alternative;
}

function readingsOf(
  { all }: Alternatives,
  readers: Alternatives,
): readonly Reading[] {
  return all.flatMap((written) =>
    readersOf(written, readers).map((reader) => ({ written, reader })),
  );
}

/**
 * Returns the same readings. The reader of a struct that is no variant does not
 * examine objects, so it counts as the reader of those variants that its own
 * objects are read as.
 */
function mutualReadings(
  written: Alternatives,
  readers: Alternatives,
): readonly Reading[] {
  const readings = readingsOf(written, readers);
  if (readers.isUnion) return readings;
  const reverse = readingsOf(readers, written);
  return readings.filter((each) =>
    reverse.some(
      ({ reader, written: own }) =>
        reader === each.written && own === each.reader,
    ),
  );
}

/**
 * Returns the test for types that count as the same. Names are not on the wire,
 * so a struct whose name only one version has can be any struct.
 */
function sameTypeTest(
  before: Alternatives,
  after: Alternatives,
): (one: Alternative, other: Alternative) => boolean {
  const then = new Set(before.all.map(({ name }) => name));
  const both = new Set(
    after.all.flatMap(({ name }) => (then.has(name) ? name : [])),
  );
  return (one, other) =>
    one.name === other.name ||
    one.fields === null ||
    other.fields === null ||
    !(both.has(one.name) || both.has(other.name));
}

function distinct(pairs: readonly Pair<Alternative>[]): Pair<Alternative>[] {
  return pairs.filter(
    ({ before, after }, at) =>
      pairs.findIndex(
        (each) => each.before === before && each.after === after,
      ) === at,
  );
}

/** Pairs structs of the same name of which no version can read the other's. */
function pairByName(
  before: readonly Alternative[],
  after: readonly Alternative[],
  kept: readonly Pair<Alternative>[],
): readonly Pair<Alternative>[] {
  return before.flatMap((then) => {
    const now = after.find(({ name }) => name === then.name);
    const isPaired = kept.some(
      (each) => each.before === then || each.after === now,
    );
    return now === undefined || isPaired ? [] : [{ before: then, after: now }];
  });
}

function findOtherTag(
  written: Alternatives,
  reader: Alternatives,
): readonly AlternativeFault[] {
  if (written.tag === null || reader.tag === null) return [];
  if (written.tag === reader.tag) return [];
  const isRead = written.all.every(
    (each) => readersOf(each, reader).length > 0,
  );
  if (isRead) return [];
  return [{ kind: "tag", written: written.tag, reader: reader.tag }];
}

/** Finds the values of a type that a reader does not know. */
function findUnknown(
  written: Alternative,
  reader: Alternatives,
  isPaired: boolean,
  sharedTag: string | null,
): readonly AlternativeFault[] {
  const field =
    reader.tag === null ? undefined : written.fields?.get(reader.tag);
  const isAccepted = (tags: readonly AllowedValue[]): boolean =>
    tags.length > 0 && tags.every((each) => reader.openTypes.has(typeof each));
  if (!isPaired) {
    const tags = field?.isOptional === false ? (field.literals ?? []) : [];
    return [
      {
        kind: "unknown",
        written,
        tags: null,
        isAccepted: isAccepted(tags),
      },
    ];
  }
  // The rules about fields compare the values of other fields.
  if (sharedTag === null) return [];
  const known = new Set(
    reader.all.flatMap((each) => each.fields?.get(sharedTag)?.literals ?? []),
  );
  const tags = (field?.literals ?? []).filter((each) => !known.has(each));
  return tags.length === 0
    ? []
    : [{ kind: "unknown", written, tags, isAccepted: isAccepted(tags) }];
}

/** Finds fields of which objects can have several, but readers accept one. */
function findChoices(
  readings: readonly Reading[],
): readonly AlternativeFault[] {
  const found = readings.find(({ reader, written }) =>
    hasSeveral(written, reader.choice),
  );
  return found ? [{ kind: "choice", names: found.reader.choice }] : [];
}
