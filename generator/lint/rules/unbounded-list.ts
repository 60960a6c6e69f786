import { locate } from "../../2-check/report/report.js";
import type { Program } from "../../2-check/program/program.js";
import { findRequestParts } from "../facts/requests.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";
import type { TypePlace } from "../facts/type-places.js";
import { hasLimit } from "../facts/type-places.js";

/** Whoever sends a request decides how long its lists are. */
export const unboundedList: LintRule = {
  code: "unbounded-list",
  category: "security",
  find: (program) => {
    const parts = findRequestParts(program);
    const places = parts.flatMap((part) => part.places);
    const unbounded = places.filter((place) => isUnbounded(place, program));
    // An alias is met once for each of its uses.
    const byType = new Map(unbounded.map((place) => [place.type, place]));
    return [...byType.values()].map(explain);
  },
};

function isUnbounded(place: TypePlace, program: Program): boolean {
  const { type, document } = place;
  switch (type.kind) {
    case "name":
      return false;
    case "list": {
      const { element } = type;
      const isBytes =
        element.kind === "name" && /^(byte|uint8)$/.test(element.name.text);
      return !isBytes && !hasLimit(place, "maxItems");
    }
    case "map": {
      const scope = program.scopes.get(document.path);
      const key = type.key.kind === "name" ? type.key.name.text : "";
      const hasEnumKey = scope?.typesByName.get(key)?.syntax.kind === "enum";
      return !hasEnumKey && !hasLimit(place, "maxProperties");
    }
  }
}

function explain({ type, document, owner }: TypePlace): Finding {
  const [kind, limit] =
    type.kind === "list" ? ["list", "maxItems"] : ["map", "maxProperties"];
  const isOutermost = owner.type === type && owner.kind !== "argument";
  return {
    location: locate(document, type),
    message: `a request may have any number of entries in this ${kind} of \`${owner.name.text}\``,
    help: isOutermost
      ? `add \`+ ${limit} = …\``
      : `declare a \`type\` for the ${kind}, with \`+ ${limit} = …\``,
  };
}
