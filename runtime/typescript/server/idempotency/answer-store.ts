import type { RequestFacts } from "../model/context.js";

/** A call with a key. */
export interface KeyedCall {
  /**
   * A hash of 43 characters of the key, the caller, the method, its host, and the
   * parameters of the base path. Equal only for repetitions of a call.
   */
  readonly id: string;
  /**
   * IDs that earlier versions of the runtime gave to the call. The call does not
   * run if one of them has an answer or is running. Different calls can share
   * them. Default: none. Only stores with `looksUpFormerIds` get them.
   */
  readonly formerIds?: readonly string[];
  /** How long to keep the answer, in milliseconds. */
  readonly keepMs: number;
  /**
   * How long its handler may run, in milliseconds: the server's `timeoutMs`. The
   * client's own deadline, which `context` has, can end before the handler does.
   */
  readonly timeoutMs: number;
  /** The context of the request, for values that handlers read. */
  readonly context: RequestFacts;
}

/** An answer as stores keep it. */
export interface StoredAnswer {
  /** The answer and a hash of the request, as text. */
  readonly text: string;
  /** Whether the answer is an error. If so, a transaction is rolled back. */
  readonly isError: boolean;
}

/** What a store did with a call. */
export type KeyOutcome =
  /** It ran the call. */
  | { readonly kind: "ran" }
  /** It did not run the call, because another one with its ID is running. */
  | { readonly kind: "running" }
  /**
   * It did not run the call, because it has an answer. `id` is the former ID of
   * the answer. Otherwise, it has the ID of the call.
   */
  | { readonly kind: "stored"; readonly text: string; readonly id?: string };

/** Keeps answers, and lets calls run once. */
export interface AnswerStore {
  /**
   * Whether `once` looks up former IDs, too. If not, it is called for each of
   * them. Default: false.
   */
  readonly looksUpFormerIds?: boolean;
  /**
   * Runs a call unless it is running or has an answer, and keeps its answer. All
   * instances of a server share these facts.
   *
   * Input: `run` never rejects. If it returns null, the call failed without an
   * answer to keep, and can run again.
   * Errors: any error. The client then gets an internal error, even if the call
   * has run.
   */
  once(
    call: KeyedCall,
    run: () => Promise<StoredAnswer | null>,
  ): Promise<KeyOutcome>;
}

/** Returns under which ID of a call an answer was stored. */
export function storedId(
  { formerIds = [], id }: KeyedCall,
  answer: { readonly id?: string },
): string {
  // A store of stores may have changed the ID.
  return formerIds.find((each) => each === answer.id) ?? id;
}
