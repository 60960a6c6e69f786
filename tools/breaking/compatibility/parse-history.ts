import type {
  GoneAddress,
  History,
  HostHistory,
  PastChange,
  PastContract,
  PastPlace,
} from "../../../generator/values/history.js";
import {
  InvalidHistory,
  listOf,
  memberOf,
  parseOldType,
  recordOf,
  toText,
} from "./parse-old-type.js";

/**
 * Reads the file that `ridl breaking --record` wrote. Returns null if the text is
 * not such a file. Unknown members are dropped.
 */
export function parseHistory(text: string): History | null {
  try {
    const hosts = recordOf(memberOf(JSON.parse(text), "hosts"));
    return { hosts: mapRecord(hosts, toHost) };
  } catch (error) {
    if (error instanceof InvalidHistory || error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

/** Returns what a history says about a host, or null. */
export function historyOf(
  { hosts }: History,
  host: string,
): HostHistory | null {
  return Object.hasOwn(hosts, host) ? (hosts[host] ?? null) : null;
}

function toHost(value: unknown): HostHistory {
  const settings = memberOf(value, "settings");
  return {
    ...identityOf(value),
    past: listIn(value, "past").map(toContract),
    ...(settings !== undefined && { settings: toMethods(settings) }),
  };
}

function toContract(value: unknown): PastContract {
  return {
    ...identityOf(value),
    methods: toMethods(memberOf(value, "methods")),
    gone: listIn(value, "gone").map(toGone),
  };
}

function toMethods(value: unknown): PastContract["methods"] {
  return mapRecord(recordOf(value), (changes) => listOf(changes).map(toChange));
}

function identityOf(value: unknown): Pick<HostHistory, "digest" | "version"> {
  return { digest: textIn(value, "digest"), version: textIn(value, "version") };
}

function toChange(value: unknown): PastChange {
  const side = textIn(value, "side");
  if (side !== "request" && side !== "response" && side !== "call") {
    throw new InvalidHistory();
  }
  const [got, places, sent] = ["got", "places", "sent"].map((name) =>
    memberOf(value, name),
  );
  return {
    text: textIn(value, "text"),
    isCertain: memberOf(value, "isCertain") === true,
    side,
    ...(places !== undefined && { places: listOf(places).map(toPlace) }),
    ...(got !== undefined && { got: listOf(got).map(toText) }),
    ...(sent !== undefined && {
      sent: { header: textIn(sent, "header"), scheme: textIn(sent, "scheme") },
    }),
    since: textIn(value, "since"),
  };
}

function toPlace(value: unknown): PastPlace {
  const [except, now, only] = ["except", "now", "only"].map((name) =>
    memberOf(value, name),
  );
  const key = memberOf(value, "key");
  return {
    at: textIn(value, "at"),
    was: parseOldType(memberOf(value, "was")),
    ...(now !== undefined && { now: parseOldType(now) }),
    ...(key !== undefined && { key: parseOldType(key) }),
    ...(only !== undefined && { only: toText(only) }),
    ...(memberOf(value, "isRequired") === true && { isRequired: true }),
    ...(except !== undefined && { except: listOf(except).map(toText) }),
  };
}

function toGone(value: unknown): GoneAddress {
  const takers = memberOf(value, "takers");
  return {
    verb: textIn(value, "verb"),
    path: textIn(value, "path"),
    ...(takers !== undefined && { takers: listOf(takers).map(toText) }),
    text: textIn(value, "text"),
    since: textIn(value, "since"),
  };
}

function mapRecord<Value>(
  record: Readonly<Record<string, unknown>>,
  map: (value: unknown) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, map(value)]),
  );
}

function listIn(value: unknown, name: string): readonly unknown[] {
  return listOf(memberOf(value, name));
}

function textIn(value: unknown, name: string): string {
  return toText(memberOf(value, name));
}
