import type { ServerRequest } from "../model/exchange.js";
import type { Refusal } from "../model/refusal.js";
import type { Failure } from "../../values/failure.js";
import { isRecord } from "../../values/predicates.js";
import { judge, type OldType, type Verdict } from "./old-type.js";

/** A change that breaks clients of an earlier contract. */
export interface PastChange {
  readonly text: string;
  /** The version that brought the change. */
  readonly since: string;
  /** Whether the change breaks clients. Otherwise, it may break some. */
  readonly isCertain: boolean;
  readonly side: "request" | "response" | "call";
  /** Where requests can fail because of it. */
  readonly places?: readonly PastPlace[];
  /** The beginnings of the refusals that it causes, outside of messages. */
  readonly got?: readonly string[];
  /** A header that old clients begin with a scheme, which is now part of it. */
  readonly sent?: { readonly header: string; readonly scheme: string };
}

/** A place in requests where a change has an effect. */
export interface PastPlace {
  /** E.g. `books[].price`. `{}` is any value of a map, and `{key}` any key. */
  readonly at: string;
  /** What the earlier contract allowed there. */
  readonly was: OldType;
  /** The part of the current rule that the change added. Default: any. */
  readonly now?: OldType;
  /** The only value that the change affects, if it removed one. */
  readonly only?: string;
  /** Whether the change is that there must be a value. */
  readonly isRequired?: true;
  /** The keys that the earlier contract allowed, if it is a value of a map. */
  readonly key?: OldType;
  /** Names that `{}` is not, if it is any of the extra members of an object. */
  readonly except?: readonly string[];
}

/** A change that explains a refusal. */
export interface Reason extends Pick<
  PastChange,
  "isCertain" | "since" | "text"
> {
  /** Whether the change is the reason, and not only at the same place. */
  readonly isProven: boolean;
}

/** Finds the change that explains a refusal, the surest first. */
export function findReason(
  refusal: Refusal,
  request: ServerRequest,
  changes: readonly PastChange[],
): Reason | null {
  const { failures } = refusal;
  const reasons =
    failures.length === 0
      ? changes
          .filter((change) => isCause(change, refusal, request))
          .map((change) => ({ ...change, isProven: true }))
      : failures.flatMap((failure) => reasonsFor(failure, refusal, changes));
  return reasons.find(({ isProven }) => isProven) ?? reasons[0] ?? null;
}

/** Whether a change outside of messages causes a refusal. */
function isCause(
  { got, sent, side }: PastChange,
  { cause }: Refusal,
  request: ServerRequest,
): boolean {
  if (side !== "call") return false;
  if (cause !== undefined)
    return got?.some((text) => cause.startsWith(text)) === true;
  // Only credentials are refused without a cause.
  const value = sent && request.header(sent.header);
  return (
    sent !== undefined &&
    value?.toLowerCase().startsWith(`${sent.scheme.toLowerCase()} `) === true
  );
}

/**
 * Finds the changes at the place of a failure, the nearest first. If the earlier
 * contract allowed the value there, the change is the reason.
 */
function reasonsFor(
  failure: Failure,
  { received }: Refusal,
  changes: readonly PastChange[],
): readonly Reason[] {
  const found = changes.flatMap((change) =>
    (change.side === "request" ? (change.places ?? []) : []).flatMap(
      (place) => {
        if (!isAt(place, failure)) return [];
        const verdict = explain(place, failure, received);
        const depth = stepsOf(place.at).length;
        const isProven = verdict === "allowed";
        return verdict === "forbidden" ? [] : [{ ...change, isProven, depth }];
      },
    ),
  );
  return found.sort((one, other) => other.depth - one.depth);
}

/** Says whether the earlier contract allowed a value that the change refuses. */
function explain(
  place: PastPlace,
  failure: Failure,
  received: unknown,
): Verdict {
  const { at, isRequired, key, now, only, was } = place;
  const name = failure.path[stepsOf(at).length - 1];
  if (key !== undefined && judge(key, name) !== "allowed") return "forbidden";
  const value = valueAt(place, failure, received);
  if (value === unknown) return "unknown";
  const isAbsent = value === undefined || value === null;
  const isRefused =
    (only === undefined || value === only) &&
    // A new field also refuses values that were ignored.
    (isRequired !== true || isAbsent || was.type === "any") &&
    (now === undefined || judge(now, value) === "forbidden");
  if (!isRefused) return "forbidden";
  const verdict = judge(was, value);
  // A value that is read as another variant has lost the members of its own.
  const isInside = stepsOf(at).length < failure.path.length;
  return verdict === "forbidden" && isInside && was.type === "union"
    ? "unknown"
    : verdict;
}

/** A value that was not read, or that is hidden. */
const unknown = Symbol();

/** Returns the value at the place of a change. Absent is `undefined`. */
function valueAt(
  { at }: PastPlace,
  { got, path }: Failure,
  received: unknown,
): unknown {
  if (at.endsWith("{key}")) return path[stepsOf(at).length - 1];
  const whole = stepsOf(at).length === path.length;
  if (whole && got === "nothing") return undefined;
  let value = received;
  for (const key of path.slice(0, stepsOf(at).length)) {
    if (Array.isArray(value) && typeof key === "number") value = value[key];
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key];
    else return unknown;
  }
  return value ?? (value === null ? null : unknown);
}

/** Whether a failure is at the place of a change, or inside of it. */
function isAt(
  { at, except = [] }: PastPlace,
  { expected, path }: Failure,
): boolean {
  const steps = stepsOf(at);
  const isOfKey = expected.endsWith(" as a key");
  const isExact = steps.length === path.length;
  if (isExact && isOfKey !== (steps.at(-1) === "{key}")) return false;
  return (
    steps.length <= path.length &&
    steps.every((step, index) => {
      const key = path[index] ?? "";
      if (step === "[]") return typeof key === "number";
      return step.startsWith("{")
        ? !except.includes(String(key))
        : step === key;
    })
  );
}

function stepsOf(at: string): readonly string[] {
  return at.split(/(?=\[\])|(?=\{)|\./).filter(Boolean);
}
