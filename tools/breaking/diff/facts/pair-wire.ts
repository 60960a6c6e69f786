import type {
  Constraints,
  Enum,
  Struct,
  TypeDeclaration,
} from "../../../../generator/ir/contract.js";
import { mergeConstraints } from "../../../../generator/values/limits.js";
import type { ContractValues } from "../../../../generator/values/value.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import { type Alternatives, alternativesOf } from "./alternatives.js";
import type { Side, Subject } from "./change.js";
import { printType } from "./names.js";
import { membersOf } from "./extra-members.js";
import { pairAlternatives } from "./pair-alternatives.js";
import type {
  DataError,
  Members,
  ObjectPair,
  PlacedField,
  PlacedMethod,
  UnionPair,
  WirePair,
  WirePairs,
  WirePlace,
} from "./paired-contracts.js";
import type { Flow } from "./effects.js";
import {
  type CodeModes,
  describeValue,
  type WireValue,
  type ValueSource,
} from "./value.js";
import {
  type Pair,
  type Pairing,
  mapPair,
  pairBy,
  pairInOrder,
} from "./pairing.js";
import {
  messageShape,
  type ObjectShape,
  toShape,
  typeSubject,
} from "./object-shape.js";
import {
  hasStatuses,
  pairByStatus,
  pairOutputs,
  statusOutputs,
  type PlacedPairs,
  pairRequestParts,
} from "./request-places.js";
import { declarationOf, type InnerType, partsOf } from "./inner-types.js";
import { type Reach, Visits } from "./visits.js";
import { inside, unusedPlace } from "./wire-place.js";

type PairedFields = Pick<ObjectPair, "fields" | "renamed">;

/** What both contracts have. */
interface KeptParts {
  readonly methods: readonly Pair<PlacedMethod>[];
  readonly types: readonly Pair<TypeDeclaration>[];
  readonly errors: readonly Pair<DataError>[];
}

/**
 * Walks through the messages of methods and the data of errors in both contracts
 * at once. Structs are compared by their fields and not by their names. Each
 * pair is compared once for each direction, or at every place.
 *
 * Input: the values of both contracts, what both have, and the settings for
 * generated code.
 */
export function pairWire(
  contracts: Pair<ContractValues>,
  { errors, methods, types }: KeptParts,
  modes: Pair<CodeModes>,
  reach: Reach,
): WirePairs {
  const walk = new WireWalk(contracts, modes, reach);
  for (const method of methods) {
    walk.addMessage(method, "request");
    walk.addMessage(method, "response");
  }
  walk.finish();
  for (const error of errors) walk.addErrorData(error, methods);
  walk.finish();
  for (const type of types) walk.addUnused(type);
  walk.finish();
  return walk;
}

class WireWalk implements WirePairs {
  readonly objects: ObjectPair[] = [];
  readonly values: WirePair<WireValue>[] = [];
  readonly enums: WirePair<Enum>[] = [];
  readonly unions: UnionPair[] = [];
  readonly #contracts: Pair<ContractValues>;
  readonly #modes: Pair<CodeModes>;
  readonly #visits: Visits;
  /** Names of the old contract's types that have been visited. */
  readonly #used = new Set<string>();
  // This is a list instead of recursion, because types can be nested to any
  // depth.
  readonly #waiting: (() => void)[] = [];

  constructor(
    contracts: Pair<ContractValues>,
    modes: Pair<CodeModes>,
    reach: Reach,
  ) {
    this.#contracts = contracts;
    this.#modes = modes;
    this.#visits = new Visits(reach);
  }

