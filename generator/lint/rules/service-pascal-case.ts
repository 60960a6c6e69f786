import { locate } from "../../2-check/report/report.js";
import { isPascalCase, toPascalCase } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

/** Services are named `LikeThis`, or `v1/LikeThis`. */
export const servicePascalCase: LintRule = {
  code: "service-pascal-case",
  category: "standard",
  find: ({ nodes }) =>
    nodes.services.flatMap(({ syntax: { name }, document }) => {
      const slash = name.text.lastIndexOf("/") + 1;
      const own = name.text.slice(slash);
      if (isPascalCase(own)) return [];
      const better = name.text.slice(0, slash) + toPascalCase(own);
      return {
        location: locate(document, name),
        message: `service \`${name.text}\` is not in PascalCase`,
        help: `call it \`${better}\`; this changes its URL`,
      };
    }),
};
