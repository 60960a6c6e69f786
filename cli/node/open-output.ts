import type { LongOutput, Output } from "../system/system.js";
import type { AbsolutePath } from "../system/paths.js";

/**
 * Opens a file, or standard output if the path is null.
 *
 * Input: `replacement` is used instead of standard output.
 */
export function openOutput(
  path: AbsolutePath | null,
  replacement: Output | undefined,
): LongOutput {
  if (path === null && replacement !== undefined) {
    return {
      failed: new Promise(() => {}),
      write: async (chunk) => replacement.write(Buffer.from(chunk).toString()),
      close: async () => {},
    };
  }
  const { createWriteStream } = process.getBuiltinModule("node:fs");
  const stream = path === null ? process.stdout : createWriteStream(path);
  // The listener also keeps an error from ending the process.
  const failed = new Promise<unknown>((resolve) => {
    stream.once("error", resolve);
  });
  const failure = failed.then((error) => {
    throw error;
  });
  failure.catch(() => {});
  const wait = (begin: (done: () => void) => unknown): Promise<void> =>
    Promise.race([new Promise<void>((done) => void begin(done)), failure]);
  return {
    failed,
    write: (chunk) =>
      wait((done) =>
        stream.write(chunk) ? done() : stream.once("drain", done),
      ),
    close: () =>
      wait((done) => {
        if (path === null) return done();
        stream.once("finish", done);
        return stream.end();
      }),
  };
}
