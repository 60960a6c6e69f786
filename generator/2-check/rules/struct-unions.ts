import type { Field, StructDeclaration, Word } from "../../1-parse/ast.js";
import { codeOf } from "../../diagnostics/names.js";
import {
  findMetadata,
  isUnion,
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import {
  type DerivedStruct,
  derivedStructsOf,
  maxVariants,
  structUnionOf,
  variantName,
} from "../notation/unions.js";
import { readAllowedValue } from "../program/allowed-values.js";
import { literalsOf } from "../program/literals-of.js";
import type { Declared, DeclaredType, Program } from "../program/program.js";
import { resolveType, takesLimits } from "../program/resolve-type.js";
import { foldName } from "../program/scope.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { type Finding, locate, type NodeFinding } from "../report/finding.js";
import {
  checkBase,
  checkCount,
  findUnusedKeys,
  sensitiveHelp,
  tooMany,
} from "./type-unions.js";

/** Checks a struct whose fields can make it a union. */
export function checkStructUnion(
  declared: Declared<StructDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  const { syntax } = declared;
  const union = structUnionOf(syntax);
  const unused = syntax.fields
    .filter((field) => !isUnion(field))
    .flatMap(findUnusedKeys);
  if (union === null) return unused;
  if (union.kind === "choice") {
    return [...unused, ...checkChoice(union.fields)];
  }
  const { content, variants } = union;
  const others = syntax.fields.filter(
    (field) =>
      field !== content &&
      (isUnion(field) || findMetadata(field, "choice") !== undefined),
  );
  return [
    ...unused,
    ...others.map((field) => ({
      at: field.name,
      message: `struct \`${syntax.name.text}\` is a union in two ways`,
      related: [{ at: content.name, label: "the other one is here" }],
      help: "declare a `type` for one of them",
    })),
    ...checkBase(content.type),
    ...checkCount(content, metadataValue(content, "open") === "true"),
    ...checkOnWire(content),
    ...checkTagBeside(declared, content, program),
    ...variants.flatMap(({ type, values }) =>
      values.length === 0
        ? [
            {
              at: type,
              message: "a variant of a field needs the value of the tag",
              help: "write it before the type, e.g. `created:Created`",
            },
          ]
        : [],
    ),
    ...variants.flatMap((variant) => {
      const [value] = variant.values;
      return value === undefined ? [] : checkLabel(value);
    }),
  ];
}

/** A field that is not on the wire cannot tell variants apart. */
function checkOnWire(field: Field): readonly NodeFinding[] {
  const json = findMetadata(field, "json");
  return json === undefined || jsonNameOf(field) !== null
    ? []
    : [
        {
          at: json.value,
          message: `\`${field.name.text}\` is part of a union and cannot be omitted`,
          help: "remove `+ json = -`",
        },
      ];
}

function checkChoice(fields: readonly Field[]): readonly NodeFinding[] {
  const entries = fields.flatMap(
    (each) => findMetadata(each, "choice")?.value ?? [],
  );
  const [first] = entries;
  const other = entries.find(({ text }) => text !== first?.text);
  if (first === undefined) return [];
  if (fields.length > maxVariants) {
    const owner = `the choice ${codeOf(first.text)}`;
    return [tooMany(first, owner, fields.length, "fields")];
  }
  return [
    ...fields.flatMap(checkOnWire),
    ...fields
      .filter(({ isOptional }) => !isOptional)
      .map(({ name }) => ({
        at: name,
        message: `field \`${name.text}\` of a choice must be optional`,
        help: `write \`${name.text}?\``,
      })),
    ...fields.flatMap((field) => {
      const entry = findMetadata(field, "nullable");
      return entry?.value.text !== "true"
        ? []
        : [
            {
              at: entry.value,
              message: `field \`${field.name.text}\` of a choice cannot be null`,
              notes: ["null means that the field is absent"],
              help: "remove `+ nullable`",
            },
          ];
    }),
    ...(other === undefined
      ? []
      : [
          {
            at: other,
            message: "a struct can have only one choice",
            related: [{ at: first, label: "the other one is here" }],
            help: "declare a struct for one of them, and a field of that type",
          },
        ]),
    ...(fields.length === 1
      ? [
          {
            at: first,
            message: "a choice needs at least two fields",
            help: "add `+ choice` to the other fields of which one is present",
          },
        ]
      : []),
  ];
}

/** Checks the field that contains the tag of another field. */
function checkTagBeside(
  { document, syntax }: Declared<StructDeclaration>,
  content: Field,
  program: Program,
): readonly NodeFinding[] {
  const { fields, name } = syntax;
  const tag = findMetadata(content, "tag");
  if (tag === undefined) {
    return [
      {
        at: findMetadata(content, "oneOf")?.key ?? content.name,
        message: "`oneOf` on a field needs a `tag`, the name of another field",
        help: "to declare a union without it, write a `type`, and use it for the field",
      },
    ];
  }
  const { value } = tag;
  const field = fields.find(
    (each) => each !== content && each.name.text === value.text,
  );
  if (field === undefined) {
    const names = fields.flatMap((each) =>
      each === content ? [] : each.name.text,
    );
    return [
      {
        at: value,
        message: `struct \`${name.text}\` has no other field ${codeOf(value.text)} for the tag`,
        ...didYouMean(value.text, names, locate(document, value)),
      },
    ];
  }
  const type = resolveType(program, document, field.type);
  const isSimple = type === null || takesLimits(type, "values");
  const isRequired =
    !field.isOptional && metadataValue(field, "nullable") !== "true";
  if (!isSimple || !isRequired) {
    const related = [{ at: field.name, label: "declared here" }];
    const message = `the tag \`${value.text}\` must be a required string, number, boolean or enum`;
    return [{ at: value, message, related }];
  }
  if (metadataValue(field, "sensitive") === "true") {
    const related = [{ at: field.name, label: "declared here" }];
    const message = `the tag \`${value.text}\` cannot be sensitive`;
    return [{ at: value, message, related, help: sensitiveHelp }];
  }
  const tags = literalsOf(program, document, field);
  return [
    ...checkOnWire(field),
    ...variantsOf(content)
      .flatMap(({ values }) => values)
      .filter((each) => {
        const read = type && readAllowedValue(type, each);
        return (
          type !== null && (read === null || tags?.includes(read) === false)
        );
      })
      .map((each) => ({
        at: each,
        message: `${codeOf(each.text)} is not a value of \`${value.text}\``,
        related: [{ at: field.name, label: "declared here" }],
        ...didYouMean(
          each.text,
          (tags ?? []).map(String),
          locate(document, each),
        ),
      })),
  ];
}

/** A variant is a struct whose name ends with its tag. */
function checkLabel(value: Word): readonly NodeFinding[] {
  return /^\w+$/.test(variantName("", value.text))
    ? []
    : [
        {
          at: value,
          message: `the tag ${codeOf(value.text)} cannot be part of a type's name`,
          notes: [
            "each variant becomes a type, whose name ends with the first tag",
          ],
          help: "declare a `type` instead, with structs that have the tag as a field",
        },
      ];
}

/** A type that a variant becomes. */
interface Derived extends DerivedStruct {
  /** The declared struct that is a union. */
  readonly struct: Declared<StructDeclaration>;
}

/**
 * Reports types that variants become and that have the name of another type.
 */
export function findDerivedClashes(program: Program): readonly Finding[] {
  const derived = program.nodes.structs.flatMap(derivedFrom);
  if (derived.length === 0) return [];
  const declared = new Map(
    program.types.map((each) => [foldName(each.syntax.name.text), each]),
  );
  const report = (
    { label, name, struct }: Derived,
    first: DeclaredType | Derived,
  ): Finding => ({
    document: struct.document,
    at: label,
    message: `the variant ${codeOf(label.text)} of \`${struct.syntax.name.text}\` becomes the type \`${name}\`, but another type has this name`,
    related: [
      "syntax" in first
        ? {
            at: first.syntax.name,
            document: first.document,
            label: "declared here",
          }
        : {
            at: first.label,
            document: first.struct.document,
            label: "this variant becomes it",
          },
    ],
    notes: [
      `the name is the union's, \`${struct.syntax.name.text}\`, followed by the variant's, ${codeOf(label.text)}`,
    ],
    help:
      "syntax" in first
        ? `rename \`${first.syntax.name.text}\` or \`${struct.syntax.name.text}\`, which changes no message`
        : "declare a `type` instead, with structs for the variants",
  });
  // Variants with the same tag are reported as ambiguous.
  const again = findDuplicates(derived, ({ name }) => foldName(name)).filter(
    ({ again, first }) =>
      again.struct !== first.struct || again.label.text !== first.label.text,
  );
  return [
    ...derived.flatMap((each) => {
      const clash = declared.get(foldName(each.name));
      return clash === undefined ? [] : report(each, clash);
    }),
    ...again.map(({ again, first }) => report(again, first)),
  ];
}

function derivedFrom(struct: Declared<StructDeclaration>): readonly Derived[] {
  return derivedStructsOf(struct.syntax)
    .filter(({ name }) => name !== struct.syntax.name.text)
    .map((each) => ({ ...each, struct }));
}
