import type { Metadata, TypeExpression } from "../../1-parse/ast.js";
import { parseLiterals } from "../../1-parse/literals.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isUnion, variantsOf } from "../../2-check/notation/metadata.js";
import { parseNumber } from "../../2-check/notation/numbers.js";
import { findType } from "../../2-check/program/reach.js";
import type {
  DeclaredType,
  Program,
  TypeOwner,
} from "../../2-check/program/program.js";
import { rememberEach } from "../../ir/remember.js";

/** A list, a map or their innermost type, with aliases resolved. */
export interface TypePlace {
  readonly type: TypeExpression;
  readonly document: LoadedDocument;
  /** The field, argument or alias that contains it. */
  readonly owner: TypeOwner;
  /** The tightest value of each `+ key = value` limit for values here. */
  readonly limits: ReadonlyMap<LimitKey, number>;
}

/** A type, and the types that its values consist of. */
export interface TypeChain {
  readonly place: TypePlace;
  /** The elements of a list or the values of a map. */
  readonly inner: TypeChain | null;
  /** The last type in the chain. */
  readonly innermost: TypePlace;
  /** The struct, enum or union at the end of the chain. */
  readonly end: DeclaredType | null;
}

/** Returns a declaration once for each of its variants if it is a union. */
export function ownersIn(owner: TypeOwner): readonly TypeOwner[] {
  if (!isUnion(owner)) return [owner];
  return variantsOf(owner).map(({ type }) => ({ ...owner, type }));
}

/** Whether a limit can be added to a type where it is written. */
export function canHaveLimit({ owner, type }: TypePlace): boolean {
  return owner.type === type && owner.kind !== "argument" && !isUnion(owner);
}

const limitKeys = [
  "maximum",
  "minimum",
  "maxItems",
  "maxLength",
  "maxProperties",
] as const;
type LimitKey = (typeof limitKeys)[number];

/** Caches the chains of a program's aliases, because types can share them. */
const chainsOf = rememberEach(
  (_: Program) => new Map<TypeOwner, TypeChain | null>(),
);

/**
 * Follows a type inward, through lists, map values and aliases. Limits on a
 * field apply to the type itself.
 */
export function followType(
  program: Program,
  document: LoadedDocument,
  owner: TypeOwner,
): TypeChain {
  const chain = findTypeChain(program, startPlace(owner, document));
  return limitChain(chain, owner.metadata);
}

/** Does not recurse, because chains can be long. */
function findTypeChain(program: Program, start: TypePlace): TypeChain {
  const chains = chainsOf(program);
  const passed: TypePlace[] = [];
  let place = start;
  let chain: TypeChain | null = null;
  while (chain === null) {
    const { type, document } = place;
    if (type.kind !== "name") {
      passed.push(place);
      const inner = type.kind === "list" ? type.element : type.value;
      place = { ...place, type: inner };
      continue;
    }
    const declared = findType(program, document, type.name.text) ?? null;
    if (declared?.syntax.kind !== "alias" || isUnion(declared.syntax)) {
      chain = endChain(place, declared);
      continue;
    }
    const { syntax: owner } = declared;
    const known = chains.get(owner);
    if (known === undefined) {
      // If the aliases form a cycle, this ends the loop.
      chains.set(owner, null);
      passed.push(place);
      place = startPlace(owner, declared.document);
    } else chain = known ?? endChain(place, null);
  }
  let { owner } = place;
  for (const each of passed.reverse()) {
    if (each.type.kind === "name" && owner.kind === "alias") {
      chain = limitChain(chain, owner.metadata);
      chains.set(owner, chain);
    } else chain = { ...chain, place: each, inner: chain };
    owner = each.owner;
  }
  return chain;
}

const noLimits: TypePlace["limits"] = new Map();

function startPlace(owner: TypeOwner, document: LoadedDocument): TypePlace {
  return { type: owner.type, document, owner, limits: noLimits };
}

function endChain(place: TypePlace, end: DeclaredType | null): TypeChain {
  return { place, inner: null, innermost: place, end };
}

/** Adds limits to the first type in a chain. */
function limitChain(
  chain: TypeChain,
  metadata: readonly Metadata[],
): TypeChain {
  if (metadata.length === 0) return chain;
  const limits = new Map(chain.place.limits);
  for (const [limit, number] of metadata.flatMap(readLimits)) {
    const tightest = limit === "minimum" ? Math.max : Math.min;
    limits.set(limit, tightest(limits.get(limit) ?? number, number));
  }
  const place = { ...chain.place, limits };
  const innermost = chain.inner === null ? place : chain.innermost;
  return { ...chain, place, innermost };
}

function readLimits({
  key,
  value,
}: Metadata): readonly (readonly [LimitKey, number])[] {
  if (key.text === "enum") return limitsOfList(value.text);
  const limit = limitKeys.find((each) => each === key.text);
  return limit === undefined ? [] : [[limit, Number(parseNumber(value.text))]];
}

/** Returns the limits that a list of values implies. */
function limitsOfList(text: string): readonly (readonly [LimitKey, number])[] {
  const literals = parseLiterals(text, "|") ?? [];
  if (literals.length === 0) return [];
  let [least, most, longest] = [Infinity, -Infinity, 0];
  for (const { text } of literals) {
    // It is NaN for text, to which limits of numbers do not apply.
    const number = Number(parseNumber(text) ?? NaN);
    least = Math.min(least, number);
    most = Math.max(most, number);
    longest = Math.max(longest, Array.from(text).length);
  }
  return [
    ["minimum", least],
    ["maximum", most],
    ["maxLength", longest],
  ];
}