  addMessage(pair: Pair<PlacedMethod>, side: Side): void {
    const { subject } = pair.after;
    const place: WirePlace = {
      flow: flowOf(pair.after, side),
      path: `the ${side} of \`${subject.service}.${subject.method}\``,
      part: "",
    };
    const shapes = mapPair(pair, (method) => messageShape(method, side));
    const placed =
      side === "request"
        ? pairRequestParts(pair, shapes)
        : pairResponses(pair, shapes);
    for (const { form, kept } of placed) {
      const fields = { kept, removed: [], added: [] };
      this.#addObject(shapes, { fields, renamed: [] }, place, form);
    }
    // Those that only some statuses have are part of the address.
    const inStatuses = side === "response" ? statusOutputs(pair, shapes) : [];
    // The others are paired by their names.
    const others = {
      before: without(shapes.before, [
        ...inStatuses,
        ...placed.flatMap(({ kept }) => kept.map(({ before }) => before)),
      ]),
      after: without(shapes.after, [
        ...inStatuses,
        ...placed.flatMap(({ kept }) => kept.map(({ after }) => after)),
      ]),
    };
    const count = others.before.fields.length + others.after.fields.length;
    if (placed.length === 0 || count > 0) this.#visitObject(others, place);
  }

  /** Adds the data of an error, if both contracts declare it. */
  addErrorData(
    { before, after }: Pair<DataError>,
    methods: readonly Pair<PlacedMethod>[],
  ): void {
    if (before.data === null || after.data === null) return;
    const then = this.#contracts.before.type(before.data);
    const now = this.#contracts.after.type(after.data);
    if (then.kind !== "struct" || now.kind !== "struct") return;
    const path = `the data of the error \`${after.name}\``;
    for (const flow of dataFlows(after, methods))
      this.#visitDeclared(then, now, { flow, path, part: "" });
  }

  /** Adds a type that is in no message. Code can still use such an enum. */
  addUnused({ before, after }: Pair<TypeDeclaration>): void {
    if (before.kind !== "enum" || this.#used.has(before.name)) return;
    if (after.kind === "enum") this.#visitDeclared(before, after, unusedPlace);
  }

  /** Visits everything that was added or is found on the way, breadth first. */
  finish(): void {
    // Visiting adds functions to the list.
    for (const visit of this.#waiting) visit();
    this.#waiting.length = 0;
  }

  #addValue(pair: Pair<ValueSource>, place: WirePlace): void {
    this.#waiting.push(() => this.#visitValue(pair, place));
  }

  /** Compares objects, except for the values of a tag. */
  #visitObject(
    pair: Pair<ObjectShape>,
    place: WirePlace,
    tag: string | null = null,
  ): void {
    const { before, after } = pair;
    const byWire = pairBy(before.fields, after.fields, wireNameOf);
    const byName = pairBy(byWire.removed, byWire.added, nameOf);
    const { removed, added, kept: renamed } = byName;
    const fields = { kept: byWire.kept, removed, added };
    this.#addObject(pair, { fields, renamed }, place, "json", tag);
    this.#addDeclared(this.#membersOf(pair), byWire, place);
  }

