import type {
  Alias,
  Constraints,
  Enum,
  Message,
  Struct,
  TypeReference,
} from "../ir/contract.js";
import type { ContractIndex } from "../ir/resolve.js";
import { mergeConstraints } from "../ir/resolve.js";
import type { Side, Subject } from "./change.js";
import type {
  ObjectPair,
  PlacedField,
  PlacedMethod,
  ValuePair,
  WirePair,
  WirePairs,
  WirePlace,
} from "./paired-contracts.js";
import type { Pair } from "./pairing.js";
import { pairBy } from "./pairing.js";
import { type WireKind, wireKindOf } from "./wire-kind.js";

/** The object that is the whole message, or one inside of it. */
interface ObjectShape {
  readonly fields: readonly PlacedField[];
  readonly subject: Subject;
}

/** A type in its place, with what is said about it there. */
interface Value {
  readonly type: TypeReference;
  readonly constraints: Constraints;
  readonly subject: Subject;
}

/**
 * Walks through the messages of methods in both contracts at once. Structs are
 * compared by what they hold and not by their names, each pair of them once
 * for a direction.
 *
 * Input: look-ups of both contracts, and the methods that both have.
 */
export function pairWire(
  indexes: Pair<ContractIndex>,
  methods: readonly Pair<PlacedMethod>[],
): WirePairs {
  const walk = new WireWalk(indexes);
  for (const method of methods) {
    walk.addMessage(method, "request");
    walk.addMessage(method, "response");
  }
  walk.finish();
  return walk;
}

class WireWalk implements WirePairs {
  readonly objects: ObjectPair[] = [];
  readonly values: ValuePair[] = [];
  readonly limits: WirePair<Constraints>[] = [];
  readonly enums: WirePair<Enum>[] = [];
  readonly #indexes: Pair<ContractIndex>;
  readonly #visited = new Set<string>();
  // A list and not recursion: types may be nested as deeply as one likes.
  readonly #waiting: (() => void)[] = [];

  constructor(indexes: Pair<ContractIndex>) {
    this.#indexes = indexes;
  }

  addMessage(pair: Pair<PlacedMethod>, side: Side): void {
    const { subject } = pair.after;
    const place: WirePlace = {
      direction: directionOf(pair.after, side),
      path: `the ${side} of \`${subject.service}.${subject.method}\``,
    };
    const bodies = mapPair(pair, (method) => wholeBody(method, side));
    if (bodies.before && bodies.after) {
      this.#addField({ before: bodies.before, after: bodies.after }, place);
    } else {
      this.#visitObject(
        mapPair(pair, (method) => messageShape(method, side)),
        place,
      );
    }
  }

  /** Visits what was added, and what is found on the way: near things first. */
  finish(): void {
    for (const visit of this.#waiting) visit();
  }

  #addField(pair: Pair<PlacedField>, place: WirePlace): void {
    const value = mapPair(pair, ({ field, subject }) => ({
      type: field.type,
      constraints: field.constraints,
      subject,
    }));
    this.#addValue(value, place);
  }

  #addValue(pair: Pair<Value>, place: WirePlace): void {
    this.#waiting.push(() => this.#visitValue(pair, place));
  }

  #visitObject(pair: Pair<ObjectShape>, place: WirePlace): void {
    const { before, after } = pair;
    const byWire = pairBy(before.fields, after.fields, wireNameOf);
    const byName = pairBy(byWire.removed, byWire.added, nameOf);
    const { removed, added, kept: renamed } = byName;
    const { kept } = byWire;
    const subjects = mapPair(pair, ({ subject }) => subject);
    const fields = { kept, removed, added };
    this.objects.push({ ...place, subjects, fields, renamed });
    for (const field of [...kept, ...renamed]) {
      this.#addField(field, inside(place, field.after.field.jsonName));
    }
  }

  #visitValue(pair: Pair<Value>, place: WirePlace): void {
    const aliases = {
      before: aliasOf(pair.before.type, this.#indexes.before),
      after: aliasOf(pair.after.type, this.#indexes.after),
    };
    if (aliases.before && aliases.after?.name === aliases.before.name) {
      // What the alias says is compared where it says it, and once.
      this.#addLimits(pair, place);
      const shared = { before: aliases.before, after: aliases.after };
      this.#visitOnce(shared, place, () =>
        this.#addValue(mapPair(shared, aliasValue), place),
      );
      return;
    }
    const resolved = {
      before: resolveValue(pair.before, this.#indexes.before),
      after: resolveValue(pair.after, this.#indexes.after),
    };
    this.#addLimits(resolved, place);
    const types = mapPair(resolved, ({ type }) => type);
    const subjects = mapPair(resolved, ({ subject }) => subject);
    const kinds = this.#kindsOf(types);
    this.values.push({ ...types, ...place, subjects, kinds });
    this.#visitInside(types, subjects, place);
  }

  #addLimits(pair: Pair<Value>, place: WirePlace): void {
    const kinds = this.#kindsOf(mapPair(pair, ({ type }) => type));
    if (kinds.before !== kinds.after) return;
    this.limits.push({
      ...mapPair(pair, ({ constraints }) => constraints),
      ...place,
      subjects: mapPair(pair, ({ subject }) => subject),
    });
  }

  #kindsOf({ before, after }: Pair<TypeReference>): Pair<WireKind> {
    return {
      before: wireKindOf(before, this.#indexes.before),
      after: wireKindOf(after, this.#indexes.after),
    };
  }

  #visitInside(
    { before, after }: Pair<TypeReference>,
    subjects: Pair<Subject>,
    place: WirePlace,
  ): void {
    const add = (one: TypeReference, other: TypeReference, part: string) =>
      this.#addValue(
        {
          before: bareValue(one, subjects.before),
          after: bareValue(other, subjects.after),
        },
        inside(place, part),
      );
    if (before.kind === "list" && after.kind === "list") {
      add(before.element, after.element, "[]");
    } else if (before.kind === "map" && after.kind === "map") {
      add(before.key, after.key, "{key}");
      add(before.value, after.value, "{}");
    } else if (before.kind === "reference" && after.kind === "reference") {
      this.#visitDeclared(before.name, after.name, place);
    }
  }

  #visitDeclared(one: string, other: string, place: WirePlace): void {
    const before = this.#indexes.before.type(one);
    const after = this.#indexes.after.type(other);
    this.#visitOnce({ before, after }, place, () => {
      if (before.kind === "struct" && after.kind === "struct") {
        const shapes = { before: toShape(before), after: toShape(after) };
        this.#visitObject(shapes, place);
      } else if (before.kind === "enum" && after.kind === "enum") {
        const subjects = {
          before: typeSubject(one),
          after: typeSubject(other),
        };
        this.enums.push({ before, after, ...place, subjects });
      }
    });
  }

  #visitOnce(
    { before, after }: Pair<{ readonly name: string }>,
    { direction }: WirePlace,
    visit: () => void,
  ): void {
    const key = `${direction} ${before.name} ${after.name}`;
    if (this.#visited.has(key)) return;
    this.#visited.add(key);
    visit();
  }
}

