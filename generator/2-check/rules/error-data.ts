import type {
  AliasDeclaration,
  Argument,
  Field,
  Message,
  Metadata,
  StructDeclaration,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { listNames } from "../../diagnostics/names.js";
import type { ErrorRole } from "../../ir/contract.js";
import { errorRoles } from "../../ir/errors-of.js";
import { scalars } from "../../ir/scalars.js";
import {
  anyStatusKey,
  dataKey,
  listErrorsWithData,
} from "../notation/error-data.js";
import { findMetadata, isExtra, metadataValue } from "../notation/metadata.js";
import { limitsOf } from "../program/constraints.js";
import {
  enumOf,
  errorBodiesIn,
  errorBodyKey,
  findErrorMembers,
  roleOf,
  structOf,
} from "../program/error-members.js";
import type { Declared, Program, Scope } from "../program/program.js";
import { findType } from "../program/reach.js";
import { resolveType, type ResolvedType } from "../program/resolve-type.js";
import { describeUnknownError, didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  type Finding,
  inNodes,
  locate,
  type NodeFinding,
  relate,
} from "../report/finding.js";
import { findErrorHeaderFault } from "./rest-headers.js";
import type { CheckRules } from "./rule.js";

/** Rules about the data of errors, which can be their whole body. */
export const errorDataRules = {
  "invalid-error-data": inNodes(["aliases"], (node, program) => {
    const names = listErrorsWithData(node.syntax);
    const scope = program.scopes.get(node.document.path);
    const anyStatus = findMetadata(node.syntax, anyStatusKey);
    if (names === null && anyStatus !== undefined) {
      return {
        at: anyStatus.key,
        message: `\`${anyStatusKey}\` is only possible beside \`${dataKey}\``,
        help: `name the error, as in \`+ ${dataKey} = Failed\``,
      };
    }
    if (names === null || scope === undefined) return false;
    const value = findMetadata(node.syntax, dataKey)?.value;
    if (names.length === 0 && value !== undefined) {
      return {
        at: value,
        message: `\`${dataKey}\` does not name an error`,
        help: `write it like \`+ ${dataKey} = NotFound\``,
      };
    }
    return [
      ...names.flatMap((name) => findNameFault(name, node, scope) ?? []),
      ...findTypeFaults(node, program),
    ];
  }),

  "duplicate-error-data": ({ nodes }) => {
    const named = nodes.aliases.flatMap(({ syntax, document }) =>
      (listErrorsWithData(syntax) ?? []).map((name) => ({ name, document })),
    );
    return findDuplicates(named, ({ name }) => name.text).map(
      ({ again, first }) => ({
        document: again.document,
        at: again.name,
        message: `error \`${again.name.text}\` has two types of data`,
        related: [relate(first, first.name, "first given here")],
        help: "remove one of them",
      }),
    );
  },

  "invalid-error-body": (program) => [
    ...program.nodes.aliases.flatMap((alias) => {
      const isBody = findMetadata(alias.syntax, errorBodyKey) !== undefined;
      const isData = findMetadata(alias.syntax, dataKey) !== undefined;
      return [
        ...(isBody ? findBodyFaults(alias, program) : []),
        ...(isBody || isData ? findRoleFaults(alias, program) : []),
      ];
    }),
    ...findSharedErrors(program),
  ],

  "invalid-error-role": inNodes(["fields"], (field, program) => {
    const value = findMetadata(field.syntax, "error")?.value;
    if (value === undefined) return false;
    const role = roleOf(field.syntax);
    if (role === null) {
      return {
        at: value,
        message: `\`${value.text}\` is not a part of an error`,
        notes: [`the parts of an error are ${listNames(errorRoles, "and")}`],
        ...didYouMean(value.text, errorRoles, locate(field.document, value)),
      };
    }
    return findRoleFault(field, role, program);
  }),

  "invalid-error-header": (program) => {
    const { arguments: inputs, fields } = program.nodes;
    const placed = [...fields, ...inputs].flatMap(
      ({ document, syntax, owner }) => {
        const header = findMetadata(syntax, "header");
        return header === undefined ? [] : { document, syntax, owner, header };
      },
    );
    if (placed.length === 0) return [];
    const structs = findDataStructs(program);
    return placed.flatMap((field): readonly Finding[] => {
      const fault = findHeaderFault(field, structs, program);
      return fault === null ? [] : [{ document: field.document, ...fault }];
    });
  },
} satisfies CheckRules;

const jsonType = /^application\/(?:[\w!#$&^.-]+\+)?json$/iu;

function findBodyFaults(
  alias: Declared<AliasDeclaration>,
  program: Program,
): readonly Finding[] {
  const { document, syntax } = alias;
  const value = findMetadata(syntax, errorBodyKey)?.value ?? syntax.name;
  const scope = program.scopes.get(document.path);
  const type = resolveType(program, document, syntax.type);
  const struct = structOf(type);
  const findings: Finding[] = [];
  if (!jsonType.test(value.text)) {
    findings.push({
      document,
      at: value,
      message: `\`${value.text}\` is not a media type of JSON`,
      help: `write \`+ ${errorBodyKey} = "application/json"\`, or \`"application/problem+json"\``,
    });
  }
  const [first] = scope === undefined ? [] : errorBodiesIn(scope);
  if (first !== undefined && first.syntax !== syntax) {
    findings.push({
      document,
      at: syntax.name,
      message: `the errors of a host have one body, but \`${first.syntax.name.text}\` and \`${syntax.name.text}\` are declared`,
      related: [relate(first, first.syntax.name, "the other one is here")],
      help: `remove one, or give single errors their own with \`+ ${dataKey}\``,
    });
  }
  if (struct === null) {
    if (type === null) return findings;
    return [
      ...findings,
      {
        document,
        at: syntax.type,
        message: `the body of an error must be a struct, but \`${syntax.name.text}\` is not`,
      },
    ];
  }
  const { unfilled } = findErrorMembers(program, struct);
  return [
    ...findings,
    ...unfilled.map((field): Finding => ({
      document,
      at: syntax.type,
      message: `errors that servers create have no value for the field \`${field.syntax.name.text}\``,
      related: [relate(field, field.syntax.name, "it is required")],
      notes: [
        "servers create errors for invalid requests, credentials, limits and unknown paths",
      ],
      help: "make it optional, or name the part of the error that it contains, e.g. `+ error = message`",
    })),
  ];
}

/**
 * Reports hosts with different bodies that share an error. The error has one
 * class, and thus one type of data.
 */
function findSharedErrors(program: Program): readonly Finding[] {
  const { hosts, nodes, scopes } = program;
  const bodies = hosts.flatMap(({ document, services }) => {
    const [alias] = errorBodiesIn(scopes.get(document.path) ?? { types: [] });
    if (alias === undefined) return [];
    const type = resolveType(program, alias.document, alias.syntax.type);
    const documents = [document, ...services.map((each) => each.document)];
    const errors = documents.flatMap(
      ({ path }) => scopes.get(path)?.errors ?? [],
    );
    const names = new Set(errors.map(({ syntax }) => syntax.name.text));
    return { alias, names, struct: structOf(type)?.syntax };
  });
  if (bodies.length < 2) return [];
  const withData = new Set(
    nodes.aliases
      .flatMap(({ syntax }) => listErrorsWithData(syntax) ?? [])
      .map(({ text }) => text),
  );
  return bodies.flatMap(({ alias, names, struct }, index) => {
    const shared = [...names].filter((name) => !withData.has(name));
    const before = bodies
      .slice(0, index)
      .filter((body) => body.struct !== struct)
      .flatMap((body) => {
        const name = shared.find((each) => body.names.has(each));
        return name === undefined ? [] : { first: body.alias, name };
      });
    return before.slice(0, 1).map(({ first, name }): Finding => ({
      document: alias.document,
      at: alias.syntax.name,
      message: `error \`${name}\` of two hosts has two bodies, \`${first.syntax.name.text}\` and \`${alias.syntax.name.text}\``,
      related: [relate(first, first.syntax.name, "the other one is here")],
      help: "import one body in both documents, or give the errors different names",
    }));
  });
}

/** Reports two fields with the same role, and misspelled names of errors. */
function findRoleFaults(
  { document, syntax }: Declared<AliasDeclaration>,
  program: Program,
): readonly Finding[] {
  const struct = structOf(resolveType(program, document, syntax.type));
  if (struct === null) return [];
  const { found } = findErrorMembers(program, struct);
  const duplicates = findDuplicates(found, ({ member }) => member.role);
  return [
    ...duplicates.map(({ again, first }) => ({
      document: again.field.document,
      at: again.field.syntax.name,
      message: `two fields of an error's body contain its ${first.member.role ?? ""}`,
      related: [
        relate(first.field, first.field.syntax.name, "the other one is here"),
      ],
      help: "remove `+ error` from one of them",
    })),
    ...found.flatMap(({ field, member }) =>
      member.names === null
        ? []
        : findMisspelled(field, document.path, program),
    ),
  ];
}

/** Reports members of an enum that resemble the name of an error. */
function findMisspelled(
  { document, syntax }: Declared<Field>,
  path: string,
  program: Program,
): readonly Finding[] {
  const errors = program.scopes.get(path)?.errorsByName;
  const type = resolveType(program, document, syntax.type);
  const values = enumOf(program, document, syntax, type);
  if (errors === undefined || values === null) return [];
  return values.syntax.members.flatMap(({ name }): readonly Finding[] => {
    if (errors.has(name.text)) return [];
    const place = locate(values.document, name);
    const suggestion = didYouMean(name.text, errors.keys(), place);
    if (suggestion.help === undefined) return [];
    return [
      {
        document: values.document,
        at: name,
        severity: "warning",
        message: `no error is named \`${name.text}\`, so this value is never sent`,
        ...suggestion,
      },
    ];
  });
}

function findRoleFault(
  { document, syntax }: Declared<Field>,
  role: ErrorRole,
  program: Program,
): NodeFinding | false {
  const type = resolveType(program, document, syntax.type);
  if (type === null) return false;
  const isEnum = enumOf(program, document, syntax, type) !== null;
  const isNamed = role === "name" || role === "code";
  if (isEnum ? !isNamed : !canContain(type, role)) {
    return {
      at: syntax.type,
      message: `the ${role} of an error must be ${expected[role]}`,
    };
  }
  const limit = limitsOf(program, { document, syntax })
    .flatMap((each) => Object.entries(each))
    .find(([key, value]) => !isHarmless(role, key, value));
  return (
    limit !== undefined && {
      at: syntax.name,
      message: `\`${syntax.name.text}\` contains the ${role} of every error, so it cannot have the limit \`${limit[0]}\``,
      help: "remove the limit",
    }
  );
}

const expected: Readonly<Record<ErrorRole, string>> = {
  name: "a `string` or an enum",
  code: "an `int32`, `int64`, `int`, `string` or an enum",
  message: "a `string`",
  title: "a `string`",
  status: "an integer of at least 16 bits, or a `string`",
  cause: "a `string`",
};

function canContain(type: ResolvedType, role: ErrorRole): boolean {
  if (type.kind !== "scalar") return false;
  if (type.name === "string") return true;
  const { range, wire } = scalars[type.name];
  if (range === null || wire !== "number") return false;
  if (role === "status") return range[1] > 599n;
  // Codes of built-in errors are negative.
  return role === "code" && range[0] < -599n && range[1] > 65_535n;
}

function isHarmless(role: ErrorRole, key: string, value: unknown): boolean {
  if (key === "example") return true;
  if (role !== "status") return false;
  return (
    (key === "minimum" && Number(value) <= 400) ||
    (key === "maximum" && Number(value) >= 599)
  );
}

/** A field or an argument with `+ header`. */
interface PlacedInHeader {
  readonly document: LoadedDocument;
  readonly syntax: Field | Argument;
  readonly owner: StructDeclaration | Message;
  readonly header: Metadata;
}

/** The structs that are the data of errors, and where else each one is used. */
type DataStructs = ReadonlyMap<
  StructDeclaration | Message,
  { readonly use: Declared<Word | TypeExpression> | null }
>;

function findDataStructs(program: Program): DataStructs {
  const { aliases, messages, typeExpressions } = program.nodes;
  const data = aliases.filter(
    ({ syntax }) =>
      findMetadata(syntax, errorBodyKey) ?? findMetadata(syntax, dataKey),
  );
  const own = new Set(data.map(({ syntax }) => syntax.type));
  const others = new Map<unknown, Declared<Word | TypeExpression>>();
  for (const { document, syntax } of typeExpressions) {
    const struct = structOf(resolveType(program, document, syntax));
    if (struct !== null && !own.has(syntax))
      others.set(struct.syntax, { document, syntax });
  }
  for (const { document, syntax } of messages) {
    const name = syntax.succinct;
    const type = name && findType(program, document, name.text);
    if (name && type) others.set(type.syntax, { document, syntax: name });
  }
  return new Map(
    data.flatMap(({ document, syntax }) => {
      const struct = structOf(resolveType(program, document, syntax.type));
      if (struct === null) return [];
      const use = others.get(struct.syntax) ?? null;
      return [[struct.syntax, { use }] as const];
    }),
  );
}

/** Returns the problem with a field in a header, or null. */
function findHeaderFault(
  { document, header, owner, syntax }: PlacedInHeader,
  structs: DataStructs,
  program: Program,
): NodeFinding | null {
  const name = syntax.name.text;
  const used = structs.get(owner);
  if (owner.kind === "message" || used === undefined) {
    return {
      at: header.key,
      message: `\`${name}\` is in a header, but is not in the data of an error`,
      help: "for other headers, annotate a method with `@requestHeaders` or `@responseHeaders`",
    };
  }
  if (used.use !== null) {
    const { use } = used;
    return {
      at: header.key,
      message: `\`${name}\` is in a header of an error, but \`${owner.name.text}\` is not only the data of errors`,
      related: [relate(use, use.syntax, "it is also used here")],
      help: "declare another struct for the data of errors",
    };
  }
  if (isExtra(syntax)) {
    const message = `\`${name}\` collects extra members and cannot be a header`;
    return { at: header.key, message };
  }
  if (metadataValue(syntax, "nullable") === "true") {
    const message = `\`${name}\` can be null and cannot be a header`;
    return { at: header.key, message };
  }
  if (syntax.kind === "field" && roleOf(syntax) !== null) {
    const message = `\`${name}\` contains a part of the error and cannot be a header`;
    return { at: header.key, message };
  }
  const keyOf = ({ value }: Metadata): string => value.text.toLowerCase();
  const first = owner.fields
    .flatMap((field) => findMetadata(field, "header") ?? [])
    .find((each) => keyOf(each) === keyOf(header));
  if (first !== undefined && first !== header) {
    return {
      at: header.value,
      message: `two fields are in the header \`${header.value.text}\``,
      related: [{ at: first.value, label: "the other one is here" }],
      help: "remove one of them",
    };
  }
  const fault = findErrorHeaderFault(
    header.value.text,
    { document, syntax },
    program,
  );
  return fault && { at: header.value, ...fault };
}

function findNameFault(
  name: Word,
  { document }: Declared<AliasDeclaration>,
  { errorsByName, isComplete }: Scope,
): NodeFinding | null {
  const error = errorsByName.get(name.text);
  if (error === undefined) {
    if (!isComplete) return null;
    const suggestion = name.text.startsWith("Webrpc")
      ? { help: "remove it: built-in errors carry no data" }
      : didYouMean(name.text, errorsByName.keys(), locate(document, name));
    return { at: name, ...describeUnknownError(name.text, suggestion, "") };
  }
  if (error.document === document) return null;
  return {
    at: name,
    message: `error \`${name.text}\` is declared in another document`,
    related: [relate(error, error.syntax.name, "declared here")],
    help: "declare the data of an error in the same document as the error",
  };
}

function findTypeFaults(
  { document, syntax }: Declared<AliasDeclaration>,
  program: Program,
): readonly NodeFinding[] {
  const type = resolveType(program, document, syntax.type);
  if (type === null || structOf(type) !== null) return [];
  return [
    {
      at: syntax.type,
      message: `the data of an error must be a struct, but \`${syntax.name.text}\` is not`,
      help: "declare a struct with the data as a field",
    },
  ];
}
