import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A process of `ridl mock`. */
export interface Mock {
  readonly url: string;
  readonly close: () => void;
}

/** Starts `ridl mock` for documents in a folder. Needs a build. */
export function startMock(
  folder: string,
  documents: readonly string[],
): Promise<Mock> {
  const args = [`${root}bin/ridl.js`, "mock", ...documents, "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: folder });
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (data: Buffer): void => {
      output += String(data);
      const [url] = /http:\/\/[\d.]+:\d+/u.exec(output) ?? [];
      if (url !== undefined) resolve({ url, close: () => void child.kill() });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("close", () => reject(new Error(output)));
  });
}
