import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  findMetadata,
  isExtra,
  isUnion,
  metadataValue,
  variantsOf,
} from "../../2-check/notation/metadata.js";
import { namesIn } from "../../2-check/program/nodes.js";
import type { Declared, Program } from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { type Finding, inNodes } from "../../2-check/report/finding.js";
import { isIntegerName } from "../../ir/scalars.js";
import { wordsOf } from "../facts/casing.js";
import {
  type TypePlace,
  canHaveLimit,
  followType,
  ownersIn,
} from "../facts/type-places.js";
import type { LintRules, LintSettings } from "./rule.js";

/** Rules about types and values. */
export const valueRules = {
  // A double can represent every integer up to 2^53-1, but only some beyond it.
  "int64-unsafe": (program, { int64 }) => {
    const { aliases, fields, arguments: given } = program.nodes;
    const unions = aliases.filter(({ syntax }) => isUnion(syntax));
    const innermost = [...fields, ...given, ...unions].flatMap(
      ({ syntax, document }) =>
        ownersIn(syntax).map(
          (owner) => followType(program, document, owner).innermost,
        ),
    );
    // An alias occurs once for each of its uses.
    const byType = new Map(
      innermost
        .filter((place) => isUnsafe(place, int64))
        .map((place) => [place.type, place]),
    );
    return [...byType.values()].map(reportUnsafe);
  },

  "should-use-timestamp": inNodes(
    ["fields", "arguments"],
    ({ syntax, document }, program) => {
      const words = wordsOf(syntax.name.text);
      const isMoment =
        moments.has(words.at(-1) ?? "") &&
        (words.length > 1 || words[0] === "timestamp");
      const type = resolveType(program, document, syntax.type);
      const isOther =
        type?.kind === "scalar" &&
        (type.name === "string" || isIntegerName(type.name));
      return (
        isMoment &&
        isOther && {
          at: syntax.type,
          message: `\`${syntax.name.text}\` looks like a point in time but has type \`${type.name}\``,
          help: "change its type to `timestamp`; this changes the wire format unless it is already an RFC 3339 string",
        }
      );
    },
  ),

  "unique-items-on-objects": inNodes(
    ["aliases", "fields"],
    ({ syntax, document }, program) => {
      const line = findMetadata(syntax, "uniqueItems");
      return (
        line?.value.text === "true" &&
        hasObjects({ syntax: syntax.type, document }, program) && {
          at: line,
          message: `the entries of \`${syntax.name.text}\` are compared as whole objects`,
          notes: ["other validators may take quadratic time"],
          help: "use a map, or check the keys in the handler",
        }
      );
    },
  ),

  "sensitive-missing": inNodes(
    ["fields"],
    ({ syntax, document }, program) =>
      isSecret(syntax.name.text) &&
      metadataValue(syntax, "sensitive") === undefined &&
      !isSensitive(program, document, syntax.type) && {
        at: syntax.name,
        message: `\`${syntax.name.text}\` looks like a secret but is not marked as \`sensitive\``,
        help: "add `+ sensitive = true`, or `+ sensitive = false` if it is not a secret",
      },
  ),

  // In languages with zero values, unset fields are 0, so 0 should be a
  // member.
  "enum-zero-value": inNodes(
    ["enums"],
    ({ syntax: { base, members, name } }) =>
      base.text !== "string" &&
      members.length > 0 &&
      members.every(({ value }, at) => Number(value?.text ?? at) !== 0) && {
        at: name,
        message: `enum \`${name.text}\` has no member with the value 0`,
        notes: ["in Go and some other languages, an unset field is 0"],
        help: "add a first member such as `UNKNOWN = 0`",
      },
  ),

  // webrpc's Go generator does not generate a JSON form for such an alias, so
  // servers send `{}`.
  "timestamp-alias": inNodes(
    ["aliases"],
    ({ syntax: { name, type } }) =>
      type.kind === "name" &&
      type.name.text === "timestamp" && {
        at: type,
        message: `\`${name.text}\` is an alias of \`timestamp\``,
        notes: ["Go code that webrpc generates sends it as `{}`"],
        help: "use `timestamp` directly if webrpc generates Go from this contract",
      },
  ),

  // webrpc knows neither key, so it uses the name of the field.
  "webrpc-field": inNodes(["fields"], ({ syntax }) => {
    const { name } = syntax;
    const wire = findMetadata(syntax, "jsonName");
    const notes = [
      `code that webrpc generates uses the JSON name \`${name.text}\``,
    ];
    if (isExtra(syntax)) {
      return {
        at: findMetadata(syntax, "extra")?.key ?? name,
        message: `\`${name.text}\` collects extra members`,
        notes,
        help: "if code of webrpc also reads or writes this struct, declare the members as fields",
      };
    }
    return (
      wire !== undefined &&
      findMetadata(syntax, "go.tag.json") === undefined && {
        at: wire.key,
        message: `\`${name.text}\` has the JSON name \`${wire.value.text}\``,
        notes,
        help: `for webrpc's Go code, add \`+ go.tag.json = "${wire.value.text}"\``,
      }
    );
  }),
} satisfies LintRules;

