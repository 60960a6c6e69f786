import type { Change } from "../diff/index.js";
import type { MethodSubject } from "../diff/facts/change.js";
import type { MethodChanges } from "../diff/method-changes.js";
import { credentialsOf } from "../../../generator/ir/credentials-of.js";
import { methodsOf } from "../../../generator/ir/methods-of.js";
import { movedFields } from "../diff/facts/request-places.js";
import type { Contract, Host, Method } from "../../../generator/ir/contract.js";
import { isFileField } from "../../../generator/http/request.js";
import { matchesAll } from "../../../generator/http/match-addresses.js";
import type { WireAddress } from "../../../generator/http/wire-method.js";
import { wireOf } from "../../../generator/http/wire-of.js";
import type {
  GoneAddress,
  PastChange,
  PastPlace,
  SentScheme,
} from "../../../generator/values/history.js";
import { valuesOf } from "../../../generator/values/value.js";
import type { WireOptions } from "../../../generator/values/wire-options.js";
import { credentialRefusals } from "./credential-refusals.js";
import { placeOfMoved, type PlacedPast, placesOf } from "./past-places.js";
import { headerOf } from "../../../generator/http/credentials.js";
import {
  foldResponse,
  type ResponseSlot,
  skip,
} from "../../../generator/http/slots.js";

/** A change without the version that brought it. */
export type BareChange = Omit<PastChange, "since">;

/** What has changed for the clients of a method. */
export interface MethodPast {
  /** Its name in the new contract if it has it, e.g. `Shop.GetBook`. */
  readonly name: string;
  /** The address that no longer exists, or null. */
  readonly gone: Omit<GoneAddress, "since"> | null;
  readonly changes: readonly BareChange[];
}

/** An earlier contract, and its settings. */
export interface OldContract {
  readonly contract: Contract;
  readonly modes: WireOptions;
}

/**
 * Describes the changes that break old clients of a method, as far as a server
 * needs them to explain failures.
 *
 * Input: the changes of a method, both contracts, and the current host.
 */
export function describePast(
  found: MethodChanges,
  old: OldContract,
  recent: Contract,
  host: Host,
): MethodPast {
  const { after, before, changes } = found;
  const { method, service } = (after ?? before).subject;
  const name = `${service}.${method}`;
  const breaking = changes.filter(
    ({ effects: { wire } }) => wire !== undefined && wire !== "note",
  );
  const past: PlacedPast | null = after && {
    before: before.method,
    after: after.method,
    values: valuesOf(old.contract),
    valuesNow: valuesOf(recent),
    modes: old.modes,
  };
  const described = breaking.flatMap((change) =>
    past === null
      ? []
      : describeChange(change, { found, old: old.contract, recent, past }),
  );
  const { address } = wireOf(before.method);
  const isGone =
    after === null || wireOf(after.method).address?.key !== address?.key;
  const moved = breaking.find(({ code }) => movingRules.has(code));
  const takers =
    address === null
      ? []
      : methodsReceiving(address, after?.subject ?? null, host);
  return {
    name,
    gone:
      isGone && address !== null
        ? {
            path: address.template.text,
            verb: address.verb,
            ...(takers.length > 0 && { takers }),
            text: moved?.message ?? `method \`${name}\` was removed`,
          }
        : null,
    changes: mergeByText(described),
  };
}

/**
 * Returns the methods of a host that can receive calls to an address which is no
 * longer that of its method, e.g. `Shop.Buy`. Input: the method that moved, or
 * null if it was removed.
 */
function methodsReceiving(
  address: WireAddress,
  moved: MethodSubject | null,
  { services }: Host,
): readonly string[] {
  return methodsOf(services).flatMap((method) => {
    const { isClientOnly, name, service } = method;
    const isMoved = service === moved?.service && name === moved.method;
    const { address: other } = wireOf(method);
    const isReceiving =
      !isMoved && !isClientOnly && other && matchesAll(other, address);
    return isReceiving ? [`${service}.${name}`] : [];
  });
}

const movingRules: ReadonlySet<string> = new Set([
  "basepath-same",
  "method-same-route",
]);

/** Maximum number of places of one change. */
const maxPlaces = 20;

/** Lists each change once, with all of its places. */
function mergeByText(changes: readonly BareChange[]): readonly BareChange[] {
  const merged = new Map<string, BareChange>();
  for (const change of changes) {
    const { places = [], side, text } = change;
    const key = JSON.stringify([side, text]);
    const known = merged.get(key);
    const all = distinct([...(known?.places ?? []), ...places]);
    merged.set(key, {
      ...(known ?? change),
      ...(all.length > 0 && { places: all.slice(0, maxPlaces) }),
    });
  }
  return [...merged.values()];
}

function distinct(places: readonly PastPlace[]): readonly PastPlace[] {
  return [
    ...new Map(places.map((each) => [JSON.stringify(each), each])).values(),
  ];
}

/** What the description of a change depends on. */
interface Surroundings {
  readonly found: MethodChanges;
  readonly old: Contract;
  readonly recent: Contract;
  readonly past: PlacedPast;
}

