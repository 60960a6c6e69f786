import { fork, type ChildProcess } from "node:child_process";
import type { SendRow } from "./run-rows.js";
import { sendRow } from "./send.js";

/** A server in its own process, because a request may make it crash or hang. */
export class ChildServer {
  readonly #start: () => ChildProcess;
  readonly #patienceMs: number;
  #child: ChildProcess | null = null;
  #port = 0;

  /**
   * Input: a program that starts a server and sends its port to the parent
   * process, and the maximum response time.
   */
  constructor(program: string, args: readonly string[], patienceMs = 5000) {
    this.#start = () => fork(program, args);
    this.#patienceMs = patienceMs;
  }

  /**
   * Sends a request to the server. If the server does not respond, stops it.
   * The next request then starts a new one.
   */
  readonly send: SendRow = async (method, row) => {
    if (this.#child === null) await this.#open();
    const answer = await sendRow(this.#port, method, row, this.#patienceMs);
    if (answer === null) this.close();
    return answer;
  };

  /** Stops the server, even if it hangs. */
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
