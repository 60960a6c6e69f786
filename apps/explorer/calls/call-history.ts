import type { PageStorage } from "./page-storage.js";

/** A call that was made from this page. */
export interface PastCall {
  /** ID of its method. */
  readonly id: string;
  /** Time in milliseconds since 1970. */
  readonly at: number;
  /** Link to the form with the message, without secrets. */
  readonly link: string;
  /** Whether the link lacks files, or a part of the message. */
  readonly isPartial: boolean;
  /** Result, e.g. `200 OK`. */
  readonly result: string;
  readonly isOk: boolean;
  readonly milliseconds: number;
}

/** Older calls are dropped. */
const maxCalls = 50;
/** Larger messages would fill the tab's storage. */
const maxLink = 20_000;

const part = "history";

/** The latest calls, kept until the tab is closed. */
export class CallHistory {
  #calls: readonly PastCall[] = [];
  readonly #storage: PageStorage;

  constructor(storage: PageStorage) {
    this.#storage = storage;
    const kept = storage.read(part);
    if (Array.isArray(kept)) this.#calls = kept.filter(isCall);
  }

  /** Returns the calls, latest first. */
  get calls(): readonly PastCall[] {
    return this.#calls;
  }

  add(call: PastCall): void {
    if (call.link.length > maxLink) return;
    this.#calls = [call, ...this.#calls].slice(0, maxCalls);
    this.#save();
  }

  clear(): void {
    this.#calls = [];
    this.#save();
  }

  #save(): void {
    this.#storage.write(part, this.#calls);
  }
}

function isCall(value: unknown): value is PastCall {
  const call: Readonly<Record<string, unknown>> = Object(value);
  return (
    typeof call["id"] === "string" &&
    typeof call["at"] === "number" &&
    typeof call["link"] === "string" &&
    /^#/u.test(call["link"]) &&
    typeof call["isPartial"] === "boolean" &&
    typeof call["result"] === "string" &&
    typeof call["isOk"] === "boolean" &&
    typeof call["milliseconds"] === "number"
  );
}
