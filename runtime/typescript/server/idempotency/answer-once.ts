import { keyOfValue } from "../../values/unique.js";
import { encodeBytes } from "../../wire/bytes.js";
import { builtInErrors } from "../../wire/errors.js";
import type { ServerResponse } from "../model/exchange.js";
import type {
  Idempotency,
  KeyedAnswer,
  KeyedRequest,
} from "../model/idempotency.js";
import { keyOfMethod } from "../model/limits.js";
import { requireNumber } from "../model/option-number.js";
import { answerOf } from "../responses/failed-answer.js";
import { type AnswerStore, storedId } from "./answer-store.js";
import {
  answerTooLong,
  keyHeader,
  keyInUse,
  keyReused,
  readKey,
} from "./key-header.js";

/** Options for {@link idempotency}. */
export interface IdempotencyOptions {
  /**
   * How long an answer is kept, in milliseconds. After that, a call with the
   * same key runs again. Default: 24 hours.
   */
  readonly keepMs?: number;
  /**
   * Maximum length of an answer that is kept, in UTF-16 code units. If an answer
   * is longer, the call is not run again either, but its repetitions fail with
   * `WebrpcBadResponse`. Default: 1 MiB.
   */
  readonly maxAnswerLength?: number;
  /**
   * Returns whether a declared error is an answer to keep. If not, a call with
   * the same key runs again, as after an error that is temporary. Not called for
   * errors with the status 429 or from 500, which are never kept. Default: all
   * other declared errors are kept.
   *
   * Input: the name of the error.
   */
  readonly keepsError?: (name: string) => boolean;
}

/**
 * Returns the server option that answers calls with the same key once. Answers
 * are kept for each caller, which the server option `caller` returns, and each
 * method of a service host.
 *
 * Successes and declared errors are kept, except errors with the status 429 or
 * from 500. After any other failure, a call with the same key runs again.
 *
 * Example: `idempotency: idempotency(memoryAnswers())`.
 */
export function idempotency(
  store: AnswerStore,
  {
    keepMs = 86_400_000,
    maxAnswerLength = 1_048_576,
    keepsError = () => true,
  }: IdempotencyOptions = {},
): Idempotency {
  requireNumber("idempotency.keepMs", keepMs, 1);
  requireNumber("idempotency.maxAnswerLength", maxAnswerLength, 0);
  // The first call starts the clock, because some platforms have none before.
  let since: number | null = null;
  // For as long after an upgrade as old instances can run and their answers
  // last, if old instances run for at most `keepMs` beside new ones.
  const looksBack = (): boolean =>
    Date.now() < (since ??= Date.now()) + 2 * keepMs;
  return {
    answer: async (call) => {
      const { context, method, request, timeoutMs } = call;
      const header = request.header(keyHeader);
      if (header === null && method.idempotencyKey === "optional") {
        return { response: await call.run(), error: null };
      }
      const key = readKey(header);
      const caller = call.caller();
      // With the ID, equal requests of different calls have different hashes.
      const hashesFor = (id: string): Promise<RequestHashes> =>
        hashesOf(id, call);
      const id = await idOf(call, caller, key);
      const pastIds = looksBack() ? await formerIdsOf(call, caller, key) : [];
      const looksUp = store.looksUpFormerIds === true;
      if (!looksUp) {
        const past = await findOneOf(store, pastIds, keepMs, call);
        if (past !== null) {
          return repeat(await hashesFor(past.id), past.text);
        }
      }
      const formerIds = looksUp ? pastIds : [];
      const hashes = await hashesFor(id);
      const own: Own = { response: null, failure: null };
      const keyed = { id, formerIds, keepMs, timeoutMs, context };
      const outcome = await store.once(keyed, async () => {
        const answer = await run(call, own, keepsError);
        if (answer === null) return null;
        const isError = answer.error !== null;
        const text = JSON.stringify({ ...hashes, ...answer });
        return text.length <= maxAnswerLength
          ? { text, isError }
          : { text: JSON.stringify(hashes), isError };
      });
      switch (outcome.kind) {
        case "ran":
          if (own.response === null) throw own.failure;
          return { response: own.response, error: null };
        case "running":
          throw keyInUse();
        case "stored":
          return repeat(
            await hashesFor(storedId(keyed, outcome)),
            outcome.text,
          );
      }
    },
  };
}

/**
 * Hashes of a request. Of equal requests, one of them is equal. Versions of a
 * contract can read different values from a request, and a version can read equal
 * values from different texts.
 */
interface RequestHashes {
  /** A hash of the values that the server has read. */
  readonly digest: string;
  /** A hash of the values that the client has sent. */
  readonly sent: string;
}

