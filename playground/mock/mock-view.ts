import { fill, h } from "../../explorer/views/element.js";
import type { Documents } from "../share.js";
import type { StartWorker } from "../editor/workspace.js";
import { Remote } from "../worker/remote.js";
import type { FramePlace, FrameStart } from "./frame-protocol.js";
import type { MockApi } from "./mock-api.js";

/** The explorer for the contract, connected to a mock server. */
export class MockView {
  readonly element = h("div", { class: "mock" });
  readonly #startWorker: StartWorker;
  #remote: Remote<MockApi> | null = null;
  #frame: HTMLIFrameElement | null = null;
  /** The documents that the mock server serves, as JSON. */
  #running = "";
  #hash = "";

  constructor(startWorker: StartWorker) {
    this.#startWorker = startWorker;
    this.#say("The mock server starts when the contract has no errors.");
    window.addEventListener(
      "message",
      ({ data, source }: MessageEvent<FramePlace>) => {
        if (source === this.#frame?.contentWindow)
          this.#hash = String(data.hash);
      },
    );
  }

  /**
   * Forgets the location, so that the next contract opens at the first page.
   */
  forgetPlace(): void {
    this.#hash = "";
  }

  /** Starts the mock server for documents, unless it already serves them. */
  async serve(documents: Documents): Promise<void> {
    const text = JSON.stringify(documents);
    if (text === this.#running) return;
    this.#running = text;
    this.#remote?.close();
    const remote = new Remote<MockApi>(this.#startWorker(), () =>
      this.#say("The mock server did not respond and was stopped."),
    );
    this.#remote = remote;
    const { port1, port2 } = new MessageChannel();
    try {
      const html = await remote.call("start", documents, port2);
      if (remote !== this.#remote) return;
      if (html === null) this.#say("The contract has errors or no service.");
      else await this.#open({ html, hash: this.#hash }, port1);
    } catch (error) {
      if (remote === this.#remote)
        this.#say(`The mock server failed: ${String(error)}`);
    }
  }

  /**
   * Opens the explorer in a sandboxed frame that can communicate only through
   * the port.
   */
  async #open(start: FrameStart, port: MessagePort): Promise<void> {
    const frame = h("iframe", {
      title: "Contract explorer",
      sandbox: "allow-scripts allow-forms allow-downloads",
      src: "explorer/frame.html",
    });
    this.#frame = frame;
    const isLoaded = new Promise((resolve) => {
      frame.addEventListener("load", resolve, { once: true });
    });
    fill(this.element, frame);
    await isLoaded;
    frame.contentWindow?.postMessage(start, "*", [port]);
  }

  #say(text: string): void {
    this.#frame = null;
    fill(this.element, h("p", { class: "notice", role: "status" }, text));
  }
}
