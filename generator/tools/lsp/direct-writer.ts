import type { Writable } from "node:stream";
import {
  AbstractMessageWriter,
  type Message,
  type MessageWriter,
} from "vscode-languageserver-protocol/node";

/**
 * Writes each message at once, in one piece. The writer of vscode-jsonrpc takes
 * several turns of the event loop for a message, and writes its header
 * separately, so responses reach the client later.
 */
export class DirectWriter
  extends AbstractMessageWriter
  implements MessageWriter
{
  readonly #output: Writable;

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.on("error", (error) => this.fireError(error));
    output.on("close", () => this.fireClose());
  }

  async write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    // Failures are reported by the event `error`.
    this.#output.write(header + body);
  }

  end(): void {
    this.#output.end();
  }
}
