import type {
  AliasDeclaration,
  Field,
  StructDeclaration,
  TypeExpression,
  Variant,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findAmbiguities, type JsonKind } from "../../ir/variant-shape.js";
import { codeOf, listNames } from "../../diagnostics/names.js";
import {
  findMetadata,
  isUnion,
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { labelOf, structUnionOf, variantName } from "../notation/unions.js";
import type { Declared, Program } from "../program/program.js";
import { findType } from "../program/reach.js";
import { readAllowedValue } from "../program/allowed-values.js";
import {
  type ResolvedType,
  resolveType,
  takesLimits,
} from "../program/resolve-type.js";
import { fieldsOf, shapeOf } from "../program/variants.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  type Finding,
  inNodes,
  locate,
  type NodeFinding,
} from "../report/finding.js";
import { literalsOf } from "../program/literals-of.js";
import type { CheckRules } from "./rule.js";

/** Maximum number of variants of a union. */
const maxVariants = 256;

/** Rules about unions. */
export const unionRules = {
  "invalid-union": (program) => [
    ...inNodes(["aliases"], checkAlias)(program),
    ...inNodes(["fields", "arguments"], ({ syntax }) =>
      syntax.kind === "argument" ? checkArgument(syntax) : [],
    )(program),
    ...inNodes(["structs"], checkStruct)(program),
  ],

  "ambiguous-variants": (program) => [
    ...inNodes(["aliases"], findAmbiguous)(program),
    ...inNodes(["structs"], ({ syntax }) => {
      const union = structUnionOf(syntax);
      return union?.kind === "tag"
        ? findSameTags(
            union.variants.flatMap((variant) =>
              variant.values.map((value) => ({ tag: value.text, at: value })),
            ),
          )
        : [];
    })(program),
  ],

  "infinite-union": findInfinite,
} satisfies CheckRules;

type Found = NodeFinding | readonly NodeFinding[] | false;

function checkAlias(
  alias: Declared<AliasDeclaration>,
  program: Program,
): Found {
  const { syntax, document } = alias;
  const tag = findMetadata(syntax, "tag");
  const open = findMetadata(syntax, "open");
  if (!isUnion(syntax)) {
    const [first] = [tag, open].flatMap((entry) => entry ?? []);
    return (
      first !== undefined && {
        at: first.key,
        message: `\`${first.key.text}\` has no effect without \`oneOf\``,
        help: "list the variants of the union, e.g. `+ oneOf = Created|Deleted`",
      }
    );
  }
  if (!isAny(syntax.type)) return reportBase(syntax.type);
  const variants = variantsOf(syntax);
  const isOpen = open !== undefined && open.value.text === "true";
  return [
    ...checkCount(syntax, variants, isOpen),
    ...variants.flatMap(({ values }) =>
      values.slice(0, 1).map((value) => ({
        at: value,
        message: "the variants of a `type` have no values",
        notes: [
          "the tag is a field of each variant, which lists its values with `+ enum`",
        ],
      })),
    ),
    ...(tag === undefined
      ? [
          ...(isOpen
            ? [{ at: open.key, message: "an open union needs a `tag`" }]
            : []),
          ...variants.flatMap((variant) =>
            checkUntagged(variant, document, program),
          ),
        ]
      : variants.flatMap((variant) =>
          checkTagged(variant, tag.value.text, document, program),
        )),
  ];
}

function isAny(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "any";
}

function reportBase(at: TypeExpression): NodeFinding {
  return {
    at,
    message: "the type of a union is `any`",
    notes: ["webrpc reads a union as `any`, and ridlkit as its variants"],
    help: "write `any`, and list the types in `oneOf`",
  };
}

function checkCount(
  owner: AliasDeclaration | Field,
  variants: readonly Variant[],
  isOpen: boolean,
): readonly NodeFinding[] {
  const { name } = owner;
  const at = findMetadata(owner, "oneOf")?.value ?? name;
  if (variants.length > maxVariants) {
    const message = `union \`${name.text}\` has more than ${maxVariants} variants`;
    return [{ at, message }];
  }
  // Variants that cannot be read are reported as `invalid-variants`.
  return variants.length === 1 && !isOpen
    ? [{ at, message: `union \`${name.text}\` has only one variant` }]
    : [];
}

/** A variant without a tag must have JSON that other types do not have. */
function checkUntagged(
  { type }: Variant,
  document: LoadedDocument,
  program: Program,
): readonly NodeFinding[] {
  const resolved = resolveType(program, document, type);
  return resolved?.kind === "scalar" && resolved.name === "any"
    ? [{ at: type, message: "`any` cannot be a variant: every value fits it" }]
    : [];
}

/** A variant with a tag must be a struct that says which tags it has. */
function checkTagged(
  { type }: Variant,
  tag: string,
  document: LoadedDocument,
  program: Program,
): readonly NodeFinding[] {
  const resolved = resolveType(program, document, type);
  if (resolved === null) return [];
  if (resolved.kind === "union") {
    const { syntax } = resolved.declared;
    const other =
      syntax.kind === "alias" ? metadataValue(syntax, "tag") : undefined;
    if (other === tag) return [];
    const name = codeOf(syntax.name.text);
    return [{ at: type, message: `union ${name} has no tag \`${tag}\`` }];
  }
  if (resolved.kind !== "struct") {
    return [
      {
        at: type,
        message: "a variant of a union with a tag must be a struct",
        help: "remove `tag` to tell variants apart by their kind of JSON value",
      },
    ];
  }
  return checkTagField(resolved, type, tag, program);
}

