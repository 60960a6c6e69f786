import { fill, h } from "../../explorer/views/element.js";
import type { Documents } from "../editor/share.js";
import type { StartWorker } from "../editor/workspace.js";
import { ClosedError, Remote } from "../worker/remote.js";
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
    // The old frame may have already sent its location.
    this.#frame = null;
    this.#running = "";
  }

  /** Starts the mock server for documents, unless it already serves them. */
  async serve(documents: Documents): Promise<void> {
    const text = JSON.stringify(documents);
    if (text === this.#running) return;
    this.#running = text;
    this.#remote?.close();
    const remote = new Remote<MockApi>(this.#startWorker(), () =>
      this.#fail("The mock server failed or did not respond, and was stopped."),
    );
    this.#remote = remote;
    const { port1, port2 } = new MessageChannel();
    try {
      const html = await remote.call("start", documents, port2);
      if (remote !== this.#remote) return;
      if (html === null) this.#say("The contract has errors or no service.");
      else await this.#open({ html, hash: this.#hash }, port1);
    } catch (error) {
      // A worker that was stopped has already been reported.
      if (remote !== this.#remote || error instanceof ClosedError) return;
      this.#fail(`The mock server failed: ${String(error)}.`);
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

  /** Shows a failure. When the panel is shown again, the server restarts. */
  #fail(text: string): void {
    this.#running = "";
    this.#say(`${text} Select this tab again to restart it.`);
  }

  #say(text: string): void {
    this.#frame = null;
    fill(this.element, h("p", { class: "notice", role: "status" }, text));
  }
}
