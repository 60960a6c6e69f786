import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const LARGEST_CODE = 2 ** 31 - 1;

/** Codes of declared errors are positive; webrpc cuts larger ones silently. */
export const invalidErrorCode: Rule = ({ nodes }) =>
  nodes.errors.flatMap(({ syntax: { code }, document }) => {
    const value = Number(code.text);
    const isCode = Number.isInteger(value) && value > 0;
    if (code.text === "" || (isCode && value <= LARGEST_CODE)) return [];
    return reportError(
      "invalid-error-code",
      locate(document, code),
      `\`${code.text}\` cannot be the code of an error`,
      { notes: [`codes are integers from 1 to ${LARGEST_CODE}`] },
    );
  });
