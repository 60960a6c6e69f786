import type { Field, TypeDeclaration, Union } from "../../ir/contract.js";
import { extraFieldOf } from "../../ir/extra-members.js";
import { isFileField } from "../../http/request.js";
import { textFormOf } from "../../http/slots.js";
import { typesWithin } from "../../values/reachable-types.js";
import { isHeldBy, recursiveFields } from "../../values/recursive-parts.js";
import { unionTitle } from "../../values/union-title.js";
import type { ContractValues, ResolvedValue } from "../../values/value.js";
import { variantsOf } from "../../values/variants.js";
import type { Anchors } from "./anchors.js";
import type { SettledNames } from "./settle-names.js";
import type {
  FactView,
  FieldView,
  NameView,
  NamedTypeView,
  TypeView,
  UnionView,
  ValueView,
} from "./type-view.js";
import { deprecatedOf, docsOf } from "./view-docs.js";
import { checksOf, limitsOf, listedIn, tagOf } from "./view-limits.js";

/** Creates the views of types, fields and values. */
export class TypeViews {
  readonly #anchors: Anchors;
  readonly #values: ContractValues;
  readonly #names: SettledNames;
  readonly #recursive: ReadonlySet<Field>;
  /** The unions of each struct that is a variant. */
  readonly #unions: ReadonlyMap<string, readonly string[]>;

  constructor(
    types: readonly TypeDeclaration[],
    values: ContractValues,
    anchors: Anchors,
    names: SettledNames,
  ) {
    this.#recursive = recursiveFields(types, values);
    this.#unions = unionsOfStructs(types, values);
    this.#values = values;
    this.#anchors = anchors;
    this.#names = names;
  }

