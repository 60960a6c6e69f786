import type { Argument } from "../../1-parse/ast.js";
import { findMetadata } from "../notation/metadata.js";
import { inNodes, type NodeFinding } from "../report/finding.js";
import {
  findAmbiguousTags,
  findAmbiguousVariants,
} from "./ambiguous-variants.js";
import { findInfiniteUnions } from "./infinite-unions.js";
import type { CheckRules } from "./rule.js";
import { checkStructUnion } from "./struct-unions.js";
import { checkUnion } from "./type-unions.js";

/** Rules about unions. */
export const unionRules = {
  "invalid-union": (program) => [
    ...inNodes(["aliases"], checkUnion)(program),
    ...inNodes(["structs"], checkStructUnion)(program),
    ...inNodes(["arguments"], ({ syntax }) => checkArgument(syntax))(program),
  ],

  "ambiguous-variants": (program) => [
    ...inNodes(["aliases"], findAmbiguousVariants)(program),
    ...inNodes(["structs"], findAmbiguousTags)(program),
  ],

  "infinite-union": findInfiniteUnions,
} satisfies CheckRules;

function checkArgument(argument: Argument): readonly NodeFinding[] {
  return ["oneOf", "tag", "open", "choice"].flatMap((name) => {
    const entry = findMetadata(argument, name);
    return entry === undefined
      ? []
      : {
          at: entry.key,
          message: `\`${name}\` is not allowed on an argument`,
          help: "declare a `type` for the union",
        };
  });
}
