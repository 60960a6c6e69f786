import { isRecord } from "../ir/is-record.js";
import type {
  GoneAddress,
  History,
  HostHistory,
  PastChange,
  PastContract,
} from "../values/history.js";

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

class InvalidHistory extends Error {}

function toHost(value: unknown): HostHistory {
  return { ...identityOf(value), past: listIn(value, "past").map(toContract) };
}

function toContract(value: unknown): PastContract {
  const methods = recordOf(memberOf(value, "methods"));
  return {
    ...identityOf(value),
    methods: mapRecord(methods, (changes) => listOf(changes).map(toChange)),
    gone: listIn(value, "gone").map(toGone),
  };
}

function identityOf(value: unknown): Pick<HostHistory, "digest" | "version"> {
  return { digest: textIn(value, "digest"), version: textIn(value, "version") };
}

function toChange(value: unknown): PastChange {
  const side = textIn(value, "side");
  if (side !== "request" && side !== "response" && side !== "call") {
    throw new InvalidHistory();
  }
  const optional = (name: "at" | "key"): object =>
    memberOf(value, name) === undefined ? {} : { [name]: textIn(value, name) };
  const got = memberOf(value, "got");
  return {
    text: textIn(value, "text"),
    isCertain: memberOf(value, "isCertain") === true,
    side,
    ...optional("at"),
    ...optional("key"),
    ...(got !== undefined && { got: listOf(got).map(toText) }),
    since: textIn(value, "since"),
  };
}

function toGone(value: unknown): GoneAddress {
  return {
    verb: textIn(value, "verb"),
    path: textIn(value, "path"),
    text: textIn(value, "text"),
    since: textIn(value, "since"),
  };
}

function memberOf(value: unknown, name: string): unknown {
  const record = recordOf(value);
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new InvalidHistory();
  return value;
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

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidHistory();
  return value;
}

function textIn(value: unknown, name: string): string {
  return toText(memberOf(value, name));
}

function toText(value: unknown): string {
  if (typeof value !== "string") throw new InvalidHistory();
  return value;
}
