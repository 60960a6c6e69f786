import type { ErrorDeclaration } from "../../generator/ir/contract.js";
import { errorsOf } from "../../generator/ir/errors-of.js";
import { isSuccess, successWith } from "../../generator/http/wire-of.js";
import type { CheckName } from "./checks.js";
import {
  dataIn,
  type Envelope,
  failureInLine,
  isTypescriptEnvelope,
  readEnvelope,
} from "./envelope.js";
import type {
  HostPlan,
  MethodPlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import type { TestedMethod } from "./tested-method.js";
import type { Reference } from "./reference.js";
import type { ReceivedResponse } from "./send.js";
import {
  describeOwnRefusal,
  hasOwnRefusals,
  ownRefusalOf,
} from "./own-refusals.js";

/** How a response violates the contract. */
export type MismatchKind =
  | "no-answer"
  | "accepted"
  | "refused-credentials"
  | "wrong-error"
  | "undeclared-error"
  | "undeclared-status"
  | "wrong-definition"
  | "no-envelope"
  | "typescript-envelope"
  | "no-allow"
  | "stack-trace"
  | "content-type"
  | "invalid-response"
  | "null-for-empty";

/** A response that violates the contract. */
export interface Mismatch {
  readonly kind: MismatchKind;
  /** The expected response, e.g. `400 InvalidArgument (isbn: got 7)`. */
  readonly expected: string;
  readonly received: string;
  /**
   * Name of the error that the server returned, or null for any other response.
   */
  readonly error: string | null;
  /**
   * Equal for mismatches of one cause, such as the body that a framework gives
   * to all errors. An empty text means that each case has a cause of its own.
   */
  readonly cause: string;
}

/** A request with its response and what the contract expects. */
export interface Exchange {
  readonly tested: TestedMethod;
  readonly check: CheckName;
  /** The reference's refusal, or null if the request reaches the handler. */
  readonly refusal: Envelope | null;
  /** The response, or why there is none. */
  readonly answer: ReceivedResponse | string;
}

/** Compares a response with the contract. Returns null if it is valid. */
export function findMismatch(
  exchange: Exchange,
  reference: Reference,
): Mismatch | null {
  const { answer, tested, refusal } = exchange;
  const expected =
    refusal === null
      ? describeValid(tested)
      : hasOwnRefusals(tested)
        ? `${describeOwnRefusal(exchange)}${describeCause(refusal)}`
        : describeRefusal(refusal);
  const find = (
    kind: MismatchKind,
    received: string,
    error: string | null = null,
    cause = received,
  ) => ({ kind, expected, received, error, cause });
  if (typeof answer === "string") return find("no-answer", answer);
  const isDeclared =
    successWith(tested.method.wire.response, answer.status) !== null;
  const isDone = isDeclared || isSuccess(answer.status);
  if (isDone && refusal !== null) {
    return find("accepted", describe(answer), null, "");
  }
  if (isDone && !isDeclared) {
    const text = `${describe(answer)}, which is not a status of the method`;
    return find("undeclared-status", text);
  }
  const fault = isDeclared
    ? findResponseMismatch(exchange, answer, reference)
    : findFailureMismatch(exchange, answer.text, answer, reference);
  return fault && find(fault.kind, fault.text, fault.error, fault.cause);
}

/** Describes an error for a valid message that refuses given credentials. */
export function describeRejection({ answer }: Exchange): Mismatch {
  return {
    kind: "refused-credentials",
    expected: "a response for a caller with the given credentials",
    received: typeof answer === "string" ? answer : describe(answer),
    error: null,
    cause: "",
  };
}

/** A mismatch, and text that explains it. */
interface FoundMismatch {
  readonly kind: MismatchKind;
  readonly text: string;
  /** Name of the error that the server returned. */
  readonly error?: string;
  /** Default: the text. */
  readonly cause?: string;
}

/**
 * Checks a failure: the body of a response, or the last line of a stream, for
 * which `answer.status` is the envelope's own.
 */
function findFailureMismatch(
  exchange: Exchange,
  body: string,
  answer: ReceivedResponse,
  reference: Reference,
): FoundMismatch | null {
  const { refusal, tested } = exchange;
  // The contract does not describe the body for what it does not contain.
  const own = ownRefusalOf(exchange, answer);
  if (own === "any-body") {
    return hasTrace(body)
      ? { kind: "stack-trace", text: `${answer.status}${withTrace}` }
      : null;
  }
  const envelope = readEnvelope(body);
  if (envelope === null) {
    const isTypescript = isTypescriptEnvelope(body);
    const kind = isTypescript ? "typescript-envelope" : "no-envelope";
    const expected =
      tested.host.errorBody === null
        ? "an error envelope"
        : "the body of an error";
    const text = `${describe({ ...answer, text: body })}, which is not ${expected}`;
    return { kind, text };
  }
  const fault =
    findTrace(envelope) ??
    (own === null
      ? findErrorMismatch(exchange, envelope, answer)
      : findContentTypeMismatch(tested, answer));
  const isErrorKnown = fault === null || fault.kind === "content-type";
  const violation = isErrorKnown
    ? reference.findDataViolation(tested, body, answer, refusal !== null)
    : null;
  if (violation !== null)
    return describeData(exchange, body, answer, violation);
  if (fault === null) return null;
  const isUnknown =
    fault.kind === "undeclared-error" &&
    envelope.error === "WebrpcEndpoint" &&
    tested.host.errorBody !== null;
  const text = isUnknown
    ? `${answer.status} with the body ${crop(dataIn(body))}, which is no error of the method`
    : `${describeError(envelope, answer)}${fault.text}`;
  const cause = isUnknown ? `${answer.status}` : text;
  return { kind: fault.kind, text, error: envelope.error, cause };
}

function describeData(
  { tested }: Exchange,
  body: string,
  answer: ReceivedResponse,
  violation: string,
): FoundMismatch {
  const text = tested.host.errorBody === null ? body : dataIn(body);
  const shown = describe({ ...answer, text });
  return {
    kind: tested.host.errorBody === null ? "invalid-response" : "no-envelope",
    text: text.startsWith("{")
      ? `${shown}, where data: ${violation}`
      : `${shown}, which is not the body of an error`,
    cause: causeOf(violation),
  };
}

function findErrorMismatch(
  { tested, refusal }: Exchange,
  envelope: Envelope,
  answer: ReceivedResponse,
): FoundMismatch | null {
  const { error, status } = envelope;
  if (status !== answer.status) {
    const text = `, but ${status} in the body`;
    return { kind: "wrong-definition", text };
  }
  if (isBusy(envelope, tested.host)) return null;
  const fault = findContentTypeMismatch(tested, answer);
  if (fault !== null) return fault;
  if (refusal === null) return findDeclaredErrorMismatch(tested, envelope);
  if (error !== refusal.error) return { kind: "wrong-error", text: "" };
  // Servers of webrpc respond with 400 to every body that they cannot read.
  const isUnread = [413, 415].includes(refusal.status) && status === 400;
  const { code } = refusal;
  const expected = isUnread ? { code, status } : refusal;
  const difference = findDefinitionMismatch(envelope, expected);
  if (difference !== null) return difference;
  return status === 405 && answer.allow === null
    ? { kind: "no-allow", text: ", without the header Allow" }
    : null;
}

function findContentTypeMismatch(
  { host: { errorBody } }: TestedMethod,
  { contentType, lines }: ReceivedResponse,
): FoundMismatch | null {
  const type = errorBody?.mediaType ?? "application/json";
  if (lines !== null || contentType === type) return null;
  const text = `, with content type ${contentType || "none"}`;
  return { kind: "content-type", text };
}

function findDefinitionMismatch(
  { code, status }: Envelope,
  expected: Pick<Envelope, "code" | "status">,
): FoundMismatch | null {
  const differences = [
    code === expected.code ? [] : `code ${expected.code}`,
    status === expected.status ? [] : `status ${expected.status}`,
  ].flat();
  return differences.length === 0
    ? null
    : {
        kind: "wrong-definition",
        text: `, instead of ${differences.join(" and ")}`,
      };
}

/** Whether a server is too busy, which may happen for any request. */
export function isBusy(
  envelope: Envelope | null,
  { errorBody }: HostPlan,
): boolean {
  if (envelope === null) return false;
  const { error, status } = envelope;
  // A body of errors need not have a name for built-in errors.
  const isUnknown = error === "WebrpcEndpoint" && errorBody !== null;
  if (error !== "WebrpcRequestFailed" && !isUnknown) return false;
  return status === 429 || status === 503;
}

/** Whether several errors of a method can have the same body and this status. */
function isShared(
  { host: { errorBody } }: TestedMethod,
  declared: readonly ErrorDeclaration[],
  { status }: Envelope,
): boolean {
  const members = errorBody?.members ?? [];
  const isNamed = members.some(
    ({ role }) => role === "name" || role === "code",
  );
  if (errorBody === null || isNamed) return false;
  return declared.filter((each) => each.status === status).length > 1;
}

/** Checks an error that the handler returns. */
function findDeclaredErrorMismatch(
  tested: TestedMethod,
  envelope: Envelope,
): FoundMismatch | null {
  const errors = declaredErrors(tested);
  const declared = errors.find(({ name }) => name === envelope.error);
  if (declared === undefined) {
    // The built-in error for errors that a contract does not declare.
    const isEndpoint =
      envelope.error === "WebrpcEndpoint" &&
      (envelope.status === 400 || isShared(tested, errors, envelope));
    return isEndpoint ? null : { kind: "undeclared-error", text: "" };
  }
  const { code, status } = declared.anyStatus
    ? { ...declared, status: envelope.status }
    : declared;
  return findDefinitionMismatch(envelope, { code, status });
}

function declaredErrors({
  contract,
  host,
  method,
}: TestedMethod): readonly ErrorDeclaration[] {
  const names = errorsOf(host.host, method.method);
  return contract.errors.filter(({ name }) => names.includes(name));
}

function findResponseMismatch(
  exchange: Exchange,
  answer: ReceivedResponse,
  reference: Reference,
): FoundMismatch | null {
  const { method } = exchange.tested;
  const { message, files } = method.response;
  const { status } = answer;
  if (successWith(method.wire.response, status)?.body === "none") {
    const text = describe(answer);
    if (answer.text !== "") return { kind: "invalid-response", text };
    return findViolation(method, answer, reference);
  }
  if (files.length > 0) return null;
  if (answer.text === "" && !message.isStream)
    return { kind: "invalid-response", text: describe(answer) };
  const isRest = method.method.route.kind === "rest";
  const stream = isRest ? "text/event-stream" : "application/x-ndjson";
  const type = message.isStream ? stream : "application/json";
  if (answer.contentType !== type) {
    const text = `${status} with content type ${answer.contentType || "none"}`;
    return { kind: "content-type", text };
  }
  if (!message.isStream) return findViolation(method, answer, reference);
  return findStreamMismatch(exchange, answer, reference);
}

/** Checks each line of a stream: items, and a failure that may follow them. */
function findStreamMismatch(
  exchange: Exchange,
  answer: ReceivedResponse,
  reference: Reference,
): FoundMismatch | null {
  const { method } = exchange.tested;
  const lines = answer.lines ?? [];
  for (const [index, text] of lines.entries()) {
    const failure = failureInLine(text);
    const status = readEnvelope(failure ?? "")?.status ?? answer.status;
    const line = { ...answer, text, status };
    const fault =
      failure === null
        ? findViolation(method, line, reference)
        : findFailureMismatch(exchange, failure, line, reference);
    if (fault !== null) return fault;
    if (failure !== null && index < lines.length - 1) {
      const received = `${describe(line)}, which is not the last line`;
      return { kind: "invalid-response", text: received };
    }
  }
  return null;
}

function findViolation(
  method: MethodPlan,
  answer: ReceivedResponse,
  reference: Reference,
): FoundMismatch | null {
  const violation = reference.findViolation(method, answer);
  return (
    violation && {
      kind: violation.isNullOnly ? "null-for-empty" : "invalid-response",
      text: `${describe(answer)}, where ${violation.text}`,
      cause: causeOf(violation.text),
    }
  );
}

function findTrace({ cause, msg }: Envelope): FoundMismatch | null {
  return hasTrace(msg) || hasTrace(cause ?? "")
    ? { kind: "stack-trace", text: withTrace }
    : null;
}

const withTrace = ", with a stack trace";

/** Whether text contains a stack trace of Node, Python, Go or Java. */
function hasTrace(text: string): boolean {
  return /\n\s+at \S|^\s+at \S+ \(|\.[jt]s:\d+:\d+|Traceback \(most recent|goroutine \d+ \[/mu.test(
    text,
  );
}

function describeValid(tested: TestedMethod): string {
  const { message, files } = tested.method.response;
  const successes = tested.method.wire.response.successes.map(
    ({ body, status }) =>
      `${status} ${
        body === "none"
          ? "without a body"
          : files.length > 0
            ? "with a file"
            : message.isStream
              ? "with a stream of items that match the contract"
              : "with a response that matches the contract"
      }`,
  );
  const success = successes.join(", or ");
  const names = declaredErrors(tested).map(({ name }) => name);
  const shown = names.slice(0, maxNames).join(", ");
  const more = names.length > maxNames ? " or another declared error" : "";
  return names.length === 0 ? success : `${success}, or ${shown}${more}`;
}

const maxNames = 5;

function describeRefusal({ cause, error, status }: Envelope): string {
  return `${status} ${error}${describeCause({ cause })}`;
}

function describeCause({ cause }: Pick<Envelope, "cause">): string {
  return cause === null ? "" : ` (${crop(cause)})`;
}

/** Returns what is equal in equal violations: neither values nor positions. */
function causeOf(violation: string): string {
  return violation
    .replace(/, got (?:"(?:[^"\\]|\\.)*"|[^;]*)/gu, "")
    .replace(/\[\d+\]|\.\d+\b/gu, "[]");
}

function describeError(
  { cause, code, error, msg }: Envelope,
  { status }: ReceivedResponse,
): string {
  return `${status} ${error}, code ${code} (${crop(cause ?? msg)})`;
}

function describe({ status, text }: ReceivedResponse): string {
  return text === "" ? `${status} without a body` : `${status} ${crop(text)}`;
}

/** Maximum length of printed text. */
const maxShown = 300;

function crop(text: string): string {
  const line = text.replace(/\s+/gu, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