/** A webhook is called by the host: its request is what the host sends. */
function directionOf({ method }: PlacedMethod, side: Side): Side {
  if (method.route.kind !== "webhook") return side;
  return side === "request" ? "response" : "request";
}

/** The output that is the body of a REST read itself; null without one. */
function wholeBody(placed: PlacedMethod, side: Side): PlacedField | null {
  const { route } = placed.method;
  if (side === "request" || route.kind !== "rest") return null;
  const { fields } = messageShape(placed, side);
  return fields.find(({ field }) => field.name === route.body) ?? null;
}

function messageShape(
  { method, subject }: PlacedMethod,
  side: Side,
): ObjectShape {
  const { struct, fields }: Message = method[side];
  if (struct !== null) {
    return {
      fields: placeFields(struct, fields),
      subject: typeSubject(struct),
    };
  }
  return {
    fields: fields.map((field) => ({
      field,
      subject: { kind: "argument", method: subject, side, name: field.name },
    })),
    subject,
  };
}

function toShape({ name, fields }: Struct): ObjectShape {
  return { fields: placeFields(name, fields), subject: typeSubject(name) };
}

function placeFields(
  type: string,
  fields: Struct["fields"],
): readonly PlacedField[] {
  return fields.map((field) => ({
    field,
    subject: { kind: "member", type, name: field.name },
  }));
}

function typeSubject(name: string): Subject {
  return { kind: "type", name };
}

function aliasOf(type: TypeReference, index: ContractIndex): Alias | null {
  if (type.kind !== "reference") return null;
  const declaration = index.type(type.name);
  return declaration.kind === "alias" ? declaration : null;
}

function aliasValue({ name, type, constraints }: Alias): Value {
  return { type, constraints, subject: typeSubject(name) };
}

function bareValue(type: TypeReference, subject: Subject): Value {
  return { type, constraints: {}, subject };
}

/** The same with aliases looked through, and what they say added. */
function resolveValue(
  { type, constraints, subject }: Value,
  index: ContractIndex,
): Value {
  return {
    type: index.resolve(type),
    constraints: mergeConstraints(constraints, index.constraintsOf(type)),
    subject,
  };
}

function nameOf({ field }: PlacedField): string {
  return field.name;
}

function wireNameOf({ field }: PlacedField): string {
  return field.jsonName;
}

/** Nobody reads a longer one. */
const maxPathLength = 200;

function inside(place: WirePlace, part: string): WirePlace {
  const { direction, path } = place;
  if (path.length > maxPathLength) {
    return path.endsWith("…`") ? place : { direction, path: `${path}, \`…\`` };
  }
  if (!path.includes(", ")) return { direction, path: `${path}, \`${part}\`` };
  const dot = /^[[{]/u.test(part) ? "" : ".";
  return { direction, path: `${path.slice(0, -1)}${dot}${part}\`` };
}

function mapPair<From, To>(
  { before, after }: Pair<From>,
  map: (thing: From) => To,
): Pair<To> {
  return { before: map(before), after: map(after) };
}
