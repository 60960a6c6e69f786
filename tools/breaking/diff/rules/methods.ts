import { listNames } from "../../../../generator/diagnostics/names.js";
import type {
  Contract,
  Message,
  Method,
} from "../../../../generator/ir/contract.js";
import { isReadVerb } from "../../../../generator/ir/bodiless.js";
import { errorsOf } from "../../../../generator/ir/errors-of.js";
import { allMethods } from "../../../../generator/ir/methods-of.js";
import { isFileField } from "../../../../generator/http/request.js";
import {
  fieldsAt,
  type FieldSlot,
  foldRequest,
  responseHeaders,
  skip,
} from "../../../../generator/http/slots.js";
import type {
  WireBody,
  WireMethod,
} from "../../../../generator/http/wire-method.js";
import { wireOf } from "../../../../generator/http/wire-of.js";
import { refusalErrors } from "../../../../generator/ir/refusal-errors.js";
import {
  breaksCallers,
  breaksCode,
  breaksEveryone,
  breaksReceivers,
  type Side,
} from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import { nameOf } from "../facts/names.js";
import { effectsOfNew } from "../facts/shared-paths.js";
import type { Pair } from "../facts/pairing.js";
import {
  movedFields,
  movedOutputs,
  statusChangeOf,
  statusOutputEffects,
} from "../facts/request-places.js";
import {
  type BreakingRule,
  type BreakingRules,
  keptMethod,
  type KeptFinding,
} from "../facts/rule.js";

/** Creates a rule about both messages of a method, with their names. */
function keptMessage(
  compare: (pair: Pair<Message>, name: string, side: Side) => KeptFinding,
): BreakingRule {
  const rules = (["request", "response"] as const).map((side) =>
    keptMethod(({ before, after }) =>
      compare(
        { before: before.method[side], after: after.method[side] },
        `the ${side} of ${nameOf(after.subject)}`,
        side,
      ),
    ),
  );
  return (contracts) => rules.flatMap((find) => find(contracts));
}

