import { type ErrorDefinition, RpcError } from "../errors.js";
import { type Failure, printFailures } from "../values/failure.js";

/** Fields of a request that do not fit; the cause tells all of them. */
export class RequestMisfit extends RpcError {
  readonly failures: readonly Failure[];

  constructor(definition: ErrorDefinition, failures: readonly Failure[]) {
    super(definition, { cause: printFailures(failures) });
    this.failures = failures;
  }
}
