import type { CheckCode } from "../../diagnostics/catalog.js";
import { credentialRules } from "./credentials.js";
import { deepNesting, typeRules, unknownType } from "./types.js";
import { documentRules } from "./documents.js";
import { enumRules } from "./enums.js";
import { errorDataRules } from "./error-data.js";
import { errorRules } from "./errors.js";
import { extraFieldRules } from "./extra-fields.js";
import { metadataRules } from "./metadata.js";
import { methodRules } from "./methods.js";
import { misplacedFile } from "./misplaced-file.js";
import { nameRules } from "./names.js";
import { repeatedCallRules } from "./repeated-calls.js";
import { restRules } from "./rest-methods.js";
import type { Rule } from "./rule.js";
import { unionRules } from "./unions.js";
import { valueRules } from "./values.js";

/** Codes of errors that are found before rules are applied. */
type EarlyCode = "import-cycle" | "missing-file";

/** Every rule, by code. TypeScript checks the codes against the catalog. */
export const checkRules: Readonly<Record<Exclude<CheckCode, EarlyCode>, Rule>> =
  {
    ...credentialRules,
    ...documentRules,
    ...enumRules,
    ...errorDataRules,
    ...errorRules,
    ...extraFieldRules,
    ...metadataRules,
    ...methodRules,
    ...nameRules,
    ...repeatedCallRules,
    ...restRules,
    ...typeRules,
    ...unionRules,
    ...valueRules,
    "deep-nesting": deepNesting,
    "misplaced-file": misplacedFile,
    "unknown-type": unknownType,
  };

/**
 * Rules whose findings in a document depend on documents that it does not
 * import. The findings of other rules depend only on the document and its
 * imports.
 */
export const contractWideRules: ReadonlySet<string> = new Set<
  keyof typeof checkRules
>([
  "conflicting-credential",
  "deep-nesting",
  "duplicate-credential",
  "duplicate-error-code",
  "duplicate-error-data",
  "duplicate-error-name",
  "duplicate-host",
  "duplicate-route",
  "duplicate-service",
  "duplicate-type",
  "invalid-error-body",
  "invalid-error-header",
  "invalid-request-headers",
  "misplaced-file",
  "unknown-annotation",
  "unknown-credential",
  "unknown-origin",
]);

/**
 * Rules whose findings in a declaration depend on the contents of other
 * declarations. Findings of other rules depend on the declaration and on what
 * its names refer to. Findings in a method also depend on the fields of its
 * messages.
 */
export const documentWideRules: ReadonlySet<string> = new Set<
  keyof typeof checkRules
>([
  "alias-cycle",
  "ambiguous-variants",
  "duplicate-base-address",
  "duplicate-header",
  "infinite-struct",
  "infinite-union",
  "invalid-error-data",
  "invalid-resume",
  "invalid-union",
  "missing-version",
  "missing-webrpc-header",
  "unknown-import-member",
]);
