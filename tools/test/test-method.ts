import { successWith } from "../../generator/http/wire-of.js";
import * as fc from "fast-check";
import type { Case } from "./cases.js";
import { checksOf, type CheckName, type Sending } from "./checks.js";
import { type DrawnRequest, toSent } from "./drawn-request.js";
import { failureInLine, readEnvelope } from "./envelope.js";
import { type Quirk, quirkOf } from "./quirks.js";
import {
  describeRejection,
  type Exchange,
  findMismatch,
  isBusy,
} from "./find-mismatch.js";
import { Outcomes } from "./outcomes.js";
import type { CheckReport, Failure, MethodReport } from "./report.js";
import { sentNameOf } from "../credential-names.js";
import {
  missingCredentials,
  nameOf,
  type TestedMethod,
} from "./tested-method.js";
import { printCurl } from "./print-curl.js";
import type { Reference } from "./reference.js";
import { type ReceivedResponse, send, type SendOptions } from "./send.js";
import { withEnvelopes } from "./with-envelopes.js";

/** Settings of a test. */
export interface TestOptions extends SendOptions, Sending {
  readonly seed: number;
  /** Number of valid messages for each method. */
  readonly runs: number;
  /**
   * Time after which no request is sent, on the clock of `performance.now()`.
   */
  readonly deadline: number;
  /** Whether quirks of webrpc's servers are accepted. */
  readonly allowsQuirks: boolean;
  /** Base addresses by host name. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Maximum number of failures of different causes for each check. */
const maxFailures = 10;

/** Maximum number of requests that try to shrink a failing one. */
const maxShrinks = 200;

/** Maximum number of messages that cannot be sent for each that can. */
const maxSkipsPerRun = 20;

/** Tests one method of a server. */
export async function testMethod(
  tested: TestedMethod,
  reference: Reference,
  options: TestOptions,
): Promise<MethodReport> {
  const probe = createProbe(tested, reference, options);
  const checks: Omit<CheckReport, "unproven">[] = [];
  for (const { cases, name } of checksOf(tested, options)) {
    const before = { ...probe };
    const runs = runsOf(name, cases.length, options);
    const found = new Map<string, FoundFailure>();
    let tried = 0;
    let withheld = 0;
    let isCutShort = false;
    for (const each of cases) {
      if (found.size >= maxFailures) break;
      isCutShort ||= performance.now() > options.deadline;
      if (isCutShort) break;
      tried += 1;
      const sent = probe.requests;
      // A failure ends the requests of a case, which can have other failures.
      let count = -1;
      while (count < found.size && found.size < maxFailures) {
        count = found.size;
        isCutShort = await testCase(each, name, runs, probe, found, options);
      }
      if (isCutShort || probe.requests > sent) continue;
      // The other checks leave out messages that cannot be sent.
      if (name === "routes and verbs" && !options.writes) withheld += 1;
    }
    checks.push({
      name,
      requests: probe.requests - before.requests,
      busy: probe.busy - before.busy,
      failures: [...found.values()],
      untried: isCutShort ? 0 : cases.length - tried,
      withheld,
      isCutShort,
    });
  }
  return {
    host: tested.host.host.name,
    method: nameOf(tested),
    ...findRefused(
      tested,
      probe,
      checks.map((check) => ({
        ...check,
        unproven: probe.outcomes.unprovenIn(check.name),
      })),
      options,
    ),
    isUnproven: probe.outcomes.isUnproven,
    answers: Object.fromEntries(probe.answers),
    items: probe.items,
    statuses: Object.fromEntries(probe.statuses),
    missing: missingCredentials(tested, options.headers),
    quirks: [...probe.quirks].map(([quirk, curl]) => ({ quirk, curl })),
    isWebrpc: probe.isWebrpc,
  };
}

/** Returns the number of requests for each case of a check. */
function runsOf(
  name: CheckName,
  caseCount: number,
  { runs }: TestOptions,
): number {
  switch (name) {
    case "valid messages":
      return runs;
    case "limits":
      return Math.ceil(runs / caseCount);
    case "odd requests":
      // Some messages do not contain what the case changes.
      return Math.ceil(runs / 25);
    case "malformed bodies":
    case "routes and verbs":
    case "content types":
    case "credentials":
      // The faults that these checks find do not depend on the message.
      return 1;
  }
}

/** A failure to which cases with the same cause are added. */
interface FoundFailure extends Failure {
  readonly others: string[];
}

/**
 * Tests one case of a check. Adds a failure to those that were found. Returns
 * whether the deadline ended it.
 */
async function testCase(
  { requests, what }: Case,
  check: CheckName,
  numRuns: number,
  probe: Probe,
  found: Map<string, FoundFailure>,
  { deadline, seed }: TestOptions,
): Promise<boolean> {
  // Each failure is smaller than the previous one.
  const failures: Shown[] = [];
  const causeOf = ({ cause }: Shown): string => cause || what;
  // fast-check catches what a property throws, and a run must not pass because of
  // a fault of its own.
  const crashes: unknown[] = [];
  let shrinks = 0;
  const property = fc.asyncProperty(requests, async (request) => {
    // Draws another message, because one request may be all of a case.
    fc.pre(request !== null);
    if (request === null || shrinks > maxShrinks) return true;
    if (crashes.length > 0) return true;
    const smallest = failures.at(-1);
    if (smallest !== undefined) shrinks += 1;
    const failure = await probe.test(request, check).catch((error: unknown) => {
      crashes.push(error);
      throw error;
    });
    if (failure === null) return true;
    const known = found.get(causeOf(failure));
    if (known !== undefined) {
      const isNew = known.what !== what && !known.others.includes(what);
      if (isNew) known.others.push(what);
      return true;
    }
    // A smaller request that shows another mismatch is another failure.
    if (smallest !== undefined && smallest.kind !== failure.kind) return true;
    failures.push(failure);
    return false;
  });
  const { interrupted } = await fc.check(property, {
    seed,
    numRuns,
    maxSkipsPerRun,
    interruptAfterTimeLimit: Math.max(0, deadline - performance.now()),
  });
  if (crashes.length > 0) throw crashes[0];
  const last = failures.at(-1);
  if (last !== undefined) {
    const cause = causeOf(last);
    found.set(cause, { ...last, cause, what, others: [] });
  }
  return interrupted;
}

/** A mismatch, and the request that shows it. */
type Shown = Omit<Failure, "others" | "what">;

/** Sends requests of a method and collects results. */
interface Probe {
  requests: number;
  /** Number of requests that the server was too busy to answer. */
  busy: number;
  isWebrpc: boolean;
  readonly answers: Map<string, number>;
  /** Items and files in successes, or null if the method has neither. */
  items: number | null;
  readonly outcomes: Outcomes;
  /** The first error for a valid message of a method with credentials. */
  rejected: Shown | null;
  readonly statuses: Map<number, number>;
  readonly quirks: Map<Quirk, string>;
  test(request: DrawnRequest, check: CheckName): Promise<Shown | null>;
}

/** Returns the name of the error in a response, or "success". */
function outcomeOf(
  { method }: TestedMethod,
  { lines, status, text }: ReceivedResponse,
): string {
  const isSuccess = successWith(method.wire.response, status) !== null;
  const failure = isSuccess ? failureInLine(lines?.at(-1) ?? "") : text;
  if (failure === null) return "success";
  return readEnvelope(failure)?.error ?? String(status);
}

function hasItems({ method: { response } }: TestedMethod): boolean {
  return response.message.isStream || response.files.length > 0;
}

/** Counts the items of a stream, or the file of a download. */
function itemsIn({ contentType, lines, text }: ReceivedResponse): number {
  if (lines !== null)
    return lines.filter((line) => failureInLine(line) === null).length;
  // Many servers return the page of an app for what they do not find.
  return text === "" || contentType === "text/html" ? 0 : 1;
}

function createProbe(
  tested: TestedMethod,
  reference: Reference,
  options: TestOptions,
): Probe {
  const { contract, host } = tested;
  const base = options.addresses.get(host.host.name) ?? "";
  const address = base.replace(/\/+$/u, "");
  const note = ({ answer, check, refusal }: Exchange): void => {
    probe.requests += 1;
    if (typeof answer === "string") return;
    probe.isWebrpc ||= answer.isWebrpc;
    const isValid = refusal === null;
    const name = outcomeOf(tested, answer);
    if (isBusy(readEnvelope(answer.text), host)) probe.busy += 1;
    else probe.outcomes.add(check, isValid, { name, status: answer.status });
    if (!isValid) return;
    probe.answers.set(name, (probe.answers.get(name) ?? 0) + 1);
    if (probe.items !== null && name === "success")
      probe.items += itemsIn(answer);
    const count = probe.statuses.get(answer.status);
    if (count !== undefined) probe.statuses.set(answer.status, count + 1);
  };
  const probe: Probe = {
    requests: 0,
    busy: 0,
    answers: new Map(),
    items: hasItems(tested) ? 0 : null,
    outcomes: new Outcomes(tested),
    rejected: null,
    statuses: new Map(
      tested.method.wire.response.successes.map(({ status }) => [status, 0]),
    ),
    isWebrpc: false,
    quirks: new Map(),
    test: async (drawn, check) => {
      const request = withAccept(tested, drawn, options.headers);
      const { init, path } = toSent(request, options.headers);
      const asked = new Request(`http://reference${path}`, init);
      const refusal = await reference.refusalOf(host, asked, tested.method);
      const repeats = isRepeatable(tested, request, check);
      const received = await send(address + path, init, repeats, options);
      const answer =
        typeof received === "string"
          ? received
          : withEnvelopes(reference, host, tested.method, received);
      const exchange: Exchange = { tested, check, refusal, answer };
      note(exchange);
      const mismatch = findMismatch(exchange, reference);
      if (mismatch === null && !isFirstError(exchange, probe)) return null;
      const curl = printCurl(
        address + request.path,
        request,
        options.headers.keys(),
        contract.credentials,
      );
      if (mismatch === null) {
        probe.rejected = { ...describeRejection(exchange), curl };
        return null;
      }
      const quirk = options.allowsQuirks ? quirkOf(exchange, mismatch) : null;
      if (quirk === null) return { ...mismatch, curl };
      if (!probe.quirks.has(quirk)) probe.quirks.set(quirk, curl);
      return null;
    },
  };
  return probe;
}

/** Whether the effect of a request is the same if it is sent again. */
function isRepeatable(
  { method: { method } }: TestedMethod,
  { headers, verb }: DrawnRequest,
  check: CheckName,
): boolean {
  if (verb === "GET" || typeof headers["idempotency-key"] === "string")
    return true;
  // Other routes can be those of other methods.
  return check !== "routes and verbs" && method.safety !== "none";
}

/** Whether a response is the first error for a valid message. */
function isFirstError(
  { answer, refusal, tested }: Exchange,
  { rejected }: Probe,
): boolean {
  const isRejectable = tested.method.credentials.length > 0 && refusal === null;
  if (!isRejectable || rejected !== null) return false;
  return typeof answer !== "string" && outcomeOf(tested, answer) !== "success";
}

/** Asks for the type that clients ask for, unless the caller asks for another. */
function withAccept(
  { method }: TestedMethod,
  request: DrawnRequest,
  given: ReadonlyMap<string, string>,
): DrawnRequest {
  const accept = method.wire.request.accept;
  if (accept === null || given.has("accept")) return request;
  return { ...request, headers: { accept, ...request.headers } };
}

/**
 * Finds out whether a server refused the caller's credentials, which makes most
 * checks of the method fail in the same way, or hides what they would find.
 *
 * If so, returns the checks with only the first of those failures, and the
 * headers of the credentials that may be wrong.
 */
function findRefused(
  { method: { credentials } }: TestedMethod,
  { outcomes, rejected }: Probe,
  checks: readonly CheckReport[],
  { headers }: TestOptions,
): Pick<MethodReport, "checks" | "refused"> {
  const errors = new Set(outcomes.credentialErrors);
  const given = credentials.filter((each) => headers.has(sentNameOf(each)));
  const none = { checks, refused: [] };
  if (errors.size === 0 || given.length === 0) return none;
  const isRefusal = ({ error }: Failure): boolean =>
    error !== null && errors.has(error);
  // A handler can also return these errors, but only for valid messages.
  const [first] = checks.flatMap(({ failures }) => failures.filter(isRefusal));
  // Without a failure, a server that looks at no message differs from others.
  if (first === undefined && !outcomes.isUniform) return none;
  const shown: readonly Failure[] =
    first === undefined && rejected !== null
      ? [{ ...rejected, what: "", others: [] }]
      : [];
  const wrong = given.filter(({ error }) => errors.has(error));
  return {
    checks: checks.map((check) => ({
      ...check,
      failures: [
        ...(check.name === "valid messages" ? shown : []),
        ...check.failures.filter(
          (failure) => failure === first || !isRefusal(failure),
        ),
      ],
    })),
    refused: (wrong.length > 0 ? wrong : given).map(({ key }) => key),
  };
}
