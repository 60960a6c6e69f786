import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";
import { readSuppressions } from "../facts/suppressions.js";

/** Whoever reads a silenced finding wants to know why it is none. */
export const suppressionReason: LintRule = {
  code: "suppression-reason",
  category: "minimal",
  find: (program) =>
    readSuppressions(program)
      .filter(({ code, reason }) => code !== "" && reason === "")
      .map(({ code, codeSpan, document }) => ({
        location: locate(document, { span: codeSpan }),
        message: `\`${code}\` is silenced without a reason`,
        help: `write it behind: \`#! ridl-ignore ${code} …\``,
      })),
};
