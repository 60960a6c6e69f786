import type { CheckName } from "./checks.js";
import { hasOwnRefusals } from "./own-refusals.js";
import type { TestedMethod } from "./tested-method.js";

/** How a request ended. */
export interface RequestOutcome {
  /** The name of the error, or "success". */
  readonly name: string;
  readonly status: number;
}

/** The outcomes of the requests of a method. */
export class Outcomes {
  /** The names of the outcomes of valid messages, by their keys. */
  readonly #valid = new Map<string, string>();
  /** Numbers of refused requests, by the keys of their outcomes. */
  readonly #refused = new Map<CheckName, Map<string, number>>();
  readonly #tested: TestedMethod;
  readonly #isOwn: boolean;

  constructor(tested: TestedMethod) {
    this.#tested = tested;
    this.#isOwn = hasOwnRefusals(tested);
  }

  /** Adds the outcome of a request that the contract allows or does not allow. */
  add(
    check: CheckName,
    isValid: boolean,
    { name, status }: RequestOutcome,
  ): void {
    // All errors without a declaration have the same name.
    const key = `${name} ${status}`;
    if (isValid) {
      this.#valid.set(key, name);
      return;
    }
    const counts = this.#refused.get(check) ?? new Map<string, number>();
    counts.set(key, (counts.get(key) ?? 0) + 1);
    this.#refused.set(check, counts);
  }

  /**
   * Counts the refusals of a check that prove nothing: valid messages got the
   * same errors, and none succeeded. A refusal that the contract defines proves
   * that the server found the fault.
   */
  unprovenIn(check: CheckName): number {
    if (!this.#hasOnlyErrors || othersThanMessages.has(check)) return 0;
    return [...(this.#refused.get(check) ?? [])]
      .filter(([key]) => this.#valid.has(key))
      .reduce((sum, [, count]) => sum + count, 0);
  }

  /** Whether all messages can have failed for the same reason, valid or not. */
  get isUnproven(): boolean {
    return this.#hasOnlyErrors && this.isUniform;
  }

  get #hasOnlyErrors(): boolean {
    const names = [...this.#valid.values()];
    return this.#isOwn && names.length > 0 && !names.includes("success");
  }

  /** Whether no invalid message had another outcome than a valid one. */
  get isUniform(): boolean {
    return [...this.#refused].every(
      ([check, counts]) =>
        othersThanMessages.has(check) ||
        [...counts.keys()].every((key) => this.#valid.has(key)),
    );
  }

  /**
   * Returns the errors of valid messages if each refuses a credential. Otherwise,
   * the list is empty.
   */
  get credentialErrors(): readonly string[] {
    const { credentials } = this.#tested.method;
    const errors = new Set(credentials.map(({ error }) => error));
    // A server with refusals of its own can have others for wrong credentials.
    const wrong = this.#isOwn ? this.#refused.get("credentials") : undefined;
    const isAll = [...this.#valid].every(
      ([key, name]) => errors.has(name) || wrong?.has(key) === true,
    );
    return isAll ? [...this.#valid.values()] : [];
  }
}

/** Checks whose requests have another fault than the message. */
const othersThanMessages: ReadonlySet<CheckName> = new Set([
  "credentials",
  "routes and verbs",
]);