/** Rules about methods, their addresses and the form of their messages. */
export const methodRules = {
  "method-no-delete": ({ methods: { removed } }) =>
    removed.map(({ method, subject }) => ({
      effects:
        method.route.kind === "webhook" ? breaksReceivers : breaksCallers,
      message: `method ${nameOf(subject)} was removed`,
      before: subject,
      after: { ...subject, kind: "service" },
      help: "mark it `@deprecated`, and keep it until no client calls it",
    })),

  "method-added": (contracts) =>
    contracts.methods.added.map((placed) => ({
      effects: effectsOfNew([placed], contracts),
      message: `method ${nameOf(placed.subject)} is new`,
      before: { ...placed.subject, kind: "service" },
      after: placed.subject,
      help: "release the server before clients that call it",
    })),

  // On the wire, a REST read is identified by its path. In code, it has a name.
  "method-same-name": keptMethod(({ before, after }) => {
    const isSame =
      before.subject.method === after.subject.method &&
      (before.subject.service === after.subject.service ||
        after.method.route.kind !== "rest");
    return (
      !isSame && {
        effects: breaksCode,
        message: `${nameOf(before.subject)} was renamed to ${nameOf(after.subject)}`,
        help: "keep its name: generated code is named after it",
      }
    );
  }),

  "method-same-route": keptMethod(
    ({ before: { method: before }, after: { method: after, subject } }) => {
      const isSame = haveSameRoute(before, after);
      const level = isSame ? fixedPairsChange(before, after) : "error";
      // Clients accept fewer statuses than they know.
      const change = isSame ? statusChangeOf(before, after) : "none";
      const wire = change === "added" ? "error" : level;
      const strict = change === "removed" ? "error" : level;
      const effects = {
        ...statusOutputEffects(before, after),
        ...(wire !== null && { wire }),
        ...(strict !== null && { "wire-strict": strict }),
      };
      return (
        Object.keys(effects).length > 0 && {
          effects,
          message: `${nameOf(subject)} was ${printRoute(before)} and is now ${printRoute(after)}`,
          help: "add a method for the new address, and keep this one",
        }
      );
    },
  ),

  "method-same-server": keptMethod(
    ({ before: { method: before }, after: { method: after, subject } }) =>
      before.isClientOnly !== after.isClientOnly && {
        effects: after.isClientOnly
          ? { wire: "error", "server-source": "error" }
          : { "server-source": "error" },
        message: `${nameOf(subject)} is ${after.isClientOnly ? "now" : "no longer"} \`@clientOnly\``,
        help: after.isClientOnly
          ? "existing clients call a server that no longer has the method"
          : "add a handler for it",
      },
  ),

  "method-same-stream": keptMessage(
    ({ before, after }, name) =>
      before.isStream !== after.isStream && {
        effects: breaksEveryone,
        message: `${name} ${after.isStream ? "is now" : "is no longer"} a stream`,
        help: "add a method for the new form, and keep this one",
      },
  ),

  // A single file, even an optional one, changes the type of the body.
  "method-same-content": keptMessage(
    ({ before, after }, name, side) =>
      hasFiles(before) !== hasFiles(after) && {
        effects: { wire: "error", "wire-strict": "error" },
        message: `${name} was ${printContent(before, side)} and is now ${printContent(after, side)}`,
        help: "add a method for the new form, and keep this one",
      },
  ),

  // The wire does not change, but the type of the message has a different name.
  "method-same-form": (contracts) =>
    [listsBecameStructs, namesakesChanged].flatMap((find) => find(contracts)),

  "method-safety-no-weaken": keptMethod(({ before, after }) => {
    const promises = promisesOnlyIn(before.method, after.method);
    return (
      promises.length > 0 && {
        effects: { wire: "error" },
        message: `${nameOf(after.subject)} is no longer ${listNames(promises)}`,
        help: "clients may retry such calls automatically; keep the annotation, or add another method",
      }
    );
  }),

  "method-safety-no-strengthen": keptMethod(({ before, after }) => {
    const promises = promisesOnlyIn(after.method, before.method);
    return (
      promises.length > 0 && {
        effects: { "wire-strict": "error" },
        message: `${nameOf(after.subject)} is now ${listNames(promises)}`,
        help: "release the server before clients that retry such calls",
      }
    );
  }),

  "method-idempotency-key-no-require": keptMethod(
    ({ before: { method: before }, after: { method: after, subject } }) =>
      before.idempotencyKey !== "required" &&
      after.idempotencyKey === "required" && {
        effects: { wire: "error" },
        message: `${nameOf(subject)} now requires an idempotency key`,
        help: "write `@idempotencyKey:optional` until all clients send a key",
      },
  ),

  "method-resume-no-change": keptMethod(
    ({ before: { method: before }, after: { method: after, subject } }) => {
      const then = printResume(before);
      const now = printResume(after);
      if (then === now) return false;
      return {
        effects: {
          ...(then !== null && { wire: "error" }),
          ...(now !== null && { "wire-strict": "error" }),
        },
        message: `${nameOf(subject)} ${printResumeChange(then, now)}`,
        help:
          then === null
            ? "release the server before clients that resume its streams"
            : "existing clients still send the cursor; keep the annotation, or add another method",
      };
    },
  ),

  // Errors for rejected credentials and invalid requests have their own rules.
  "method-error-no-add": keptMethod(({ before, after }, contracts) => {
    const refusals = refusalErrors(after.method, contracts.after, after.host);
    const added = errorsOnlyIn(after, before, contracts.before, refusals);
    return (
      added.length > 0 && {
        effects: { wire: "danger", "client-source": "danger" },
        message: `${nameOf(after.subject)} can now return ${listNames(added)}`,
        help: "existing clients treat it as an unknown error; make sure that fallback is acceptable",
      }
    );
  }),

  "method-error-no-delete": keptMethod(({ before, after }, contracts) => {
    const refusals = refusalErrors(
      before.method,
      contracts.before,
      before.host,
    );
    const removed = errorsOnlyIn(before, after, contracts.after, refusals);
    return (
      removed.length > 0 && {
        effects: { "client-source": "error" },
        message: `${nameOf(after.subject)} no longer returns ${listNames(removed)}`,
      }
    );
  }),
} satisfies BreakingRules;

