import {
  type Edge,
  printCycle,
  walkGraph,
} from "../../2-check/program/graph.js";
import { fieldsOf } from "../../2-check/program/messages.js";
import type { DeclaredType, Program } from "../../2-check/program/program.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { type Finding, inNodes, relate } from "../../2-check/report/finding.js";
import { wordsOf } from "../facts/casing.js";
import { type RequestPart, findRequestParts } from "../facts/requests.js";
import type { TypePlace } from "../facts/type-places.js";
import type { LintRules } from "./rule.js";

/**
 * Rules about the size of messages, because callers decide how much they send.
 */
export const requestRules = {
  "unbounded-list": (program) => {
    const trails = new Set(findRequestParts(program).map(({ trail }) => trail));
    // The loop also visits trails that it adds to the set. It visits each
    // shared trail once.
    for (const { inner } of trails) if (inner !== null) trails.add(inner);
    const unbounded = [...trails]
      .map(({ place }) => place)
      .filter((place) => isUnbounded(place, program));
    // An alias occurs once for each of its uses.
    const byType = new Map(unbounded.map((place) => [place.type, place]));
    return [...byType.values()].map(reportUnbounded);
  },

  "unbounded-recursion": (program) => {
    const edges = new Map<DeclaredType, Edge<DeclaredType, RequestPart>[]>();
    for (const part of findRequestParts(program)) {
      const from = part.struct;
      const to = part.trail.end;
      if (from === null || to === null) continue;
      const known = edges.get(from);
      if (known === undefined) edges.set(from, [{ from, to, via: part }]);
      else known.push({ from, to, via: part });
    }
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
        help: "send a flat list whose entries refer to their parents, or, if the server's `maxDepth` is enough, add `#! ridl-ignore unbounded-recursion <reason>`",
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

function reportUnbounded({ type, document, owner }: TypePlace): Finding {
  const [kind, limit] =
    type.kind === "list" ? ["list", "maxItems"] : ["map", "maxProperties"];
  const isOutermost = owner.type === type && owner.kind !== "argument";
  return {
    document,
    at: type,
    message: `a request can contain any number of entries in this ${kind} of \`${owner.name.text}\``,
    help: isOutermost
      ? `add \`+ ${limit} = …\``
      : `declare a \`type\` for the ${kind}, with \`+ ${limit} = …\``,
  };
}

const listing: ReadonlySet<string> = new Set(["list", "search", "find"]);
const paging: ReadonlySet<string> = new Set(
  "page pagination paging cursor limit offset after".split(" "),
);
