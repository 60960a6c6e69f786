import type { TypeExpression } from "../../1-parse/ast.js";
import {
  type Edge,
  printCycle,
  walkGraph,
} from "../../2-check/program/graph.js";
import { fieldsOf } from "../../2-check/program/messages.js";
import type {
  DeclaredType,
  Program,
  Declared,
  TypeOwner,
} from "../../2-check/program/program.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { type Finding, inNodes, relate } from "../../2-check/report/finding.js";
import { wordsOf } from "../facts/casing.js";
import {
  type TypePlace,
  type TypeChain,
  canHaveLimit,
  followType,
  ownersIn,
} from "../facts/type-places.js";
import type { LintRules } from "./rule.js";
import { findAnnotation } from "../../2-check/notation/annotations.js";
import { jsonNameOf } from "../../2-check/notation/metadata.js";
import { findType } from "../../2-check/program/reach.js";
import { groupBy } from "../../ir/group-by.js";
import { rememberEach } from "../../ir/remember.js";
import { isScalarName } from "../../ir/scalars.js";

/**
 * Rules about the sizes of requests, which callers control, and of lists in
 * responses.
 */
export const requestRules = {
  "unbounded-list": (program) => {
    const trails = new Set(findRequestParts(program).map(({ trail }) => trail));
    // An alias occurs once for each of its uses.
    const unbounded = new Map<TypeExpression, TypePlace>();
    // The loop also visits trails that it adds to the set. It visits each
    // shared trail once.
    for (const { inner, place } of trails) {
      if (inner !== null) trails.add(inner);
      if (isUnbounded(place, program)) unbounded.set(place.type, place);
    }
    return [...unbounded.values()].map(reportUnbounded);
  },

  "unbounded-recursion": (program) => {
    const found = findRequestParts(program).flatMap(
      (via): Edge<DeclaredType, RequestPart> | [] => {
        const from = via.parent;
        const to = via.trail.end;
        return from === null || to === null ? [] : { from, to, via };
      },
    );
    const edges = groupBy(found, ({ from }) => from);
    const { cycles } = walkGraph(edges.keys(), (node) => edges.get(node) ?? []);
    return cycles.flatMap((cycle) => {
      const [first, ...rest] = cycle;
      if (first === undefined) return [];
      return {
        document: first.via.document,
        at: first.via.syntax.type,
        message: `a request can nest ${printCycle(cycle, ({ syntax }) => syntax.name.text)} to any depth`,
        related: rest.map(({ via }) =>
          relate(via, via.syntax.type, "continues here"),
        ),
        help: "send a flat list whose entries refer to their parents, or, if the server's `maxDepth` is a sufficient limit, add `#! ridl-ignore unbounded-recursion <reason>`",
      };
    });
  },

  "paginated-missing": inNodes(["methods"], ({ syntax, document }, program) => {
    const { input, name, output } = syntax;
    const [verb = ""] = wordsOf(name.text);
    if (!listing.has(verb) || output.isStream) return false;
    const hasList = fieldsOf(program, document, output).some(
      (field) =>
        resolveType(program, field.document, field.syntax.type)?.kind ===
        "list",
    );
    const hasPaging = fieldsOf(program, document, input).some((field) =>
      wordsOf(field.syntax.name.text).some((word) => paging.has(word)),
    );
    return (
      hasList &&
      !hasPaging && {
        at: name,
        message: `\`${name.text}\` returns an entire list`,
        help: "add a page, or a cursor and a limit, to the request",
      }
    );
  }),
} satisfies LintRules;

function isUnbounded(place: TypePlace, program: Program): boolean {
  const { type, document } = place;
  switch (type.kind) {
    case "name":
      return false;
    case "list": {
      const { element } = type;
      const isBytes =
        element.kind === "name" && /^(byte|uint8)$/.test(element.name.text);
      return !isBytes && !place.limits.has("maxItems");
    }
    case "map": {
      const scope = program.scopes.get(document.path);
      const key = type.key.kind === "name" ? type.key.name.text : "";
      const hasEnumKey = scope?.typesByName.get(key)?.syntax.kind === "enum";
      return !hasEnumKey && !place.limits.has("maxProperties");
    }
  }
}

function reportUnbounded(place: TypePlace): Finding {
  const { type, document, owner } = place;
  const [kind, limit] =
    type.kind === "list" ? ["list", "maxItems"] : ["map", "maxProperties"];
  const line = `\`+ ${limit} = …\``;
  const isOutermost = canHaveLimit(place);
  // An alias cannot be a list of files.
  const isFiles =
    type.kind === "list" &&
    type.element.kind === "name" &&
    type.element.name.text === "file";
  return {
    document,
    at: type,
    message: `the ${kind} in \`${owner.name.text}\` can contain any number of entries in a request`,
    help: isOutermost
      ? `add ${line}`
      : isFiles
        ? `move the arguments to a struct, and add ${line} to its field`
        : `declare a \`type\` for the ${kind}, with ${line}`,
  };
}

const listing: ReadonlySet<string> = new Set(["list", "search", "find"]);
const paging: ReadonlySet<string> = new Set(
  "page pagination paging cursor limit offset after".split(" "),
);

/** A field, argument or variant of requests that is not just a core type. */
interface RequestPart extends Declared<TypeOwner> {
  readonly trail: TypeChain;
  /** The struct or union that contains the part, or null for arguments. */
  readonly parent: DeclaredType | null;
}

/**
 * Everything that callers send to a server, except core types: arguments of
 * methods, fields of structs in requests, and variants. Webhooks are excluded,
 * because the host sends them.
 */
const findRequestParts = rememberEach(listRequestParts);

function listRequestParts(program: Program): readonly RequestPart[] {
  const parts: RequestPart[] = [];
  const parents = new Set<DeclaredType>();
  const addOne = (
    { syntax, document }: Declared<TypeOwner>,
    parent: DeclaredType | null,
  ): void => {
    const { type } = syntax;
    // Fast path: core types are neither lists nor structs.
    if (type.kind === "name" && isScalarName(type.name.text)) return;
    const trail = followType(program, document, syntax);
    parts.push({ syntax, document, trail, parent });
    if (trail.end !== null) parents.add(trail.end);
  };
  const add = (
    { syntax, document }: Declared<TypeOwner>,
    parent: DeclaredType | null,
  ): void => {
    for (const owner of ownersIn(syntax))
      addOne({ syntax: owner, document }, parent);
  };
  for (const { syntax: method, document } of program.nodes.methods) {
    if (findAnnotation(method, "webhook")) continue;
    const { arguments: given, succinct } = method.input;
    for (const syntax of given) add({ syntax, document }, null);
    const body = findType(program, document, succinct?.text);
    if (body) parents.add(body);
  }
  // The loop also visits types that it adds to the set.
  for (const parent of parents) {
    const { document, syntax } = parent;
    if (syntax.kind === "alias") add({ syntax, document }, parent);
    if (syntax.kind !== "struct") continue;
    for (const field of syntax.fields) {
      if (jsonNameOf(field) !== null) add({ syntax: field, document }, parent);
    }
  }
  return parts;
}