async function hashesOf(
  id: string,
  { context: { parameters }, message, sent }: KeyedRequest,
): Promise<RequestHashes> {
  return {
    digest: await hash(`${id}${keyOfValue([parameters, message])}`),
    sent: await hash(`${id}[${keyOfValue(parameters)},${sent}]`),
  };
}

/**
 * Returns the ID of a call. Its scope is the host, the parameters of its base
 * path, the method, and the caller.
 */
function idOf(
  { context, method }: KeyedRequest,
  caller: string | null,
  key: string,
): Promise<string> {
  // The path of a REST method contains fields of the request.
  const isBase = method.route.kind !== "rest";
  const base = keyOfValue(isBase ? context.parameters : {});
  const scope = [method.host ?? "", base, caller, keyOfMethod(method), key];
  return hash(JSON.stringify(scope));
}

/**
 * Returns the IDs that earlier versions gave to a call, whose scope was the
 * tenant and the method. Servers that set `tenant` for this purpose alone may
 * have renamed it to `caller`, which returns null where `tenant` could return "".
 */
function formerIdsOf(
  call: KeyedRequest,
  caller: string | null,
  key: string,
): Promise<readonly string[]> {
  const tenants = new Set([...call.formerCallers(), caller, caller ?? ""]);
  const name = keyOfMethod(call.method);
  return Promise.all(
    Array.from(tenants, (each) => hash(JSON.stringify([each, name, key]))),
  );
}

/**
 * Finds the answer under one of some IDs in a store that takes one at a time.
 * Errors: `Refusal` if a call with one of them is running.
 */
async function findOneOf(
  store: AnswerStore,
  ids: readonly string[],
  keepMs: number,
  { context, timeoutMs }: KeyedRequest,
): Promise<{ readonly id: string; readonly text: string } | null> {
  for (const id of ids) {
    const run = (): Promise<null> => Promise.resolve(null);
    const past = await store.once({ id, keepMs, timeoutMs, context }, run);
    switch (past.kind) {
      case "ran":
        continue;
      case "running":
        throw keyInUse();
      case "stored":
        return { id, text: past.text };
    }
  }
  return null;
}

/** The outcome of the call that ran. */
interface Own {
  response: ServerResponse | null;
  failure: unknown;
}

/** An answer in its stored form. */
interface KeptAnswer extends Pick<
  ServerResponse,
  "status" | "headers" | "cookies" | "body"
> {
  /** Name of the error, or null for a success. */
  readonly error: string | null;
}

/** Runs a call. Returns its answer, or null if it must not be kept. */
async function run(
  call: KeyedRequest,
  own: Own,
  keepsError: (name: string) => boolean,
): Promise<KeptAnswer | null> {
  try {
    own.response = await call.run();
    return keep(call.withHeaders(own.response), null);
  } catch (failure) {
    own.failure = failure;
    const { error, response } = answerOf(failure, call.method);
    const { status } = response;
    const isKept =
      error !== null &&
      !Object.hasOwn(builtInErrors, error.name) &&
      status !== 429 &&
      status < 500 &&
      keepsError(error.name);
    return isKept ? keep(call.withHeaders(response), error.name) : null;
  }
}

function keep(
  { body, cookies = [], headers, status }: ServerResponse,
  error: string | null,
): KeptAnswer {
  const own = cookies.length > 0 && { cookies };
  return { status, headers, ...own, body, error };
}

/**
 * An answer with the hashes of its request. If it is too long, it has no body.
 * Earlier versions of the runtime stored only `digest`.
 */
type StoredAnswer = Partial<KeptAnswer> &
  Pick<RequestHashes, "digest"> &
  Partial<RequestHashes>;

/** Reads a stored answer. Errors: an Error if the store cut or changed it. */
function readStored(text: string): StoredAnswer {
  try {
    const stored = JSON.parse(text) as StoredAnswer;
    const { body, digest, status = 0 } = stored;
    if (body) JSON.parse(body);
    const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
    // Without a body, servers in Go store 0 as the status.
    const isWhole = body === undefined || isStatus;
    if (typeof digest === "string" && isWhole) return stored;
  } catch {
    // The error of the parser quotes the answer, which can be secret.
  }
  throw new Error("a stored answer is corrupt");
}

/** Responds as the first call with this key did. */
function repeat({ digest, sent }: RequestHashes, text: string): KeyedAnswer {
  const stored = readStored(text);
  const { body, cookies = [], error, headers, status } = stored;
  if (stored.digest !== digest && stored.sent !== sent) throw keyReused();
  if (body === undefined || headers === undefined || status === undefined) {
    throw answerTooLong();
  }
  return {
    response: { status, headers, cookies, body },
    error: error == null ? null : { name: error, code: 0, message: "", status },
  };
}

/** Returns the SHA-256 hash of a text, as base64 without padding. */
async function hash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return encodeBytes(new Uint8Array(digest)).slice(0, 43);
}
