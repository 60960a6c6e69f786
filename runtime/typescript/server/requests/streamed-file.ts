import type { FileData } from "../../wire/file-data.js";

/**
 * Returns a file that is still being received. It can be read once.
 *
 * Input: a function that returns the next piece of the content, or null at its
 * end, and one that is called if the rest is not wanted.
 */
export function streamedFile(
  head: Pick<FileData, "name" | "type">,
  read: () => Promise<Uint8Array | null>,
  cancel: () => void,
): FileData {
  let isTaken = false;
  const pull = async (
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> => {
    const piece = await read();
    if (piece === null) controller.close();
    else controller.enqueue(piece);
  };
  const stream = (): ReadableStream<Uint8Array> => {
    if (isTaken) throw new TypeError("the file was already read");
    isTaken = true;
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  };
  return { ...head, stream };
}