/**
 * Whether two methods have the same address, except for fixed pairs. Names
 * determine the addresses of calls.
 */
function haveSameRoute(before: Method, after: Method): boolean {
  if (before.route.kind !== "rest" || after.route.kind !== "rest") {
    return before.route.kind === after.route.kind;
  }
  const [then, now] = [wireOf(before), wireOf(after)];
  return (
    then.address?.key === now.address?.key &&
    statusChangeOf(before, after) !== "changed" &&
    isSameContent(then.request.body, now.request.body) &&
    movedFields(before, after).length === 0 &&
    movedOutputs(before, after).length === 0
  );
}

/**
 * Whether two bodies are both one field, or both not, and both JSON of the same
 * type, or both forms. Servers read the lists of both kinds of forms.
 */
function isSameContent(then: WireBody, now: WireBody): boolean {
  const isSameFormat =
    then.kind === "none" ||
    now.kind === "none" ||
    (isForm(then) === isForm(now) &&
      then.statedMediaType === now.statedMediaType);
  const isWhole = then.kind === "whole";
  return isWhole === (now.kind === "whole") && isSameFormat;
}

/**
 * Returns how severe a change of fixed pairs is. Our servers ignore them, unless
 * a field of the other version has the same name in the query.
 */
function fixedPairsChange(
  before: Method,
  after: Method,
): "danger" | "error" | null {
  const [then, now] = [queryOf(before), queryOf(after)];
  const changed = [...then, ...now]
    .filter(
      ([name, value]) => value !== null && then.get(name) !== now.get(name),
    )
    .map(([name]) => name);
  if (changed.length === 0) return null;
  const isField = (name: string): boolean =>
    [then, now].some((query) => query.get(name) === null);
  return changed.some(isField) ? "error" : "danger";
}

/** Returns the fixed values in a query by name, and null for fields. */
function queryOf(method: Method): ReadonlyMap<string, string | null> {
  const pairs = foldRequest<readonly [string, string | null]>(
    wireOf(method).request,
    {
      path: skip,
      query: ({ name }) => [[name, null]],
      fixed: ({ name, value }) => [[name, value]],
      header: skip,
      member: skip,
      part: skip,
      whole: skip,
    },
  );
  return new Map(pairs);
}

function isForm({ content }: WireBody): boolean {
  return content.kind === "form";
}

function printRoute(method: Method): string {
  switch (method.route.kind) {
    case "rpc":
      return "called by POST";
    case "webhook":
      return "a webhook";
    case "rest":
      return printRest(wireOf(method));
  }
}

function printRest({ address, request, response }: WireMethod): string {
  const { byStatus, successes, whole } = response;
  const [{ status }] = successes;
  const statuses = byStatus.map(
    (each) =>
      `${each.status} ${each.body === null ? "without a body" : `with \`${each.body.jsonName}\``}`,
  );
  const { target = "", verb = "GET" } = address ?? {};
  const place =
    verb === "GET" ? `read at \`${target}\`` : `\`${verb} ${target}\``;
  const inHeader = ({ field, name }: FieldSlot): string =>
    `with \`${field.jsonName}\` in the header \`${name}\``;
  const { statedMediaType, whole: sent } = request.body;
  const parts = [
    ...(statuses.length > 0
      ? [`with the status ${statuses.join(", or ")}`]
      : status === 200
        ? []
        : [`with status ${status}`]),
    ...fieldsAt(request, "header").map(inHeader),
    ...(sent === null ? [] : [`with \`${sent.jsonName}\` as the request body`]),
    ...(isForm(request.body) ? ["as a form"] : []),
    ...(statedMediaType === null ? [] : [`as \`${statedMediaType}\``]),
    ...responseHeaders(response).map(inHeader),
    ...(whole === null ? [] : [`with \`${whole.jsonName}\` as the body`]),
  ];
  return [place, ...parts].join(" ");
}

