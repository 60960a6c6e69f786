import type { Metadata, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { parseNumber } from "../../2-check/notation/numbers.js";
import { findType } from "../../2-check/program/reach.js";
import type {
  DeclaredType,
  Program,
  TypeOwner,
} from "../../2-check/program/program.js";
import { rememberEach } from "../../ir/remember.js";

interface WrittenType {
  readonly type: TypeExpression;
  readonly document: LoadedDocument;
  /** The field, argument or alias that contains it. */
  readonly owner: TypeOwner;
}

/** A list, a map or their innermost type, with aliases resolved. */
export interface TypePlace extends WrittenType {
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
  /** The struct or enum at the end of the chain. */
  readonly end: DeclaredType | null;
}

const limitKeys = [
  "maximum",
  "minimum",
  "maxItems",
  "maxLength",
  "maxProperties",
] as const;
type LimitKey = (typeof limitKeys)[number];

/** Caches the chains of a program's types. */
const knownChains = rememberEach(
  (_: Program) => new Map<TypeExpression, TypeChain | null>(),
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
  const chain = findTypeChain(program, { type: owner.type, document, owner });
  return owner.kind === "argument" ? chain : limitChain(chain, owner.metadata);
}

/** Follows each written type once, because types can share long chains. */
function findTypeChain(program: Program, start: WrittenType): TypeChain {
  const known = knownChains(program);
  const passed: Step[] = [];
  for (let written: WrittenType | null = start; written !== null;) {
    if (known.has(written.type)) break;
    // If the types form a cycle, this ends the loop.
    known.set(written.type, null);
    const step = stepFrom(program, written);
    passed.push(step);
    written = step.next;
  }
  const last = passed.at(-1)?.next ?? start;
  let chain = known.get(last.type) ?? null;
  for (const step of passed.reverse()) {
    chain = extendChain(step, chain);
    known.set(step.written.type, chain);
  }
  return chain ?? endChain(start, null);
}

interface Step {
  readonly written: WrittenType;
  /** The declaration of a name. */
  readonly declared: DeclaredType | null;
  /** The type inside a list, a map or an alias. */
  readonly next: WrittenType | null;
}

function stepFrom(program: Program, written: WrittenType): Step {
  const { type, document } = written;
  if (type.kind !== "name") {
    const inner = type.kind === "list" ? type.element : type.value;
    return { written, declared: null, next: { ...written, type: inner } };
  }
  const declared = findType(program, document, type.name.text) ?? null;
  if (declared?.syntax.kind !== "alias") {
    return { written, declared, next: null };
  }
  const { syntax: owner } = declared;
  const next = { type: owner.type, document: declared.document, owner };
  return { written, declared, next };
}

function extendChain(
  { written, declared }: Step,
  inner: TypeChain | null,
): TypeChain {
  const isName = written.type.kind === "name";
  if (isName && declared?.syntax.kind !== "alias") {
    return endChain(written, declared);
  }
  if (inner === null) return endChain(written, null);
  if (declared?.syntax.kind === "alias") {
    return limitChain(inner, declared.syntax.metadata);
  }
  const { innermost, end } = inner;
  return { place: { ...written, limits: noLimits }, inner, innermost, end };
}

const noLimits: TypePlace["limits"] = new Map();

function endChain(written: WrittenType, end: DeclaredType | null): TypeChain {
  const place = { ...written, limits: noLimits };
  return { place, inner: null, innermost: place, end };
}

/** Adds limits to the first type in a chain. */
function limitChain(
  chain: TypeChain,
  metadata: readonly Metadata[],
): TypeChain {
  if (metadata.length === 0) return chain;
  const limits = new Map(chain.place.limits);
  for (const { key, value } of metadata) {
    const limit = limitKeys.find((each) => each === key.text);
    if (limit === undefined) continue;
    const number = Number(parseNumber(value.text));
    const tightest = limit === "minimum" ? Math.max : Math.min;
    limits.set(limit, tightest(limits.get(limit) ?? number, number));
  }
  const place = { ...chain.place, limits };
  const innermost = chain.inner === null ? place : chain.innermost;
  return { ...chain, place, innermost };
}