function checkTagField(
  resolved: ResolvedType,
  at: TypeExpression,
  tag: string,
  program: Program,
): readonly NodeFinding[] {
  const fields = fieldsOf(resolved);
  const field = fields.find((each) => jsonNameOf(each) === tag);
  if (resolved.kind !== "struct") return [];
  const { declared } = resolved;
  const struct = codeOf(declared.syntax.name.text);
  if (field === undefined) {
    const names = fields.flatMap((each) => jsonNameOf(each) ?? []);
    return [
      {
        at,
        message: `struct ${struct} has no field \`${tag}\``,
        help: `add the field with its value, e.g. \`- ${tag}: string\` with \`+ enum = created\``,
        ...didYouMean(tag, names),
      },
    ];
  }
  const related = [
    { at: field.name, document: declared.document, label: "declared here" },
  ];
  if (field.isOptional || metadataValue(field, "nullable") === "true") {
    const message = `the tag \`${tag}\` of ${struct} must be required`;
    return [{ at, message, related }];
  }
  const tags = literalsOf(program, declared.document, field);
  return tags === null
    ? [
        {
          at,
          message: `the tag \`${tag}\` of ${struct} can have any value`,
          related,
          help: "list its values, e.g. `+ enum = created`",
        },
      ]
    : [];
}

function checkArgument(argument: Parameters<typeof isUnion>[0]): Found {
  const found =
    findMetadata(argument, "oneOf") ?? findMetadata(argument, "choice");
  return (
    found !== undefined && {
      at: found.key,
      message: `\`${found.key.text}\` is not allowed on an argument`,
      help: "declare a `type` for the union",
    }
  );
}

/** Checks a struct whose fields make it a union. */
function checkStruct(
  { syntax, document }: Declared<StructDeclaration>,
  program: Program,
): Found {
  const union = structUnionOf(syntax);
  if (union === null) return false;
  const named = (labels: readonly string[]): readonly NodeFinding[] =>
    checkNames(syntax, labels, document, program);
  if (union.kind === "choice")
    return [
      ...checkChoice(union.fields),
      ...named(union.fields.map(({ name }) => name.text)),
    ];
  const { content, variants } = union;
  const others = syntax.fields.filter(
    (field) =>
      field !== content &&
      (isUnion(field) || findMetadata(field, "choice") !== undefined),
  );
  return [
    ...others.map((field) => ({
      at: field.name,
      message: `struct \`${syntax.name.text}\` is a union in two ways`,
      related: [{ at: content.name, label: "the other one is here" }],
      help: "declare a `type` for one of them",
    })),
    ...(isAny(content.type) ? [] : [reportBase(content.type)]),
    ...checkCount(content, variants, metadataValue(content, "open") === "true"),
    ...checkTagBeside(syntax, content, document, program),
    ...variants.flatMap(({ span, values }) =>
      values.length === 0
        ? [
            {
              at: { span },
              message: "a variant of a field needs the value of the tag",
              help: "write it before the type, e.g. `created:Created`",
            },
          ]
        : [],
    ),
    ...named(variants.map(labelOf)),
  ];
}

function checkChoice(fields: readonly Field[]): readonly NodeFinding[] {
  const groups = new Set(fields.map((each) => metadataValue(each, "choice")));
  const [first] = fields;
  if (first === undefined) return [];
  const key = findMetadata(first, "choice")?.key ?? first.name;
  return [
    ...fields
      .filter(({ isOptional }) => !isOptional)
      .map(({ name }) => ({
        at: name,
        message: `field \`${name.text}\` of a choice must be optional`,
        help: `write \`${name.text}?\``,
      })),
    ...(groups.size > 1
      ? [{ at: key, message: "a struct can have only one choice" }]
      : []),
    ...(fields.length === 1
      ? [{ at: key, message: "a choice needs several fields" }]
      : []),
  ];
}