  /** Compares fields with the extra members that they were or become. */
  #addDeclared(
    members: Pair<Members>,
    { added, removed }: Pairing<PlacedField>,
    place: WirePlace,
  ): void {
    const compare = (side: keyof typeof members, placed: PlacedField): void => {
      const { extra } = members[side];
      const { isExtra, jsonName } = placed.field;
      // Clients read members whatever their names are.
      const isRead = place.flow === "response" || extra?.allowsName(jsonName);
      if (isExtra || extra === null || !isRead) return;
      const source = sourceOf(placed, "json");
      this.#addValue(
        side === "before"
          ? { before: extra.source, after: source }
          : { before: source, after: extra.source },
        inside(place, jsonName),
      );
    };
    for (const placed of added) compare("before", placed);
    for (const placed of removed) compare("after", placed);
  }

  #membersOf({ after, before }: Pair<ObjectShape>): Pair<Members> {
    return {
      before: membersOf(before, this.#contracts.before),
      after: membersOf(after, this.#contracts.after),
    };
  }

  #addObject(
    pair: Pair<ObjectShape>,
    { fields, renamed }: PairedFields,
    place: WirePlace,
    form: ValueSource["form"],
    tag: string | null = null,
  ): void {
    const subjects = mapPair(pair, ({ subject }) => subject);
    const isInPath = form === "path";
    const members = this.#membersOf(pair);
    const parts = { fields, renamed, members };
    this.objects.push({ ...place, ...parts, subjects, isInPath });
    // The values of renamed fields are not compared.
    for (const kept of fields.kept) {
      if (kept.after.field.jsonName === tag) continue;
      this.#addValue(
        mapPair(kept, (placed) => sourceOf(placed, form)),
        inside(place, kept.after.field.jsonName),
      );
    }
  }

  /** Compares values, and those of a tag only if `tag` is null. */
  #visitValue(
    sources: Pair<ValueSource>,
    found: WirePlace,
    tag: string | null = null,
  ): void {
    const describe = (side: keyof typeof sources): WireValue =>
      describeValue(sources[side], this.#contracts[side], this.#modes[side]);
    const pair = { before: describe("before"), after: describe("after") };
    const subjects = declaringSubjects(pair);
    const isAlias = subjects.after !== pair.after.subject;
    const place = isAlias ? { ...found, part: "" } : found;
    this.values.push({ ...pair, ...place, subjects });
    if (pair.before.kind === "union" || pair.after.kind === "union") {
      this.#visitUnion(sources, { ...pair, ...place, subjects });
    } else this.#visitInside(pair, subjects, place, tag);
  }

  #visitUnion(sources: Pair<ValueSource>, pair: WirePair<WireValue>): void {
    const { before, after } = pair;
    // Another rule compares unions with `any`.
    if (before.kind === "any" || after.kind === "any") return;
    if (before.kind === after.kind) {
      const names = [before, after].map(({ type }) => printType(type));
      if (!this.#visits.isFirst(pair, names)) return;
    }
    const found = pairAlternatives({
      before: this.#alternativesOf("before", before, sources),
      after: this.#alternativesOf("after", after, sources),
    });
    const subjects = mapPair(pair, ({ subject, value }) =>
      value.kind === "union" ? typeSubject(value.declaration) : subject,
    );
    this.unions.push({ ...pair, ...found, subjects });
    for (const kept of found.kept) {
      const { name } = kept.after;
      const place = {
        ...inside(pair, `(${name})`),
        part: `variant \`${name}\` of `,
      };
      const variant = mapPair(kept, ({ source }) => source);
      this.#waiting.push(() =>
        this.#visitValue(variant, place, found.sharedTag),
      );
    }
  }

  #alternativesOf(
    side: keyof Pair<unknown>,
    { value }: WireValue,
    sources: Pair<ValueSource>,
  ): Alternatives {
    return alternativesOf(this.#contracts[side], value, sources[side]);
  }

  #visitInside(
    pair: Pair<WireValue>,
    subjects: Pair<Subject>,
    place: WirePlace,
    tag: string | null,
  ): void {
    const inner = mapPair(pair, partsOf);
    for (const before of inner.before) {
      const { part, step } = before;
      const after = inner.after.find((each) => each.part === part);
      if (after === undefined) continue;
      this.#addValue(
        {
          before: bareValue(before, subjects.before, pair.after.form),
          after: bareValue(after, subjects.after, pair.after.form),
        },
        { ...inside(place, step), part: `each ${part} of ${place.part}` },
      );
    }
    // Limits that list values are compared instead of the members of an enum.
    const lists = mapPair(pair, ({ value }) => value.limits.enum);
    if (lists.before && lists.after) return;
    const declared = mapPair(pair, declarationOf);
    if (declared.before !== null && declared.after !== null)
      this.#visitDeclared(declared.before, declared.after, place, tag);
  }

  #visitDeclared(
    before: Struct | Enum,
    after: Struct | Enum,
    place: WirePlace,
    tag: string | null = null,
  ): void {
    const names = [before.name, after.name];
    if (!this.#visits.isFirst(place, [...names, tag])) return;
    this.#used.add(before.name);
    if (before.kind === "struct" && after.kind === "struct") {
      const shapes = { before: toShape(before), after: toShape(after) };
      this.#visitObject(shapes, place, tag);
    } else if (before.kind === "enum" && after.kind === "enum") {
      const subjects = mapPair({ before, after }, typeSubject);
      this.enums.push({ before, after, ...place, subjects });
    }
  }
}