/** Whether a message has files: fields, or elements of lists. */
function hasFiles({ fields }: Message): boolean {
  return fields.some(isFileField);
}

function printContent(message: Message, side: Side): string {
  if (!hasFiles(message))
    return side === "request" ? "sent without files" : "JSON";
  return side === "request" ? "sent with files" : "a file";
}

/**
 * Messages that became structs. In the opposite case, the struct remains, or a
 * rule about types reports its removal.
 */
const listsBecameStructs = keptMessage(
  ({ before, after }, name) =>
    before.struct === null &&
    after.struct !== null && {
      effects: breaksCode,
      message: `${name} was a list of arguments and is now \`${after.struct}\``,
      help: "update the code that uses the generated types",
    },
);

/**
 * If two methods share a name, their types begin with the name of the service.
 */
const namesakesChanged = keptMethod(({ before, after }, contracts) => {
  const isShared = hasNamesake(after, contracts.after);
  return (
    hasNamesake(before, contracts.before) !== isShared && {
      effects: breaksCode,
      message: `${isShared ? "another service now has" : "there is no longer another service with"} a method \`${after.method.name}\`, so the types of ${nameOf(after.subject)} were renamed`,
      help: "choose a name that no other method has",
    }
  );
});

function hasNamesake({ method }: PlacedMethod, { hosts }: Contract): boolean {
  const namesakes = allMethods(hosts).filter(
    ({ name }) => name === method.name,
  );
  return namesakes.length > 1;
}

/** The annotations about repeated calls, the strongest last. */
const safeties: readonly Method["safety"][] = [
  "none",
  "idempotent",
  "readonly",
];

/** Prints how clients resume the streams of a method, or null. */
function printResume({ resume }: Method): string | null {
  return resume && `\`${resume.argument}=${resume.cursor.join(".")}\``;
}

function printResumeChange(then: string | null, now: string | null): string {
  if (then === null) return `can now be resumed with ${now}`;
  if (now === null) return `can no longer be resumed with ${then}`;
  return `was resumed with ${then}, and is now resumed with ${now}`;
}

/** Whether the safety of a method decides if clients retry it. */
function isRetried(method: Method): boolean {
  const { address } = wireOf(method);
  // A GET only reads, whatever its annotations say.
  return address !== null && !isReadVerb(address.verb);
}

/**
 * Returns the annotations of a method about repeated calls that another one lacks.
 * Clients rely on keys for `@idempotent` methods, too: without them, a late
 * repetition undoes a newer change.
 */
function promisesOnlyIn(one: Method, other: Method): readonly string[] {
  // Clients repeat a stream on their own only after a 401, with new credentials.
  if (other.response.isStream || !isRetried(one) || !isRetried(other))
    return [];
  const isSafer = safeties.indexOf(one.safety) > safeties.indexOf(other.safety);
  const hasKey = one.idempotencyKey !== "none";
  const ignoresKey = other.idempotencyKey === "none";
  // No repetition of a call that only reads undoes anything.
  const losesKey = hasKey && ignoresKey && other.safety !== "readonly";
  return [
    ...(isSafer ? [`@${one.safety}`] : []),
    ...(losesKey ? ["@idempotencyKey"] : []),
  ];
}

/**
 * Returns the errors, except `refusals`, that only the first method can return.
 * If neither method lists its errors, errors that only one contract declares
 * are excluded: `error-no-delete` reports removed errors, and clients of such
 * methods have to expect new ones.
 */
function errorsOnlyIn(
  one: PlacedMethod,
  other: PlacedMethod,
  otherContract: Contract,
  refusals: readonly string[],
): readonly string[] {
  const isOpen = one.method.errors === null && other.method.errors === null;
  const known = [...errorsOf(other.host, other.method), ...refusals];
  return errorsOf(one.host, one.method).filter(
    (name) =>
      !known.includes(name) &&
      !(isOpen && otherContract.errors.every((error) => error.name !== name)),
  );
}