/** Checks the field that contains the tag of another field. */
function checkTagBeside(
  { fields, name }: StructDeclaration,
  content: Field,
  document: LoadedDocument,
  program: Program,
): readonly NodeFinding[] {
  const tag = findMetadata(content, "tag");
  const at = findMetadata(content, "oneOf")?.key ?? content.name;
  if (tag === undefined) {
    return [
      {
        at,
        message: "`oneOf` on a field needs the `tag` beside it",
        help: "declare a `type` for a union without a tag beside it",
      },
    ];
  }
  const { value } = tag;
  const field = fields.find((each) => each.name.text === value.text);
  if (field === undefined || field === content) {
    const names = fields.flatMap((each) =>
      each === content ? [] : each.name.text,
    );
    return [
      {
        at: value,
        message: `struct \`${name.text}\` has no field \`${value.text}\` for the tag`,
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
  const tags = literalsOf(program, document, field);
  return variantsOf(content).flatMap(({ values }) =>
    values.flatMap((each) => {
      const read = type && readAllowedValue(type, each);
      if (type === null || (read !== null && tags?.includes(read) !== false))
        return [];
      return [
        {
          at: each,
          message: `\`${each.text}\` is not a value of \`${value.text}\``,
          ...didYouMean(
            each.text,
            (tags ?? []).map(String),
            locate(document, each),
          ),
        },
      ];
    }),
  );
}

/** The structs that variants become must not clash with declared types. */
function checkNames(
  { name }: StructDeclaration,
  labels: readonly string[],
  document: LoadedDocument,
  program: Program,
): readonly NodeFinding[] {
  return labels.flatMap((label) => {
    const struct = variantName(name.text, label);
    const clash = findType(program, document, struct);
    if (clash === undefined) return [];
    return [
      {
        at: name,
        message: `the variant \`${label}\` needs the name \`${struct}\`, which is declared`,
        related: [
          {
            at: clash.syntax.name,
            document: clash.document,
            label: "declared here",
          },
        ],
        help: "rename one of them",
      },
    ];
  });
}

function findAmbiguous(
  { syntax, document }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  if (!isUnion(syntax)) return [];
  const variants = variantsOf(syntax);
  const tag = metadataValue(syntax, "tag");
  if (tag !== undefined) {
    return findSameTags(
      variants.flatMap(({ type }) =>
        tagsOf(program, document, type, tag).map((each) => ({
          tag: String(each),
          at: type,
        })),
      ),
    );
  }
  const shaped = variants.flatMap(({ type }) => {
    const shape = shapeOf(program, document, type);
    return shape === null ? [] : [{ type, shape }];
  });
  return findAmbiguities(shaped.map(({ shape }) => shape)).flatMap(
    ({ again, first, kind }) => {
      const [earlier, later] = [shaped[first], shaped[again]];
      if (earlier === undefined || later === undefined) return [];
      return [
        {
          at: later.type,
          message: `${kindNames[kind]} could be of this variant or an earlier one`,
          related: [{ at: earlier.type, label: "the earlier one" }],
          help:
            kind === "object"
              ? "put the variant with more required fields first, or add a `tag`"
              : "use a struct with a tag for one of them",
        },
      ];
    },
  );
}

const kindNames: Readonly<Record<JsonKind, string>> = {
  array: "a list",
  boolean: "a boolean",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

function findSameTags(
  tags: readonly { readonly tag: string; readonly at: NodeFinding["at"] }[],
): readonly NodeFinding[] {
  return findDuplicates(tags, ({ tag }) => tag).map(({ first, again }) => ({
    at: again.at,
    message: `two variants have the tag ${listNames([again.tag])}`,
    related: [{ at: first.at, label: "first used here" }],
    help: "give each variant its own tag",
  }));
}

/** Returns the tags of a struct, or of the variants of a union. */
function tagsOf(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
  tag: string,
  depth = 0,
): readonly unknown[] {
  const resolved = resolveType(program, document, type);
  if (resolved?.kind === "union" && depth < 8) {
    const { syntax, document } = resolved.declared;
    return syntax.kind === "alias"
      ? variantsOf(syntax).flatMap((each) =>
          tagsOf(program, document, each.type, tag, depth + 1),
        )
      : [];
  }
  if (resolved?.kind !== "struct") return [];
  const field = fieldsOf(resolved).find((each) => jsonNameOf(each) === tag);
  if (field === undefined) return [];
  return literalsOf(program, resolved.declared.document, field) ?? [];
}

/** Reports the unions that have no finite value. */
function findInfinite(program: Program): readonly Finding[] {
  const unions = program.nodes.aliases.filter(({ syntax }) => isUnion(syntax));
  const finite = new Set<unknown>();
  const isFinite = (
    document: LoadedDocument,
    type: TypeExpression,
  ): boolean => {
    const resolved = resolveType(program, document, type);
    return resolved?.kind !== "struct" && resolved?.kind !== "union"
      ? true
      : finite.has(resolved.declared.syntax);
  };
  const structs = unions.length === 0 ? [] : program.nodes.structs;
  // Each round finds the types that need only types of earlier rounds.
  for (let size = -1; size < finite.size;) {
    ({ size } = finite);
    for (const { syntax, document } of structs) {
      const isEach = syntax.fields.every(
        (field) =>
          field.isOptional ||
          metadataValue(field, "nullable") === "true" ||
          isUnion(field) ||
          isFinite(document, field.type),
      );
      if (isEach) finite.add(syntax);
    }
    for (const { syntax, document } of unions) {
      if (variantsOf(syntax).some(({ type }) => isFinite(document, type)))
        finite.add(syntax);
    }
  }
  return unions.flatMap(({ syntax, document }) => {
    const { name } = syntax;
    if (finite.has(syntax) || variantsOf(syntax).length === 0) return [];
    return {
      document,
      at: name,
      message: `every variant of union \`${name.text}\` requires the union again`,
      help: "add a variant that does not contain it, or make a field optional",
    };
  });
}
