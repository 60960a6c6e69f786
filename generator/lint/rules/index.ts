import { commentEnum } from "./comment-enum.js";
import { commentEnumValue } from "./comment-enum-value.js";
import { commentError } from "./comment-error.js";
import { commentField } from "./comment-field.js";
import { commentMethod } from "./comment-method.js";
import { commentService } from "./comment-service.js";
import { commentType } from "./comment-type.js";
import { deprecatedUsed } from "./deprecated-used.js";
import { enumValueCase } from "./enum-value-case.js";
import { enumZeroValue } from "./enum-zero-value.js";
import { errorCodeRange } from "./error-code-range.js";
import { errorHttpStatusExplicit } from "./error-http-status-explicit.js";
import { errorMessageStyle } from "./error-message-style.js";
import { errorUnused } from "./error-unused.js";
import { fieldCamelCase } from "./field-camel-case.js";
import { importUsed } from "./import-used.js";
import { int64Unsafe } from "./int64-unsafe.js";
import { methodPascalCase } from "./method-pascal-case.js";
import { methodSuccinct } from "./method-succinct.js";
import { paginatedMissing } from "./paginated-missing.js";
import { methodVerb } from "./method-verb.js";
import { patternAnchored } from "./pattern-anchored.js";
import { patternLength } from "./pattern-length.js";
import { patternRedos } from "./pattern-redos.js";
import { requestResponseUnique } from "./request-response-unique.js";
import { requestStandardName } from "./request-standard-name.js";
import { reservedWord } from "./reserved-word.js";
import { responseStandardName } from "./response-standard-name.js";
import { sensitiveMissing } from "./sensitive-missing.js";
import { servicePascalCase } from "./service-pascal-case.js";
import { shouldUseTimestamp } from "./should-use-timestamp.js";
import { stutteredName } from "./stuttered-name.js";
import { suppressionReason } from "./suppression-reason.js";
import { suppressionUnknown } from "./suppression-unknown.js";
import { timestampAlias } from "./timestamp-alias.js";
import { typePascalCase } from "./type-pascal-case.js";
import { typeUnused } from "./type-unused.js";
import { unboundedList } from "./unbounded-list.js";
import { unboundedRecursion } from "./unbounded-recursion.js";
import { uniqueItemsOnObjects } from "./unique-items-on-objects.js";
import type { LintRule } from "./rule.js";

/** Every rule that looks at a program, by category. */
export const lintRules: readonly LintRule[] = [
  deprecatedUsed,
  importUsed,
  reservedWord,
  suppressionReason,
  suppressionUnknown,
  int64Unsafe,
  patternAnchored,
  patternLength,
  patternRedos,
  unboundedList,
  unboundedRecursion,
  enumValueCase,
  enumZeroValue,
  errorCodeRange,
  errorHttpStatusExplicit,
  errorMessageStyle,
  errorUnused,
  fieldCamelCase,
  methodPascalCase,
  methodSuccinct,
  requestResponseUnique,
  requestStandardName,
  responseStandardName,
  servicePascalCase,
  timestampAlias,
  typePascalCase,
  typeUnused,
  uniqueItemsOnObjects,
  commentEnum,
  commentEnumValue,
  commentError,
  commentField,
  commentMethod,
  commentService,
  commentType,
  methodVerb,
  paginatedMissing,
  sensitiveMissing,
  shouldUseTimestamp,
  stutteredName,
];
