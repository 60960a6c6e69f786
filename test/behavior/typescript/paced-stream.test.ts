import { expect, it } from "vitest";
import { defaultSendLimits } from "../../../runtime/typescript/server/model/pace.js";
import { fileStream } from "../../../runtime/typescript/server/responses/file-response.js";
import { PacedStream } from "../../../runtime/typescript/server/responses/paced-stream.js";
import { countTurns } from "./count-turns.js";

it.each(["a file whose pieces are ready", "a long piece"])(
  "lets other events in between pieces of %s",
  async (kind) => {
    const sizes = kind === "a long piece" ? [2 ** 21] : Array(20).fill(10);
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const size = sizes.shift();
          if (size === undefined) return controller.close();
          controller.enqueue(new Uint8Array(size));
        },
      });
    const { signal } = new AbortController();
    const source = fileStream({ stream }, signal, () => {});
    const paced = new PacedStream(source, defaultSendLimits);
    const { pieces, turns } = await countTurns(paced);
    expect(pieces).toBeGreaterThanOrEqual(20);
    expect(turns).toBeGreaterThanOrEqual(pieces - 1);
  },
);
