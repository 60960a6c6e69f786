import { fork, type ChildProcess } from "node:child_process";
import type { SendRow } from "./run-rows.js";
import { sendRow } from "./send.js";

/** A server in a process of its own, which may hang or die of a request. */
export class ChildServer {
  readonly #start: () => ChildProcess;
  readonly #patienceMs: number;
  #child: ChildProcess | null = null;
  #port = 0;

  /**
   * Input: a program that serves, and sends its port to its parent; how long it
   * may take for an answer.
   */
  constructor(program: string, args: readonly string[], patienceMs = 5000) {
    this.#start = () => fork(program, args);
    this.#patienceMs = patienceMs;
  }

  /** Sends to it; starts it again after a request that it did not answer. */
  readonly send: SendRow = async (method, row) => {
    if (this.#child === null) await this.#open();
    const answer = await sendRow(this.#port, method, row, this.#patienceMs);
    if (answer === null) this.close();
    return answer;
  };

  /** Ends it, whatever it does. */
  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  async #open(): Promise<void> {
    const child = this.#start();
    this.#child = child;
    child.on("exit", () => {
      if (this.#child === child) this.#child = null;
    });
    this.#port = await new Promise((resolve, reject) => {
      child.once("message", (port) => resolve(Number(port)));
      child.once("exit", () => reject(new Error("the server did not start")));
    });
  }
}
