import type {
  Message,
  Metadata,
  Method,
  TypeExpression,
} from "../../../generator/1-parse/ast.js";
import { printType } from "../../../generator/1-parse/print-lines.js";
import {
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../../../generator/2-check/notation/metadata.js";
import { listErrorsWithData } from "../../../generator/2-check/notation/error-data.js";
import { bindingOf } from "../../../generator/2-check/notation/rest-binding.js";
import type { TypeSyntax } from "../../../generator/2-check/program/program.js";
import { groupBy } from "../../../generator/ir/group-by.js";
import type { NamedSyntax } from "../../editor/service/names/mention.js";
import {
  fieldByWire,
  type AddressedMethod,
  partOf,
  requestSlots,
  responseSlots,
  type Slots,
  valueOf,
  type Version,
} from "./version.js";

/** Declarations of one version, with the same ones of another version. */
export type Pairs = ReadonlyMap<NamedSyntax, NamedSyntax>;

/**
 * Pairs the declarations of two versions, whatever their names are. Methods have
 * the same address, and fields the same name on the wire. Types have the same
 * name, or else are at the same place of a method, a field or another type.
 */
export function matchVersions(one: Version, other: Version): Pairs {
  const matcher = new Matcher(one, other);
  matcher.run();
  return matcher.pairs;
}

class Matcher {
  readonly pairs = new Map<NamedSyntax, NamedSyntax>();
  readonly #taken = new Set<NamedSyntax>();
  readonly #pending: (readonly [NamedSyntax, NamedSyntax])[] = [];
  readonly #one: Version;
  readonly #other: Version;

  constructor(one: Version, other: Version) {
    this.#one = one;
    this.#other = other;
  }

  run(): void {
    const { methods } = this.#one;
    const others = this.#other.methods;
    // Two hosts can have a method at the same address.
    this.#pairBy(methods, others, ({ address, path }) => `${path} ${address}`);
    this.#pairBy(methods, others, ({ address }) => address);
    // Methods without an address of their own may be in a renamed service.
    this.#pairBy(
      methods.filter(isCall),
      others.filter(isCall),
      ({ syntax }) => syntax.name.text,
    );
    this.#pairErrors();
    for (const [name, type] of this.#one.types) {
      this.#pair(type, this.#other.types.get(name));
    }
    this.#pairServices();
    this.#descend();
    this.#pairUnused();
  }

  /** Pairs two declarations, unless one of them has a pair. */
  #pair(one: NamedSyntax, other: NamedSyntax | undefined): void {
    if (other === undefined || this.pairs.has(one) || this.#taken.has(other)) {
      return;
    }
    this.pairs.set(one, other);
    this.#taken.add(other);
    this.#pending.push([one, other]);
  }

  #pairBy(
    methods: readonly AddressedMethod[],
    others: readonly AddressedMethod[],
    keyOf: (method: AddressedMethod) => string,
  ): void {
    const found = groupBy(others, keyOf);
    for (const method of methods) {
      const free = found
        .get(keyOf(method))
        ?.find(({ syntax }) => !this.#taken.has(syntax));
      this.#pair(method.syntax, free?.syntax);
    }
  }

  /** Pairs errors with the same name or else the same code, and their data. */
  #pairErrors(): void {
    for (const [name, error] of this.#one.errors) {
      this.#pair(error, this.#other.errors.get(name));
    }
    const codes = groupBy(this.#other.errors.values(), ({ code }) => code.text);
    for (const error of this.#one.errors.values()) {
      const found = codes.get(error.code.text) ?? [];
      this.#pair(
        error,
        found.find((each) => !this.#taken.has(each)),
      );
    }
    // Errors with equal data would otherwise be told apart by its name only.
    const others = dataIn(this.#other);
    const own = dataIn(this.#one);
    for (const error of this.#one.errors.values()) {
      const data = own.get(error.name.text);
      const name = this.pairs.get(error)?.name.text ?? "";
      if (data !== undefined) this.#pair(data, others.get(name));
    }
  }

  /** A service without its name is the one that has most of its methods. */
  #pairServices(): void {
    for (const [name, service] of this.#one.services) {
      this.#pair(service, this.#other.services.get(name));
    }
    const ownerOf = new Map(
      this.#other.methods.map(({ service, syntax }) => [syntax, service]),
    );
    for (const service of this.#one.services.values()) {
      const owners = service.methods.flatMap((method) => {
        const other = this.pairs.get(method);
        const owner = other?.kind === "method" ? ownerOf.get(other) : undefined;
        return owner === undefined || this.#taken.has(owner) ? [] : [owner];
      });
      const groups = [...groupBy(owners, (owner) => owner.name.text).values()];
      const [most] = groups.toSorted((a, b) => b.length - a.length);
      this.#pair(service, most?.[0]);
    }
  }

  #descend(): void {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      const [one, other] = next;
      this.#pairParts(one, other);
    }
  }

  #pairParts(one: NamedSyntax, other: NamedSyntax): void {
    if (one.kind === "method" && other.kind === "method") {
      this.#pairMethods(one, other);
    }
    if (one.kind === "struct" && other.kind === "struct") {
      for (const field of one.fields) {
        const name = jsonNameOf(field);
        if (name !== null) this.#pair(field, fieldByWire(other, name));
      }
      const byName = new Map(
        other.fields.map((field) => [field.name.text, field]),
      );
      for (const field of one.fields) {
        this.#pair(field, byName.get(field.name.text));
      }
    }
    if (one.kind === "enum" && other.kind === "enum") {
      const byValue = new Map(
        other.members.map((member) => [valueOf(member), member]),
      );
      for (const member of one.members) {
        this.#pair(member, byValue.get(valueOf(member)));
      }
    }
    if (one.kind === "field" && other.kind === "field") {
      this.#pairTyped(one, other);
    }
    if (one.kind === "alias" && other.kind === "alias") {
      this.#pairTyped(one, other);
    }
  }

  #pairMethods(one: Method, other: Method): void {
    this.#pairMessages(
      [one.input, requestSlots(one)],
      [other.input, requestSlots(other)],
    );
    this.#pairMessages(
      [one.output, responseSlots(one)],
      [other.output, responseSlots(other)],
    );
  }

  #pairMessages(
    [one, slots]: readonly [Message, Slots],
    [other, others]: readonly [Message, Slots],
  ): void {
    if (one.succinct && other.succinct) {
      this.#pairTypes(one.succinct.text, other.succinct.text);
    }
    for (const [slot, name] of slots) {
      const part = partOf(this.#one, one, name);
      const otherName = others.get(slot);
      if (part === undefined || otherName === undefined) continue;
      const found = partOf(this.#other, other, otherName);
      if (part.kind === found?.kind) this.#pairPart(part, found);
    }
    for (const argument of one.arguments) {
      const { text } = argument.name;
      const found = other.arguments.find(({ name }) => name.text === text);
      if (found !== undefined) this.#pairPart(argument, found);
    }
  }

  #pairPart(one: NamedSyntax, other: NamedSyntax): void {
    this.#pair(one, other);
    if (one.kind === "argument" && other.kind === "argument") {
      this.#pairExpressions(one.type, other.type);
    }
  }

  #pairTyped(one: TypedSyntax, other: TypedSyntax): void {
    this.#pairExpressions(one.type, other.type);
    const [variants, others] = [variantsOf(one), variantsOf(other)];
    variants.forEach(({ type }, index) => {
      const found = others[index];
      if (found && variants.length === others.length) {
        this.#pairExpressions(type, found.type);
      }
    });
    const known = metadataValue(one, "known");
    const otherKnown = metadataValue(other, "known");
    if (known !== undefined && otherKnown !== undefined) {
      this.#pairTypes(known, otherKnown);
    }
  }

  #pairExpressions(one: TypeExpression, other: TypeExpression): void {
    if (one.kind === "name" && other.kind === "name") {
      this.#pairTypes(one.name.text, other.name.text);
    }
    if (one.kind === "list" && other.kind === "list") {
      this.#pairExpressions(one.element, other.element);
    }
    if (one.kind === "map" && other.kind === "map") {
      this.#pairExpressions(one.value, other.value);
    }
  }

  /** Pairs types at the same place if each exists in its version only. */
  #pairTypes(name: string, otherName: string): void {
    if (this.#other.types.has(name) || this.#one.types.has(otherName)) return;
    const type = this.#one.types.get(name);
    const other = this.#other.types.get(otherName);
    if (type && type.kind === other?.kind) this.#pair(type, other);
  }

  /**
   * Pairs types that nothing uses by what they contain. Each pair can make the
   * contents of others equal. Types that contain each other have no first pair,
   * so the names of types without one do not count if there is no other way.
   */
  #pairUnused(): void {
    for (let count = -1; count < this.pairs.size;) {
      count = this.pairs.size;
      this.#pairByBody(true);
      if (count === this.pairs.size) this.#pairByBody(false);
      this.#descend();
    }
  }

  /** Input: whether the names of types without a pair count. */
  #pairByBody(isExact: boolean): void {
    const freeName = (name: string): string => (isExact ? name : "free");
    const nameOf = (name: string): string => {
      const type = this.#one.types.get(name);
      if (type === undefined) return name;
      return this.pairs.get(type)?.name.text ?? freeName(name);
    };
    const otherName = (name: string): string => {
      const type = this.#other.types.get(name);
      return type === undefined || this.#taken.has(type)
        ? name
        : freeName(name);
    };
    const own = [...this.#one.types.values()].filter(
      (type) => !this.pairs.has(type),
    );
    const others = [...this.#other.types.values()].filter(
      (type) => !this.#taken.has(type),
    );
    const byBody = groupBy(own, (type) => printBody(type, nameOf));
    const found = groupBy(others, (type) => printBody(type, otherName));
    for (const [body, [type, ...more]] of byBody) {
      const [other, ...rest] = found.get(body) ?? [];
      const isOne = rest.length === 0 && (isExact || more.length === 0);
      if (type !== undefined && isOne) this.#pair(type, other);
    }
  }
}