/** Returns the value of a field. */
function sourceOf(
  { field, subject }: PlacedField,
  form: ValueSource["form"],
): ValueSource {
  return {
    type: field.type,
    constraints:
      form === "path"
        ? mergeConstraints(field.constraints, neverEmpty)
        : field.constraints,
    subject,
    form,
    isRequired: !field.isOptional && !field.isNullable && !field.isExtra,
    isItem: false,
  };
}

/** Path segments have at least one character. */
const neverEmpty: Constraints = { minLength: 1 };

/** Returns the direction of a message. No one reads webhooks' responses. */
function flowOf({ method }: PlacedMethod, side: Side): Flow {
  if (method.route.kind !== "webhook") return side;
  return side === "request" ? "event" : "receipt";
}

/** Returns the directions in which the data of an error is sent. */
function dataFlows(
  { name }: DataError,
  methods: readonly Pair<PlacedMethod>[],
): ReadonlySet<Flow> {
  const flows = methods
    .map(({ after }) => after.method)
    .filter(({ errors }) => errors === null || errors.includes(name))
    .map(({ route }) => (route.kind === "webhook" ? "refusal" : "response"));
  return new Set(flows.length === 0 ? ["response"] : flows);
}

/** Pairs files, and the fields that are entire bodies. */
function pairResponses(
  pair: Pair<PlacedMethod>,
  shapes: Pair<ObjectShape>,
): readonly PlacedPairs[] {
  const { before, after } = pair;
  const { kept: inHeaders, others } = pairOutputs(pair, shapes);
  const placed =
    inHeaders.length === 0 ? [] : [{ form: "query", kept: inHeaders } as const];
  if ([before.method, after.method].some(hasStatuses)) {
    const kept = pairByStatus(pair, shapes);
    return kept.length === 0 ? placed : [...placed, { form: "json", kept }];
  }
  const isWhole = [before, after].every(
    ({ method }) => wireOf(method).response.whole !== null,
  );
  const isFiles = [others.before, others.after].every((fields) =>
    fields.every(isFile),
  );
  if (!isWhole && !isFiles) return placed;
  const { kept } = pairInOrder(others.before, others.after);
  return [...placed, { form: "json", kept }];
}

function isFile({ field: { type } }: PlacedField): boolean {
  return type.kind === "scalar" && type.name === "file";
}

function without(
  shape: ObjectShape,
  placed: readonly PlacedField[],
): ObjectShape {
  const fields = shape.fields.filter((each) => !placed.includes(each));
  return { ...shape, fields };
}

function bareValue(
  { part, type }: InnerType,
  subject: Subject,
  outer: ValueSource["form"],
): ValueSource {
  const form = part === "key" ? "key" : outer;
  const isItem = part !== "key";
  return { type, constraints: {}, subject, form, isRequired: true, isItem };
}

/**
 * Returns the declarations to report: the last of the aliases that both types
 * begin with or, if there is none, those that contain the values.
 */
function declaringSubjects({ before, after }: Pair<WireValue>): Pair<Subject> {
  let subjects = { before: before.subject, after: after.subject };
  for (const [index, { subject }] of before.layers.entries()) {
    const other = after.layers[index]?.subject;
    if (index === 0) continue;
    if (subject.kind !== "type" || other?.kind !== "type") break;
    if (subject.name !== other.name) break;
    subjects = { before: subject, after: other };
  }
  return subjects;
}

function nameOf({ field }: PlacedField): string {
  return field.name;
}

/** Returns the name of a member, or "" for the extra members. */
function wireNameOf({ field }: PlacedField): string {
  return field.isExtra ? "" : field.jsonName;
}
