import type {
  AliasDeclaration,
  Field,
  TypeExpression,
  Variant,
} from "../../1-parse/ast.js";
import { codeOf } from "../../diagnostics/names.js";
import {
  findMetadata,
  isUnion,
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { maxVariants, structUnionOf } from "../notation/unions.js";
import type { Declared, DeclaredType, Program } from "../program/program.js";
import { isNullableType, resolveType } from "../program/resolve-type.js";
import {
  isAny,
  maxUnionDepth,
  tagsOfStruct,
  unionDepth,
} from "../program/variants.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { NodeFinding, Placed } from "../report/finding.js";

/** Checks a `type` with `+ oneOf`. */
export function checkUnion(
  alias: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  const { syntax } = alias;
  if (!isUnion(syntax)) return findUnusedKeys(syntax);
  const tag = findMetadata(syntax, "tag");
  const open = findMetadata(syntax, "open");
  const isOpen = open !== undefined && open.value.text === "true";
  const variants = variantsOf(syntax);
  const isNamed = tag !== undefined && tag.value.text !== "";
  return [
    ...checkBase(syntax.type),
    ...checkCount(syntax, isOpen),
    ...checkDepth(alias, program),
    ...variants.flatMap(findValues),
    ...(isOpen && tag === undefined
      ? [
          {
            at: open.key,
            message: "an open union needs a `tag`",
            help: "add `+ tag = kind` with the name of the field that tells variants apart",
          },
        ]
      : []),
    ...(tag !== undefined && !isNamed
      ? [{ at: tag.value, message: "expected the name of a field" }]
      : []),
    ...variants.flatMap((variant) =>
      isNamed
        ? checkTagged(variant, tag.value.text, alias, program)
        : checkUntagged(variant, alias, program),
    ),
    ...variants.flatMap((variant) => checkNull(variant, alias, program)),
  ];
}

/** Null is a value of the union, or a variant of its own. */
function checkNull(
  { type }: Variant,
  { document }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  if (!isNullableType(program, document, type)) return [];
  const help =
    "add `+ nullable = true` to the union, or the variant `null`, instead";
  return [{ at: type, message: "a variant cannot be nullable", help }];
}

function checkDepth(
  alias: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  if (unionDepth(program, alias) <= maxUnionDepth) return [];
  const { name } = alias.syntax;
  const message = `unions in \`${name.text}\` are nested more than ${maxUnionDepth} deep`;
  return [{ at: name, message, help: "list their variants in one union" }];
}

/** The variants of a `type` have no values. */
function findValues({ values }: Variant): readonly NodeFinding[] {
  return values.slice(0, 1).map((value) => ({
    at: value,
    message: "a variant of a `type` has no value before its type",
    notes: [
      "the tag of such a union is a field of each variant, which lists its values with `+ enum`",
    ],
    help: "remove the value and the `:`",
  }));
}

/** A variant without a tag must have JSON that other types do not have. */
function checkUntagged(
  { type }: Variant,
  { document }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  return isAny(resolveType(program, document, type))
    ? [
        {
          at: type,
          message: "`any` cannot be a variant",
          notes: ["every value fits `any`"],
        },
      ]
    : [];
}

/** A variant with a tag must be a struct that says which tags it has. */
function checkTagged(
  { type }: Variant,
  tag: string,
  { document }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  const resolved = resolveType(program, document, type);
  if (resolved === null) return [];
  if (resolved.kind === "struct" || resolved.kind === "union") {
    return checkTag(resolved.declared, tag, program).map((finding) => ({
      at: type,
      ...finding,
    }));
  }
  return [
    {
      at: type,
      message: "a variant of a union with a tag must be a struct",
      help: "remove `tag` to tell variants apart by their kind of JSON value",
    },
  ];
}

/** Every tag that it does not know would be one of an open variant. */
function openVariant(name: string): { message: string; help: string } {
  return {
    message: `${name} is open, so it cannot be a variant of a union with a tag`,
    help: "list its variants in this union instead",
  };
}

/** Error messages list the tags, and show what a caller sent instead. */
export const sensitiveHelp =
  "make the other fields sensitive, or the field of the union";

/** Checks that a struct or a union has a tag with finitely many values. */
function checkTag(
  { document, syntax }: DeclaredType,
  tag: string,
  program: Program,
): readonly Omit<NodeFinding, "at">[] {
  const name = codeOf(syntax.name.text);
  const declared = { document, at: syntax.name, label: "declared here" };
  switch (syntax.kind) {
    case "enum":
      return [];
    case "alias": {
      if (metadataValue(syntax, "tag") === tag) {
        return metadataValue(syntax, "open") === "true"
          ? [{ ...openVariant(name), related: [declared] }]
          : [];
      }
      const message = `union ${name} has no tag ${codeOf(tag)}`;
      return [{ message, related: [declared] }];
    }
    case "struct":
      break;
  }
  const { fields } = syntax;
  const field = fields.find((each) => jsonNameOf(each) === tag);
  if (field === undefined) {
    const names = fields.flatMap((each) => jsonNameOf(each) ?? []);
    return [
      {
        message: `struct ${name} has no field ${codeOf(tag)}`,
        related: [declared],
        help: `add the field with its value, e.g. \`- ${tag}: string\` with \`+ enum = created\``,
        ...didYouMean(tag, names),
      },
    ];
  }
  const union = structUnionOf(syntax);
  const related = [{ document, at: field.name, label: "declared here" }];
  if (
    union !== null &&
    !(union.kind === "tag" && union.tag === field.name.text)
  ) {
    const message = `struct ${name} is a union without the tag ${codeOf(tag)}`;
    return [{ message, related }];
  }
  if (
    union?.kind === "tag" &&
    metadataValue(union.content, "open") === "true"
  ) {
    return [{ ...openVariant(name), related }];
  }
  if (field.isOptional || metadataValue(field, "nullable") === "true") {
    const message = `the tag ${codeOf(tag)} of ${name} must be required`;
    return [{ message, related }];
  }
  if (metadataValue(field, "sensitive") === "true") {
    const message = `the tag ${codeOf(tag)} of ${name} cannot be sensitive`;
    return [{ message, related, help: sensitiveHelp }];
  }
  return tagsOfStruct(program, { document, syntax }, tag) === null
    ? [
        {
          message: `the tag ${codeOf(tag)} of ${name} can have any value`,
          related,
          help: "list its values, e.g. `+ enum = created`",
        },
      ]
    : [];
}

/** Reports keys of unions on a declaration without `+ oneOf`. */
export function findUnusedKeys(
  owner: AliasDeclaration | Field,
): readonly NodeFinding[] {
  return ["tag", "open"].flatMap((name) => {
    const entry = findMetadata(owner, name);
    return entry === undefined
      ? []
      : {
          at: entry.key,
          message: `\`${name}\` has no effect without \`oneOf\``,
          help: "list the variants of the union, e.g. `+ oneOf = Created|Deleted`",
        };
  });
}

/** Reports a union whose type is not `any`. */
export function checkBase(type: TypeExpression): readonly NodeFinding[] {
  if (type.kind === "name" && type.name.text === "any") return [];
  return [
    {
      at: type,
      message: "the type of a union is `any`",
      notes: ["webrpc reads a union as `any`, and ridlkit as its variants"],
      help: "write `any`, and list the types in `oneOf`",
    },
  ];
}

/** Reports more variants than a union can have. */
export function tooMany(
  at: Placed,
  owner: string,
  count: number,
  what: string,
): NodeFinding {
  const message = `${owner} has ${count} ${what}, but can have at most ${maxVariants}`;
  return { at, message, help: "split it into unions of unions" };
}

/** Reports a union with too many variants, or with one that never changes. */
export function checkCount(
  owner: AliasDeclaration | Field,
  isOpen: boolean,
): readonly NodeFinding[] {
  const { length } = variantsOf(owner);
  const lines = owner.metadata.flatMap(({ key, value }) =>
    key.text === "oneOf" ? value : [],
  );
  const [at] = lines;
  if (at === undefined) return [];
  if (length > maxVariants)
    return [tooMany(at, `union \`${owner.name.text}\``, length, "variants")];
  // Other variants may be missing because they were reported as invalid.
  const isWhole = lines.length === 1 && !at.text.includes("|");
  return length === 1 && isWhole && !isOpen
    ? [
        {
          at,
          message: `union \`${owner.name.text}\` has only one variant`,
          help: "add a variant, or use its type directly",
        },
      ]
    : [];
}
