import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** webrpc's Go generator gives such an alias no JSON form: servers send `{}`. */
export const timestampAlias: LintRule = {
  code: "timestamp-alias",
  category: "standard",
  find: ({ nodes }) =>
    nodes.aliases
      .filter(({ syntax: { type } }) => {
        return type.kind === "name" && type.name.text === "timestamp";
      })
      .map(({ syntax: { name, type }, document }) => ({
        location: locate(document, type),
        message: `\`${name.text}\` is an alias of \`timestamp\``,
        notes: ["Go code that webrpc generates sends it as `{}`"],
        help: "use `timestamp` itself where webrpc generates Go from this contract",
      })),
};
