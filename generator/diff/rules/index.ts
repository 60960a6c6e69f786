import type { BreakingRule } from "../rule.js";
import { basepathSame } from "./basepath-same.js";
import { constraintPatternChanged } from "./constraint-pattern-changed.js";
import { constraintRequestNoTighten } from "./constraint-request-no-tighten.js";
import { constraintResponseNoLoosen } from "./constraint-response-no-loosen.js";
import { credentialSameHeader } from "./credential-same-header.js";
import { deprecatedBeforeDelete } from "./deprecated-before-delete.js";
import { enumValueAdded } from "./enum-value-added.js";
import { enumValueNoDelete } from "./enum-value-no-delete.js";
import { enumValueSameJson } from "./enum-value-same-json.js";
import { errorCodeNoReuse } from "./error-code-no-reuse.js";
import { errorNoDelete } from "./error-no-delete.js";
import { errorSameCode } from "./error-same-code.js";
import { errorSameStatus } from "./error-same-status.js";
import { fieldNumericNarrowed } from "./field-numeric-narrowed.js";
import { fieldSameJsonKind } from "./field-same-json-kind.js";
import { fieldSameJsonName } from "./field-same-json-name.js";
import { fieldSameType } from "./field-same-type.js";
import { methodAdded } from "./method-added.js";
import { methodCredentialsNoAdd } from "./method-credentials-no-add.js";
import { methodErrorNoAdd } from "./method-error-no-add.js";
import { methodErrorNoDelete } from "./method-error-no-delete.js";
import { methodNoDelete } from "./method-no-delete.js";
import { methodSafetyNoWeaken } from "./method-safety-no-weaken.js";
import { methodSameForm } from "./method-same-form.js";
import { methodSameRoute } from "./method-same-route.js";
import { methodSameStream } from "./method-same-stream.js";
import { requestFieldNoAddRequired } from "./request-field-no-add-required.js";
import { requestFieldNoDelete } from "./request-field-no-delete.js";
import { requestFieldNoForbidNull } from "./request-field-no-forbid-null.js";
import { requestFieldOptionalToRequired } from "./request-field-optional-to-required.js";
import { requestFieldRequiredToOptional } from "./request-field-required-to-optional.js";
import { responseFieldAddRequired } from "./response-field-add-required.js";
import { responseFieldNoAllowNull } from "./response-field-no-allow-null.js";
import { responseFieldNoDelete } from "./response-field-no-delete.js";
import { responseFieldOptionalToRequired } from "./response-field-optional-to-required.js";
import { responseFieldRequiredToOptional } from "./response-field-required-to-optional.js";
import { serviceNoDelete } from "./service-no-delete.js";
import { typeNoDelete } from "./type-no-delete.js";
import { typeSameKind } from "./type-same-kind.js";

/** Every rule: what is largest first. */
export const breakingRules: readonly BreakingRule[] = [
  basepathSame,
  serviceNoDelete,
  methodNoDelete,
  methodAdded,
  methodSameRoute,
  methodSameStream,
  methodSameForm,
  methodSafetyNoWeaken,
  methodCredentialsNoAdd,
  credentialSameHeader,
  methodErrorNoAdd,
  methodErrorNoDelete,
  requestFieldNoAddRequired,
  requestFieldOptionalToRequired,
  requestFieldRequiredToOptional,
  requestFieldNoDelete,
  requestFieldNoForbidNull,
  responseFieldNoDelete,
  responseFieldRequiredToOptional,
  responseFieldOptionalToRequired,
  responseFieldAddRequired,
  responseFieldNoAllowNull,
  fieldSameJsonName,
  fieldSameJsonKind,
  fieldSameType,
  fieldNumericNarrowed,
  enumValueNoDelete,
  enumValueAdded,
  enumValueSameJson,
  typeNoDelete,
  typeSameKind,
  errorNoDelete,
  errorSameCode,
  errorCodeNoReuse,
  errorSameStatus,
  constraintRequestNoTighten,
  constraintResponseNoLoosen,
  constraintPatternChanged,
  deprecatedBeforeDelete,
];
