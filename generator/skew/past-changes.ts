import type { Change } from "../diff/index.js";
import type { MethodChanges } from "../diff/method-changes.js";
import { credentialsOf } from "../ir/credentials-of.js";
import type {
  Contract,
  Credential,
  Method,
  TypeReference,
} from "../ir/contract.js";
import { isFileField } from "../ir/request-parts.js";
import { parsePathTemplate, shapeOf } from "../ir/path-template.js";
import { typesIn, typesWithin } from "../values/reachable-types.js";
import { valuesOf } from "../values/value.js";
import type { GoneAddress, PastChange } from "../values/history.js";

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

/**
 * Describes the changes that break old clients of a method, as far as a server
 * needs them to explain failures.
 *
 * Input: the changes of a method, and both contracts.
 */
export function describePast(
  found: MethodChanges,
  old: Contract,
  recent: Contract,
): MethodPast {
  const { after, before, changes } = found;
  const { method, service } = (after ?? before).subject;
  const name = `${service}.${method}`;
  const breaking = changes.filter(
    ({ effects: { wire } }) => wire !== undefined && wire !== "note",
  );
  const names =
    after === null ? new Set<string>() : uniqueNames(after.method, recent);
  const described = breaking.map((change) =>
    describeChange(change, { names, old, recent, found }),
  );
  const address = addressOf(before.method);
  const isGone =
    after === null || keyOf(addressOf(after.method)) !== keyOf(address);
  const moved = breaking.find(({ code }) => movingRules.has(code));
  return {
    name,
    gone:
      isGone && address !== null
        ? {
            ...address,
            text: moved?.message ?? `method \`${name}\` was removed`,
          }
        : null,
    changes: described,
  };
}

const movingRules: ReadonlySet<string> = new Set([
  "basepath-same",
  "method-same-route",
]);

function addressOf({
  route,
}: Method): Pick<GoneAddress, "path" | "verb"> | null {
  switch (route.kind) {
    case "rpc":
      return { verb: "POST", path: route.path };
    case "rest":
      return { verb: route.verb, path: route.path.text };
    case "webhook":
      return null;
  }
}

function keyOf(address: ReturnType<typeof addressOf>): string {
  return address === null
    ? ""
    : `${address.verb} ${shapeOf(parsePathTemplate(address.path))}`;
}

/** What the description of a change depends on. */
interface Surroundings {
  readonly found: MethodChanges;
  readonly old: Contract;
  readonly recent: Contract;
  /** Names that only one field in the request has. */
  readonly names: ReadonlySet<string>;
}

function describeChange(
  change: Change,
  { found, names, old, recent }: Surroundings,
): BareChange {
  const { effects, field, message, path = "" } = change;
  const [, side, , steps = ""] = placePattern.exec(path) ?? [];
  const isCertain = effects.wire === "error";
  if (side !== "request" && side !== "response") {
    const texts = refusalsOf(change, found, old, recent);
    const got = texts.length > 0 && { got: texts };
    return { text: crop(message), isCertain, side: "call", ...got };
  }
  if (side === "response") return { text: crop(message), isCertain, side };
  const at = withoutVariants(field === undefined ? steps : join(steps, field));
  const got = reasonOf(change, old);
  return {
    text: crop(message),
    isCertain,
    side,
    at,
    ...(field !== undefined && names.has(field) && { key: field }),
    ...(got && { got }),
  };
}

/** The path of a change, e.g. ``the request of `Shop.Put`, `book.price` ``. */
const placePattern = /^the (request|response) of `([^`]*)`(?:, `([^`]*)`)?$/u;

function join(steps: string, field: string): string {
  return steps === "" ? field : `${steps}.${field}`;
}

/** Variants of unions have no place of their own on the wire. */
function withoutVariants(steps: string): string {
  return steps.replaceAll(/\([^()]*\)/gu, "");
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
    const then = credentialsOf(before.method, old).map(describeMissing);
    return credentialsOf(after.method, recent)
      .map(describeMissing)
      .filter((place) => !then.includes(place));
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
function contentOf({ request, route }: Method): string {
  if (request.fields.some(isFileField)) return "parts";
  if (route.kind !== "rest" || route.requestBody.kind === "none") return "json";
  return route.requestBody.format === "json" ? "json" : "form";
}

/** Describes a missing credential as servers do. */
function describeMissing({ parameter, place, scheme }: Credential): string {
  const names = {
    cookie: "cookie",
    header: "header",
    query: "query parameter",
  };
  const after = place === "header" && scheme !== null ? ` with ${scheme}` : "";
  const count = place === "header" ? "a" : "one";
  return `${names[place]} ${parameter}${after}: expected ${count} credential`;
}

/** What a server gets from an old client if the change is why it fails. */
function reasonOf(
  { before, code }: Change,
  old: Contract,
): readonly string[] | null {
  if (absenceRules.has(code)) return ["nothing", "null"];
  if (code === "request-field-no-forbid-null") return ["null"];
  if (!valueRules.has(code) || before?.kind !== "member") return null;
  const type = old.types.find(({ name }) => name === before.type);
  const member =
    type?.kind === "enum" &&
    type.members.find(({ name }) => name === before.name);
  return member ? [JSON.stringify(member.jsonValue)] : null;
}

/** Changes that only affect requests without a field. */
const absenceRules: ReadonlySet<string> = new Set([
  "field-same-json-name",
  "request-field-no-add-required",
  "request-field-optional-to-required",
]);

/** Changes that only affect requests with a value of an enum. */
const valueRules: ReadonlySet<string> = new Set([
  "enum-value-no-delete",
  "enum-value-same-json",
]);

/**
 * Returns the JSON names that only one field in a request has. A map can have
 * any name as a key, so there are none if the request has maps.
 */
function uniqueNames(
  { request }: Method,
  contract: Contract,
): ReadonlySet<string> {
  const values = valuesOf(contract);
  const types = new Set(
    request.fields.flatMap(({ type }) => [...typesWithin(values, type)]),
  );
  if (request.struct !== null) types.delete(request.struct);
  const declared = [...types].map((name) => values.type(name));
  const fields = [
    ...request.fields,
    ...declared.flatMap((type) => (type.kind === "struct" ? type.fields : [])),
  ];
  const used = [
    ...fields.map(({ type }) => type),
    ...declared.flatMap((type) => [...typesIn(type)]),
  ];
  if (used.some(hasMap)) return new Set();
  const names = fields.map(({ jsonName }) => jsonName);
  const isOnly = (name: string): boolean =>
    names.indexOf(name) === names.lastIndexOf(name);
  return new Set(names.filter(isOnly));
}

function hasMap(type: TypeReference): boolean {
  switch (type.kind) {
    case "list":
      return hasMap(type.element);
    case "map":
      return true;
    case "scalar":
    case "reference":
      return false;
  }
}
