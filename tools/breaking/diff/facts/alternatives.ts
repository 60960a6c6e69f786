import {
  extraFieldOf,
  membersAmong,
} from "../../../../generator/ir/extra-members.js";
import type { AllowedValue, Union } from "../../../../generator/ir/contract.js";
import type { JsonKind } from "../../../../generator/ir/variant-shape.js";
import type {
  ContractValues,
  ResolvedValue,
} from "../../../../generator/values/value.js";
import {
  literalsOf,
  type Mark,
  shapeOf,
  tagsIn,
  variantsOf,
} from "../../../../generator/values/variants.js";
import { printType } from "./names.js";
import type { ValueSource } from "./value.js";

/** The types that a value can have. A value that is no union has only one. */
export interface Alternatives {
  /** The types, in the order in which a reader tries them. */
  readonly all: readonly Alternative[];
  /** JSON name of the field that tells them apart, or null if there is none. */
  readonly tag: string | null;
  /** Whether they are the variants of a union. */
  readonly isUnion: boolean;
  /** The types of the unknown tags that an open union accepts. */
  readonly openTypes: ReadonlySet<string>;
}

/** One of the types that a value can have, which is no union. */
export interface Alternative {
  readonly source: ValueSource;
  /** The type as in RIDL, e.g. `[]string`. */
  readonly name: string;
  readonly kinds: ReadonlySet<JsonKind>;
  /** The fields by JSON name, or null if the type is not a struct. */
  readonly fields: ReadonlyMap<string, AlternativeField> | null;
  /** Whether an object of the type can have other fields. */
  readonly hasExtra: boolean;
  /** The tags by which a reader recognizes an object of this type. */
  readonly tags: readonly Tags[];
  /** The fields by which a reader recognizes an object of this type. */
  readonly marks: readonly Mark[];
  /** The fields of which exactly one must be present, or none. */
  readonly choice: readonly string[];
}

/** A field of a struct that is one of several types. */
interface AlternativeField {
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** All values of the field, or null if there are too many to list. */
  readonly literals: readonly AllowedValue[] | null;
}

/** The values of a field that mean a type. */
interface Tags {
  readonly field: string;
  readonly values: readonly AllowedValue[];
}

type Tests = Pick<Alternative, "choice" | "marks" | "tags">;

/** Returns the types that a value can have, with unions in unions resolved. */
export function alternativesOf(
  scope: ContractValues,
  value: ResolvedValue,
  source: ValueSource,
): Alternatives {
  const tests: Tests = { choice: [], marks: [], tags: [] };
  if (value.kind !== "union") {
    const alone = alternativeOf(scope, value, source, tests);
    return { all: [alone], tag: null, isUnion: false, openTypes: new Set() };
  }
  const { declaration } = value;
  const { isOpen, tag } = declaration;
  const tags = isOpen ? tagsIn(scope, declaration) : [];
  return {
    all: alternativesIn(scope, declaration, source, tests),
    tag,
    isUnion: true,
    openTypes: new Set(tags.map((each) => typeof each)),
  };
}

function alternativesIn(
  scope: ContractValues,
  union: Union,
  outer: ValueSource,
  tests: Tests,
): readonly Alternative[] {
  const subject = { kind: "type", name: union.name } as const;
  return variantsOf(scope)(union).flatMap(({ marks, tags, type, value }) => {
    const inner: Tests = {
      choice: union.choice.length > 0 ? union.choice : tests.choice,
      marks: [...tests.marks, ...marks],
      tags:
        union.tag === null
          ? tests.tags
          : [...tests.tags, { field: union.tag, values: tags }],
    };
    // Null is not read as empty, because it is of no variant.
    const source: ValueSource = {
      type,
      constraints: {},
      subject,
      form: outer.form,
      isRequired: false,
      isItem: false,
    };
    return value.kind === "union"
      ? alternativesIn(scope, value.declaration, source, inner)
      : [alternativeOf(scope, value, source, inner)];
  });
}

function alternativeOf(
  scope: ContractValues,
  value: ResolvedValue,
  source: ValueSource,
  tests: Tests,
): Alternative {
  const all = value.kind === "struct" ? value.declaration.fields : [];
  const fields =
    value.kind === "struct"
      ? new Map(
          membersAmong(all).map((field) => [
            field.jsonName,
            {
              isOptional: field.isOptional,
              isNullable: field.isNullable,
              literals: literalsOf(scope.valueOf(field)),
            },
          ]),
        )
      : null;
  const { kinds } = shapeOf(scope, source.type);
  const name = printType(source.type);
  const hasExtra = extraFieldOf(all) !== undefined;
  return { source, name, kinds, fields, hasExtra, ...tests };
}

/** Whether a reader takes the values of one type for those of another. */
type Match = "never" | "sometimes" | "always";

/**
 * Returns the types that a reader of another version can take the values of a
 * type for, in the order in which it tries them.
 */
export function readersOf(
  written: Alternative,
  { all }: Alternatives,
): readonly Alternative[] {
  const readers: Alternative[] = [];
  for (const reader of all) {
    const match = matchOf(written, reader);
    if (match !== "never") readers.push(reader);
    if (match === "always") break;
  }
  return readers;
}

function matchOf(written: Alternative, reader: Alternative): Match {
  const shared = [...written.kinds].filter((kind) => reader.kinds.has(kind));
  if (shared.length === 0) return "never";
  const matches: Match[] = [
    shared.length === written.kinds.size ? "always" : "sometimes",
  ];
  if (shared.includes("object")) {
    matches.push(
      ...reader.marks.map((mark) => matchMark(written, mark)),
      ...reader.tags.map((tags) => matchTags(written, tags)),
      hasSeveral(written, reader.choice) ? "sometimes" : "always",
    );
  }
  return least(matches);
}

function matchMark(
  { fields, hasExtra }: Alternative,
  { isNullable, name }: Mark,
): Match {
  // A map can have any key.
  if (fields === null) return "sometimes";
  const field = fields.get(name);
  if (field === undefined) return hasExtra ? "sometimes" : "never";
  const isPresent = !field.isOptional && (isNullable || !field.isNullable);
  return isPresent ? "always" : "sometimes";
}

function matchTags(
  { fields, hasExtra }: Alternative,
  { field, values }: Tags,
): Match {
  if (fields === null) return "sometimes";
  const found = fields.get(field);
  if (found === undefined) return hasExtra ? "sometimes" : "never";
  if (found.literals === null) return "sometimes";
  const known = found.literals.filter((each) => values.includes(each));
  if (known.length === 0) return "never";
  const isAlways = known.length === found.literals.length && !found.isOptional;
  return isAlways ? "always" : "sometimes";
}

/** Whether an object of a type can have several of these fields. */
export function hasSeveral(
  { fields }: Alternative,
  names: readonly string[],
): boolean {
  return names.filter((name) => fields?.has(name)).length > 1;
}

function least(matches: readonly Match[]): Match {
  if (matches.includes("never")) return "never";
  return matches.includes("sometimes") ? "sometimes" : "always";
}