function describeChange(
  change: Change,
  surroundings: Surroundings,
): readonly BareChange[] {
  const { effects, field, message, path = "" } = change;
  const [, side, , steps = ""] = placePattern.exec(path) ?? [];
  const isCertain = effects.wire === "error";
  const text = crop(message);
  if (side === "response" || change.code === "method-same-stream")
    return [{ text, isCertain, side: "response" }];
  if (side !== "request")
    return describeCall({ text, isCertain }, change, surroundings);
  const all = field === undefined ? steps : join(steps, field);
  const places = placesOf(all, change, surroundings.past);
  return [{ text, isCertain, side, places }];
}

/** Describes a change outside of messages. */
function describeCall(
  facts: Pick<BareChange, "isCertain" | "text">,
  change: Change,
  { found, old, past, recent }: Surroundings,
): readonly BareChange[] {
  const texts = refusalsOf(change, found, old, recent);
  const sent = sentSchemeOf(change, found, old, recent);
  const places =
    change.code === "method-same-route"
      ? movedFields(past.before, past.after).map((name) =>
          placeOfMoved(name, past),
        )
      : [];
  return [
    {
      ...facts,
      side: "call",
      ...(texts.length > 0 && { got: texts }),
      ...(sent && { sent }),
    },
    ...(places.length > 0
      ? [{ ...facts, side: "request" as const, places }]
      : []),
    ...(change.code === "method-same-route" && hasOtherResponse(past)
      ? [{ ...facts, side: "response" as const }]
      : []),
  ];
}

/** Whether the status, the headers or the kind of a success changed. */
function hasOtherResponse({ after, before }: PlacedPast): boolean {
  const [then, now] = [before, after].map((method) => {
    const { response } = wireOf(method);
    const { byStatus, stream, successes } = response;
    const isRest = method.route.kind === "rest";
    const print = ({ field, name, place }: ResponseSlot): readonly string[] => [
      `${place} ${name} ${field.jsonName}`,
    ];
    const heads = foldResponse(response, {
      status: print,
      header: print,
      member: skip,
      whole: print,
    });
    const statuses = successes.map(({ status }) => status);
    const bodies = byStatus.map(({ body }) => body?.jsonName);
    return { isRest, stream, heads, statuses, bodies };
  });
  return JSON.stringify(then) !== JSON.stringify(now);
}

/** Returns the scheme that old clients send as a part of a new credential. */
function sentSchemeOf(
  { code }: Change,
  { after, before }: MethodChanges,
  old: Contract,
  recent: Contract,
): SentScheme | null {
  if (code !== "credential-same-header" || after === null) return null;
  const now = credentialsOf(after.method, recent);
  for (const { parameter, scheme } of credentialsOf(before.method, old)) {
    const isRead = now.some((each) => {
      const header = headerOf(each);
      return header?.name === parameter && header.prefix === "";
    });
    // Only headers have schemes.
    if (scheme !== null && isRead) return { header: parameter, scheme };
  }
  return null;
}

/** The path of a change, e.g. ``the request of `Shop.Put`, `book.price` ``. */
const placePattern = /^the (request|response) of `([^`]*)`(?:, `([^`]*)`)?$/u;

function join(steps: string, field: string): string {
  return steps === "" ? field : `${steps}.${field}`;
}

/** Maximum length of the text of a change. Default values can be long. */
const maxText = 300;

function crop(text: string): string {
  const points = Array.from(text);
  return points.length <= maxText
    ? text
    : `${points.slice(0, maxText).join("")}…`;
}

/**
 * Returns the beginnings of the refusals that a change outside of messages
 * causes, as the runtime prints them.
 */
function refusalsOf(
  { code }: Change,
  { after, before }: MethodChanges,
  old: Contract,
  recent: Contract,
): readonly string[] {
  if (credentialRules.has(code) && after !== null) {
    return credentialRefusals(
      { method: before.method, contract: old },
      { method: after.method, contract: recent },
    );
  }
  const isSame = after && contentOf(before.method) === contentOf(after.method);
  if (contentRules.has(code)) return isSame ? [] : ["content-type: expected"];
  return code === "method-idempotency-key-no-require" ? [missingKey] : [];
}

/**
 * The refusal of a request without a key. A malformed key, or one of another
 * request, has another reason.
 */
const missingKey =
  'header Idempotency-Key: expected 1 to 255 ASCII characters in quotes, e.g. "8e03978e-40d5-43dd-bc93-6894a57f9324", got nothing';

const credentialRules: ReadonlySet<string> = new Set([
  "credential-same-header",
  "method-credentials-no-add",
]);

/** Changes that can affect the content type of requests. */
const contentRules: ReadonlySet<string> = new Set([
  "method-same-content",
  "method-same-route",
]);

/** Returns the kind of a request's body. */
function contentOf(method: Method): string {
  if (method.request.fields.some(isFileField)) return "parts";
  const { content, statedMediaType } = wireOf(method).request.body;
  return statedMediaType ?? content.kind;
}
