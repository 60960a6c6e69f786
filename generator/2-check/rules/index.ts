import { aliasCycle } from "./alias-cycle.js";
import { clientStream } from "./client-stream.js";
import { conflictingAnnotations } from "./conflicting-annotations.js";
import { contradictingConstraints } from "./contradicting-constraints.js";
import { deepNesting } from "./deep-nesting.js";
import { duplicateAnnotation } from "./duplicate-annotation.js";
import { duplicateArgument } from "./duplicate-argument.js";
import { duplicateBaseAddress } from "./duplicate-base-address.js";
import { duplicateCredential } from "./duplicate-credential.js";
import { duplicateEnumMember } from "./duplicate-enum-member.js";
import { duplicateEnumValue } from "./duplicate-enum-value.js";
import { duplicateErrorCode } from "./duplicate-error-code.js";
import { duplicateErrorName } from "./duplicate-error-name.js";
import { duplicateField } from "./duplicate-field.js";
import { duplicateHeader } from "./duplicate-header.js";
import { duplicateHost } from "./duplicate-host.js";
import { duplicateJsonName } from "./duplicate-json-name.js";
import { duplicateMetadata } from "./duplicate-metadata.js";
import { duplicateMethod } from "./duplicate-method.js";
import { duplicateRoute } from "./duplicate-route.js";
import { duplicateService } from "./duplicate-service.js";
import { duplicateType } from "./duplicate-type.js";
import { emptyErrorMessage } from "./empty-error-message.js";
import { emptyService } from "./empty-service.js";
import { infiniteStruct } from "./infinite-struct.js";
import { invalidAccept } from "./invalid-accept.js";
import { invalidArgumentName } from "./invalid-argument-name.js";
import { invalidBasepath } from "./invalid-basepath.js";
import { invalidBody } from "./invalid-body.js";
import { invalidCredential } from "./invalid-credential.js";
import { invalidEnumBase } from "./invalid-enum-base.js";
import { invalidEnumMemberName } from "./invalid-enum-member-name.js";
import { invalidEnumValue } from "./invalid-enum-value.js";
import { invalidErrorCode } from "./invalid-error-code.js";
import { invalidErrorName } from "./invalid-error-name.js";
import { invalidErrorStatus } from "./invalid-error-status.js";
import { invalidFieldName } from "./invalid-field-name.js";
import { invalidJsonName } from "./invalid-json-name.js";
import { invalidKnownValues } from "./invalid-known-values.js";
import { invalidMapKey } from "./invalid-map-key.js";
import { invalidMetadataValue } from "./invalid-metadata-value.js";
import { invalidMethodName } from "./invalid-method-name.js";
import { invalidPattern } from "./invalid-pattern.js";
import { invalidRestPath } from "./invalid-rest-path.js";
import { invalidServiceName } from "./invalid-service-name.js";
import { invalidSuccinct } from "./invalid-succinct.js";
import { invalidTypeName } from "./invalid-type-name.js";
import { misplacedConstraint } from "./misplaced-constraint.js";
import { misplacedFile } from "./misplaced-file.js";
import { misplacedKey } from "./misplaced-key.js";
import { missingVersion } from "./missing-version.js";
import { missingWebrpcHeader } from "./missing-webrpc-header.js";
import { mixedWebhookService } from "./mixed-webhook-service.js";
import { proxyMethod } from "./proxy-method.js";
import { unboundRequestField } from "./unbound-request-field.js";
import { unknownAnnotation } from "./unknown-annotation.js";
import { unknownCredential } from "./unknown-credential.js";
import { unknownError } from "./unknown-error.js";
import { unknownFormat } from "./unknown-format.js";
import { unknownImportMember } from "./unknown-import-member.js";
import { unknownMetadata } from "./unknown-metadata.js";
import { unknownOrigin } from "./unknown-origin.js";
import { unknownType } from "./unknown-type.js";
import { unsupportedWebrpcVersion } from "./unsupported-webrpc-version.js";
import type { Rule } from "./rule.js";

/** Every rule, in the order in which they are applied. */
export const rules: readonly Rule[] = [
  missingWebrpcHeader,
  unsupportedWebrpcVersion,
  duplicateHeader,
  missingVersion,
  invalidBasepath,
  unknownImportMember,
  duplicateHost,
  duplicateBaseAddress,
  invalidTypeName,
  invalidFieldName,
  invalidArgumentName,
  invalidEnumMemberName,
  invalidMethodName,
  invalidServiceName,
  invalidErrorName,
  invalidJsonName,
  duplicateType,
  duplicateField,
  duplicateJsonName,
  duplicateEnumMember,
  duplicateEnumValue,
  duplicateService,
  duplicateMethod,
  duplicateArgument,
  duplicateErrorName,
  duplicateErrorCode,
  duplicateAnnotation,
  duplicateMetadata,
  invalidEnumBase,
  invalidEnumValue,
  invalidErrorCode,
  invalidErrorStatus,
  emptyErrorMessage,
  unknownType,
  invalidMapKey,
  aliasCycle,
  deepNesting,
  infiniteStruct,
  misplacedFile,
  emptyService,
  invalidSuccinct,
  unknownError,
  clientStream,
  proxyMethod,
  unknownOrigin,
  unknownMetadata,
  misplacedKey,
  invalidMetadataValue,
  misplacedConstraint,
  contradictingConstraints,
  invalidPattern,
  unknownFormat,
  invalidKnownValues,
  invalidAccept,
  unknownAnnotation,
  invalidCredential,
  duplicateCredential,
  unknownCredential,
  invalidRestPath,
  unboundRequestField,
  invalidBody,
  duplicateRoute,
  mixedWebhookService,
  conflictingAnnotations,
];
