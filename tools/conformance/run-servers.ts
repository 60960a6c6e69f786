import { request } from "node:http";
import { isRecord } from "../../generator/ir/is-record.js";
import { isSame } from "./canonical.js";
import { type CaseResult, type Exceptions, exceptionOf } from "./exceptions.js";
import type { ExactJson } from "./json.js";
import { limitMs } from "./run-clients.js";
import { type ServerCase, serverCases } from "./server-cases/index.js";

/** What is observed of a response. */
export interface SeenResponse {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** The cases of a server that reads 64-bit integers exactly, and timestamps as text or as instants. */
export const exactCases: readonly ServerCase[] = serverCases.filter(
  ({ int64, timestamp }) => int64 !== "number" && timestamp !== "string",
);

/** Runs cases one after another against the server at a base address. */
export async function runServers(
  cases: readonly ServerCase[],
  url: string,
  exceptions: Exceptions,
  json: ExactJson,
  onResult: (result: CaseResult) => boolean = () => true,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const given of cases) {
    const fault = await send(url, given).then(
      (found) => compareResponse(given, found, json),
      (error: unknown) => `no response: ${String(error)}`,
    );
    const exception = exceptionOf(given, exceptions, "server");
    const result = { name: given.name, exception, fault };
    results.push(result);
    if (!onResult(result)) break;
  }
  return results;
}

function send(url: string, given: ServerCase): Promise<SeenResponse> {
  const { verb = "POST", path, body = "{}" } = given;
  const { hostname, port } = new URL(url);
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const length =
    bytes === null ? {} : { "Content-Length": String(bytes.byteLength) };
  const type = { "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request({
      host: hostname,
      port,
      method: verb,
      path,
      headers: { ...length, ...(given.headers ?? type) },
      timeout: limitMs,
    });
    sent.on("timeout", () => sent.destroy(new Error("it took too long")));
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          header: (name) => {
            const value = response.headers[name];
            return typeof value === "string" ? value : null;
          },
        }),
      );
    });
    sent.end(bytes ?? undefined);
  });
}

/** Returns what is wrong with a response, or null. */
export function compareResponse(
  { answer: wanted }: ServerCase,
  found: SeenResponse,
  json: ExactJson,
): string | null {
  const { status, text, error, headers = {} } = wanted;
  if (found.status !== status)
    return `the status ${found.status} instead of ${status}: ${found.text.slice(0, 500)}`;
  if (text !== undefined && !isSameText(found.text, text, json))
    return `the body ${found.text.slice(0, 500)} instead of ${text.slice(0, 500)}`;
  if (found.text.includes("secret of the house")) return "it shows a secret";
  for (const [name, value] of Object.entries(headers)) {
    const got = found.header(name)?.replace(/; charset=utf-8$/u, "") ?? null;
    const isRight =
      value instanceof RegExp ? value.test(got ?? "") : got === value;
    if (!isRight)
      return `the header ${name}: ${String(got)} instead of ${String(value)}`;
  }
  return error === undefined ? null : compareEnvelope(wanted, found, json);
}

/** JSON may differ in what has no meaning, such as the order of members. */
function isSameText(
  found: string,
  wanted: string,
  { parse }: ExactJson,
): boolean {
  if (found === wanted) return true;
  try {
    return isSame(parse(found), parse(wanted));
  } catch {
    return false;
  }
}

function compareEnvelope(
  { cause, code, error, msg, status }: ServerCase["answer"],
  found: SeenResponse,
  { parse }: ExactJson,
): string | null {
  if (!/^application\/json(;|$)/u.test(found.header("content-type") ?? ""))
    return `the type ${String(found.header("content-type"))}`;
  const envelope = parse(found.text);
  if (!isRecord(envelope)) return `the body ${found.text} is no envelope`;
  const { cause: given, code: number, data: _, msg: message } = envelope;
  const isRight =
    envelope["error"] === error &&
    envelope["status"] === status &&
    typeof number === "number" &&
    (code === undefined || number === code) &&
    typeof message === "string" &&
    (msg === undefined || message === msg) &&
    (given === undefined || typeof given === "string") &&
    (cause !== null || given === undefined) &&
    (typeof cause !== "string" || String(given).startsWith(cause));
  return isRight ? null : `the envelope ${found.text}`;
}
