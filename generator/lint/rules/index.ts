import type { LintCode } from "../../diagnostics/catalog.js";
import { commentRules } from "./comments.js";
import { errorRules } from "./errors.js";
import { exampleRules } from "./examples.js";
import { limitRules } from "./limits.js";
import { methodRules } from "./methods.js";
import { nameRules } from "./names.js";
import { pagingRules } from "./paging.js";
import { patternRules } from "./patterns.js";
import { requestRules } from "./requests.js";
import type { LintRule } from "./rule.js";
import { suppressionRules } from "./suppressions.js";
import { usageRules } from "./usage.js";
import { valueRules } from "./values.js";
import { wordRules } from "./words.js";

/** Every rule about a single version of a contract, by code. */
export const lintRules: Readonly<
  Record<Exclude<LintCode, "suppression-unused">, LintRule>
> = {
  ...commentRules,
  ...errorRules,
  ...exampleRules,
  ...limitRules,
  ...methodRules,
  ...nameRules,
  ...pagingRules,
  ...patternRules,
  ...requestRules,
  ...suppressionRules,
  ...usageRules,
  ...valueRules,
  ...wordRules,
};

/**
 * Rules whose findings in a document depend on documents that it does not
 * import and that do not import it.
 */
export const contractWideLintRules: ReadonlySet<string> = new Set<
  keyof typeof lintRules
>([
  "error-unused",
  "import-used",
  "request-response-unique",
  "type-unused",
  "unknown-word",
]);

/**
 * Rules whose findings in a declaration depend on more than the declaration and
 * what its names refer to.
 */
export const documentWideLintRules: ReadonlySet<string> = new Set<
  keyof typeof lintRules
>([
  "suppression-reason",
  "suppression-unknown",
  "unbounded-list",
  "unbounded-recursion",
]);
