import type { BreakingRule } from "../facts/rule.js";
import { basepathSame } from "./basepath-same.js";
import { constraintPatternChanged } from "./constraint-pattern-changed.js";
import { constraintRequestNoLoosen } from "./constraint-request-no-loosen.js";
import { constraintRequestNoTighten } from "./constraint-request-no-tighten.js";
import { constraintResponseNoLoosen } from "./constraint-response-no-loosen.js";
import { constraintResponseNoTighten } from "./constraint-response-no-tighten.js";
import { credentialSameError } from "./credential-same-error.js";
import { credentialSameHeader } from "./credential-same-header.js";
import { deprecatedBeforeDelete } from "./deprecated-before-delete.js";
import { enumMemberSameName } from "./enum-member-same-name.js";
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
import { fieldSameName } from "./field-same-name.js";
import { fieldSameType } from "./field-same-type.js";
import { hostSameName } from "./host-same-name.js";
import { methodAdded } from "./method-added.js";
import { methodCredentialsNoAdd } from "./method-credentials-no-add.js";
import { methodCredentialsNoDelete } from "./method-credentials-no-delete.js";
import { methodErrorNoAdd } from "./method-error-no-add.js";
import { methodErrorNoDelete } from "./method-error-no-delete.js";
import { methodNoDelete } from "./method-no-delete.js";
import { methodSafetyNoStrengthen } from "./method-safety-no-strengthen.js";
import { methodSafetyNoWeaken } from "./method-safety-no-weaken.js";
import { methodSameContent } from "./method-same-content.js";
import { methodSameForm } from "./method-same-form.js";
import { methodSameName } from "./method-same-name.js";
import { methodSameRoute } from "./method-same-route.js";
import { methodSameStream } from "./method-same-stream.js";
import { requestFieldAdded } from "./request-field-added.js";
import { requestFieldNoAddRequired } from "./request-field-no-add-required.js";
import { requestFieldNoAllowNull } from "./request-field-no-allow-null.js";
import { requestFieldNoDelete } from "./request-field-no-delete.js";
import { requestFieldNoForbidNull } from "./request-field-no-forbid-null.js";
import { requestFieldOptionalToRequired } from "./request-field-optional-to-required.js";
import { requestFieldRequiredToOptional } from "./request-field-required-to-optional.js";
import { responseFieldAddRequired } from "./response-field-add-required.js";
import { responseFieldNoAllowNull } from "./response-field-no-allow-null.js";
import { responseFieldNoDelete } from "./response-field-no-delete.js";
import { responseFieldNoForbidNull } from "./response-field-no-forbid-null.js";
import { responseFieldOptionalToRequired } from "./response-field-optional-to-required.js";
import { responseFieldRequiredToOptional } from "./response-field-required-to-optional.js";
import { routeNoShadow } from "./route-no-shadow.js";
import { serviceAdded } from "./service-added.js";
import { serviceNoDelete } from "./service-no-delete.js";
import { serviceSameName } from "./service-same-name.js";
import { typeNoDelete } from "./type-no-delete.js";
import { typeSameKind } from "./type-same-kind.js";
import { validationErrorSameName } from "./validation-error-same-name.js";
import { webhookSameEvents } from "./webhook-same-events.js";

/** Every rule: what is largest first. */
export const breakingRules: readonly BreakingRule[] = [
  hostSameName,
  basepathSame,
  serviceNoDelete,
  serviceAdded,
  serviceSameName,
  methodNoDelete,
  methodAdded,
  methodSameName,
  methodSameRoute,
  routeNoShadow,
  methodSameStream,
  methodSameContent,
  webhookSameEvents,
  methodSameForm,
  methodSafetyNoWeaken,
  methodSafetyNoStrengthen,
  methodCredentialsNoAdd,
  methodCredentialsNoDelete,
  credentialSameHeader,
  credentialSameError,
  methodErrorNoAdd,
  methodErrorNoDelete,
  requestFieldNoAddRequired,
  requestFieldAdded,
  requestFieldOptionalToRequired,
  requestFieldRequiredToOptional,
  requestFieldNoDelete,
  requestFieldNoForbidNull,
  requestFieldNoAllowNull,
  responseFieldNoDelete,
  responseFieldRequiredToOptional,
  responseFieldOptionalToRequired,
  responseFieldAddRequired,
  responseFieldNoAllowNull,
  responseFieldNoForbidNull,
  fieldSameJsonName,
  fieldSameName,
  fieldSameJsonKind,
  fieldSameType,
  fieldNumericNarrowed,
  enumValueNoDelete,
  enumValueAdded,
  enumValueSameJson,
  enumMemberSameName,
  typeNoDelete,
  typeSameKind,
  errorNoDelete,
  errorSameCode,
  errorCodeNoReuse,
  errorSameStatus,
  validationErrorSameName,
  constraintRequestNoTighten,
  constraintRequestNoLoosen,
  constraintResponseNoLoosen,
  constraintResponseNoTighten,
  constraintPatternChanged,
  deprecatedBeforeDelete,
];