  fieldOf(field: Field): FieldView {
    const { constraints, deprecated, docs, isNullable, isSensitive } = field;
    const facts: FactView[] = [...limitsOf(constraints)];
    if (isNullable) facts.push({ kind: "nullable" });
    if (isSensitive) facts.push({ kind: "sensitive" });
    const notice = deprecatedOf(deprecated);
    if (notice) facts.push({ kind: "deprecated", ...notice });
    const identifier = this.#names.of(field);
    return {
      name: field.name,
      identifier,
      jsonName: field.jsonName,
      isRenamed: identifier !== field.jsonName,
      docs: docsOf(docs),
      type: this.valueOf(this.#values.valueOf(field.type)),
      isFile: isFileField(field),
      isOptional: field.isOptional,
      isNullable,
      presence: presenceOf(field),
      isSensitive,
      isText: textFormOf(this.#values, field).writing === "text",
      isExtra: field.isExtra,
      isRecursive: this.#recursive.has(field),
      header: field.header,
      deprecated: notice,
      facts,
      limits: limitsOf(this.#values.valueOf(field).limits),
      checks: checksOf(constraints),
      listed: listedIn(constraints),
    };
  }

  typeOf(type: TypeDeclaration): TypeView {
    const { name } = type;
    const facts = { ...this.nameOf(name), docs: docsOf(type.docs) };
    switch (type.kind) {
      case "struct":
        return {
          kind: "struct",
          ...facts,
          fields: type.fields.map((field) => this.fieldOf(field)),
          hasExtra: extraFieldOf(type.fields) !== undefined,
          unions: (this.#unions.get(name) ?? []).map((each) =>
            this.nameOf(each),
          ),
        };
      case "enum":
        return {
          kind: "enum",
          ...facts,
          members: type.members.map((member, index) => ({
            name: member.name,
            identifier: this.#names.of(member),
            jsonValue: member.jsonValue,
            isRepeated:
              type.members.findIndex(
                ({ jsonValue }) => jsonValue === member.jsonValue,
              ) < index,
            docs: docsOf(member.docs),
          })),
        };
      case "alias":
        return {
          kind: "alias",
          ...facts,
          type: this.valueOf(this.#values.valueOf(type.type)),
          title: type.title,
          limits: limitsOf(type.constraints),
          checks: checksOf(type.constraints),
          listed: listedIn(type.constraints),
          acceptsInteger: type.acceptsInteger,
          isNullable: this.#values.valueOf({
            kind: "reference",
            name: type.name,
          }).isNullable,
          known: type.known === null ? null : this.nameOf(type.known),
        };
      case "union":
        return this.#unionOf(type, facts);
    }
  }

  #unionOf(
    type: Union,
    facts: Pick<UnionView, "anchor" | "docs" | "identifier" | "name">,
  ): UnionView {
    const names = this.#names.ofUnion(type);
    return {
      kind: "union",
      ...facts,
      variants: variantsOf(this.#values)(type).map(
        ({ kinds, marks, tags, type: written, value }, index) => ({
          identifier:
            value.kind === "struct"
              ? this.#names.ofType(value.declaration.name)
              : (names.variants[index] ?? "_"),
          shortIdentifier: names.shortVariants[index] ?? "_",
          isStruct: value.kind === "struct",
          isRecursive: isHeldBy(this.#values, type.name, written),
          type: this.valueOf(value),
          tags: tags.map(tagOf),
          kinds: [...kinds],
          marks: marks.map(({ name }) => name),
          nullableMarks: marks.flatMap(({ isNullable, name }) =>
            isNullable ? [name] : [],
          ),
        }),
      ),
      tag: type.tag,
      isOpen: type.isOpen,
      choice: type.choice,
      title: type.title ?? unionTitle(this.#values, type),
      unknown: names.unknown,
      parser: names.parser,
      isRecursive: type.variants.some((each) =>
        typesWithin(this.#values, each).has(type.name),
      ),
    };
  }

  valueOf(value: ResolvedValue): ValueView {
    const declared = value.name === null ? null : this.nameOf(value.name);
    const { isNullable } = value;
    switch (value.kind) {
      case "scalar":
        return {
          kind: "scalar",
          declared,
          isNullable,
          scalar: value.scalar,
          known: value.known && this.nameOf(value.known.name),
        };
      case "bytes":
        return {
          kind: "bytes",
          declared,
          isNullable,
          element: this.valueOf(this.#values.valueOf(value.element)),
        };
      case "enum":
        return {
          kind: "enum",
          declared,
          isNullable,
          enum: this.nameOf(value.declaration.name),
        };
      case "struct":
        return {
          kind: "struct",
          declared,
          isNullable,
          struct: this.nameOf(value.declaration.name),
        };
      case "list":
        return {
          kind: "list",
          declared,
          isNullable,
          element: this.valueOf(this.#values.valueOf(value.element)),
        };
      case "map":
        return {
          kind: "map",
          declared,
          isNullable,
          key: this.valueOf(this.#values.valueOf(value.key)),
          value: this.valueOf(this.#values.valueOf(value.held)),
        };
      case "union":
        return {
          kind: "union",
          declared,
          isNullable,
          union: this.nameOf(value.declaration.name),
        };
    }
  }

  nameOf(name: string): NameView {
    const anchor = encodeURI(this.#anchors.types.get(name) ?? "");
    return { name, identifier: this.#names.ofType(name), anchor };
  }
}

function unionsOfStructs(
  types: readonly TypeDeclaration[],
  values: ContractValues,
): ReadonlyMap<string, readonly string[]> {
  const unions = new Map<string, string[]>();
  for (const type of types) {
    if (type.kind !== "union") continue;
    for (const { value } of variantsOf(values)(type)) {
      if (value.kind !== "struct") continue;
      const { name } = value.declaration;
      unions.set(name, [...(unions.get(name) ?? []), type.name]);
    }
  }
  return unions;
}

function presenceOf(field: Field): FieldView["presence"] {
  if (field.isNullable) {
    return field.isOptional ? "optionalNullable" : "nullable";
  }
  return field.isOptional ? "optional" : "required";
}

/** Sorts aliases and unions so that each comes after those it refers to. */
export function inOrder<Each extends NamedTypeView>(
  aliases: readonly Each[],
): readonly Each[] {
  const waiting = new Map(aliases.map((alias) => [alias.name, alias]));
  const sorted: Each[] = [];
  const add = (name: string): void => {
    const alias = waiting.get(name);
    if (alias === undefined) return;
    waiting.delete(name);
    const types =
      alias.kind === "alias"
        ? [alias.type]
        : alias.variants.map(({ type }) => type);
    for (const each of types.flatMap(declaredIn)) add(each);
    sorted.push(alias);
  };
  for (const { name } of aliases) add(name);
  return sorted;
}

/** Returns the names of the declared types that a type is written with. */
function declaredIn(value: ValueView): readonly string[] {
  if (value.declared !== null) return [value.declared.name];
  switch (value.kind) {
    case "list":
    case "bytes":
      return declaredIn(value.element);
    case "map":
      return [...declaredIn(value.key), ...declaredIn(value.value)];
    case "enum":
    case "scalar":
    case "struct":
    case "union":
      return [];
  }
}