/** Returns the aliases that are the data of errors, by the names of these. */
function dataIn({ types }: Version): ReadonlyMap<string, TypeSyntax> {
  const pairs = [...types.values()].flatMap((type) => {
    const names = type.kind === "alias" ? listErrorsWithData(type) : null;
    return (names ?? []).map(({ text }) => [text, type] as const);
  });
  return new Map(pairs);
}

/** Whether the names of a method and of its service are its address. */
function isCall({ syntax }: AddressedMethod): boolean {
  return bindingOf(syntax) === null;
}

interface TypedSyntax {
  readonly type: TypeExpression;
  readonly metadata: readonly Metadata[];
}

/** Prints what a type contains. `nameOf` returns the names of other types. */
function printBody(type: TypeSyntax, nameOf: (name: string) => string): string {
  const own = type.name.text;
  const rename = (name: string): string =>
    name === own ? "itself" : nameOf(name);
  switch (type.kind) {
    case "alias":
      return `alias ${printTyped(type, rename)}`;
    case "enum":
      return `enum ${type.members.map(valueOf).join(" ")}`;
    case "struct": {
      const fields = type.fields.map(
        (field) =>
          `${jsonNameOf(field)} ${field.isOptional} ${printTyped(field, rename)}`,
      );
      return `struct ${fields.sort().join(", ")}`;
    }
  }
}

function printTyped(
  { metadata, type }: TypedSyntax,
  rename: (name: string) => string,
): string {
  const replace = (text: string): string =>
    text.replaceAll(/[A-Z]\w*/gu, rename);
  const lines = metadata
    .filter(({ key }) => key.text !== "jsonName")
    .map(({ key, value, variants }) => {
      const isType = variants !== undefined || key.text === "known";
      return `+ ${key.text} = ${isType ? replace(value.text) : value.text}`;
    });
  return [replace(printType(type)), ...lines].join(" ");
}