function isUnsafe(
  { type, limits }: TypePlace,
  int64: LintSettings["int64"],
): boolean {
  if (type.kind !== "name" || !/^u?int(64)?$/.test(type.name.text))
    return false;
  // The setting does not affect `int` and `uint`.
  if (int64 === "bigint" && type.name.text.endsWith("64")) return false;
  const hasUpper =
    (limits.get("maximum") ?? Infinity) <= Number.MAX_SAFE_INTEGER;
  const hasLower =
    type.name.text.startsWith("u") ||
    (limits.get("minimum") ?? -Infinity) >= Number.MIN_SAFE_INTEGER;
  return !hasUpper || !hasLower;
}

function reportUnsafe(place: TypePlace): Finding {
  const { type, document, owner } = place;
  const name = type.kind === "name" ? type.name.text : "";
  const isOutermost = canHaveLimit(place);
  const limits = name.startsWith("u")
    ? "`+ maximum = 9007199254740991`"
    : "`+ minimum = -9007199254740991` and `+ maximum = 9007199254740991`";
  // The setting affects only `int64` and `uint64`.
  const otherWay = name.endsWith("64")
    ? ", or set `int64: bigint` in the configuration"
    : "";
  return {
    document,
    at: type,
    message: `\`${owner.name.text}\` allows 64-bit integers, but a JavaScript number cannot represent all of them`,
    notes: ["values beyond 9007199254740991 are rejected rather than rounded"],
    help: `${isOutermost ? "add" : "declare a `type` for it with"} ${limits}${otherWay}`,
  };
}

const moments: ReadonlySet<string> = new Set([
  "at",
  "date",
  "time",
  "timestamp",
]);

function hasObjects(
  { syntax, document }: Declared<TypeExpression>,
  program: Program,
): boolean {
  const list = resolveType(program, document, syntax);
  if (list?.kind !== "list") return false;
  return canBeObject(
    { syntax: list.element, document: list.document },
    program,
  );
}

/** Whether values of a type, or of one of its variants, have parts. */
function canBeObject(
  { syntax, document }: Declared<TypeExpression>,
  program: Program,
  visited = new Set<TypeExpression>(),
): boolean {
  // A union can contain itself.
  if (visited.has(syntax)) return false;
  visited.add(syntax);
  const type = resolveType(program, document, syntax);
  switch (type?.kind) {
    case "scalar":
      return type.name === "any";
    case "union": {
      const { document: place, syntax: union } = type.declared;
      return (
        union.kind === "alias" &&
        variantsOf(union).some((variant) =>
          canBeObject(
            { syntax: variant.type, document: place },
            program,
            visited,
          ),
        )
      );
    }
    case "list":
    case "map":
    case "struct":
      return true;
    case "enum":
    case undefined:
      return false;
  }
}

const secrets = [
  ..."password passphrase passcode secret mnemonic cvv pin otp".split(" "),
  "api key",
  "access token",
  "refresh token",
  "private key",
  "seed phrase",
];

/** Whether a type itself states whether its values are sensitive. */
function isSensitive(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
): boolean {
  return namesIn(type).some(({ text }) => {
    const alias = findType(program, document, text);
    if (alias?.syntax.kind !== "alias") return false;
    return (
      metadataValue(alias.syntax, "sensitive") !== undefined ||
      isSensitive(program, alias.document, alias.syntax.type)
    );
  });
}

function isSecret(name: string): boolean {
  const words = wordsOf(name).join(" ");
  return secrets.some(
    (secret) => words === secret || words.endsWith(` ${secret}`),
  );
}
