import type { TabStorage } from "./connection-store.js";

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

/** The latest calls, kept until the tab is closed. */
export class CallHistory {
  #calls: readonly PastCall[] = [];
  readonly #storage: TabStorage | null;
  readonly #key: string;

  /** `storage` is null for a history that is lost when the page is closed. */
  constructor(name: string, storage: TabStorage | null) {
    this.#storage = storage;
    this.#key = `ridl-explorer-history ${name}`;
    try {
      const kept: unknown = JSON.parse(storage?.getItem(this.#key) ?? "[]");
      if (Array.isArray(kept)) this.#calls = kept.filter(isCall);
    } catch {
      // Storage is disabled or contains something else.
    }
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
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(this.#calls));
    } catch {
      // The history is only kept in memory.
    }
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
