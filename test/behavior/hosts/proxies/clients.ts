import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bin } from "../../python/pytest.js";
import { sizeOf, transfers, type Parts } from "./transfers.js";

/** What a client has received, and the reason of the error that ended it. */
export interface Outcome {
  readonly count: number;
  readonly failure: unknown;
}

/**
 * Reads all transfers of a server at once. Calls `onFirst` with the name of each
 * transfer of which something has arrived or that has ended.
 */
type Read = (
  baseUrl: string,
  ending: string,
  onFirst: (name: string) => void,
) => Promise<Readonly<Record<string, Outcome>>>;

/** A client, and the names of its transfers. */
export interface Client {
  readonly names: readonly string[];
  readonly read: Read;
}

async function readParts(
  parts: AsyncIterable<number>,
  onFirst: () => void,
): Promise<Outcome> {
  let count = 0;
  try {
    for await (const part of parts) {
      count += part;
      onFirst();
    }
    return { count, failure: null };
  } catch (error) {
    const { name, reason = name } = Object(error);
    return { count, failure: reason };
  } finally {
    onFirst();
  }
}

const readHere: Read = async (baseUrl, ending, onFirst) => {
  const read = async ([name, parts]: readonly [string, Parts]) =>
    [
      name,
      await readParts(parts(baseUrl, ending), () => onFirst(name)),
    ] as const;
  return Object.fromEntries(
    await Promise.all(Object.entries(transfers).map(read)),
  );
};

/** Returns what runs a client in another language. */
const programOf =
  (
    command: string,
    words: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Read =>
  async (baseUrl, ending, onFirst) => {
    const own = [baseUrl, ending, String(sizeOf(ending))];
    const child = spawn(command, [...words, ...own], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    const closed = once(child, "close");
    const outcomes: Record<string, Outcome> = {};
    for await (const line of createInterface({ input: child.stdout })) {
      const { name, count, isOver, failure = null } = JSON.parse(line);
      onFirst(name);
      if (isOver) outcomes[name] = { count, failure };
    }
    await closed;
    return outcomes;
  };

/**
 * Returns the clients of each language, without those whose language is not
 * installed.
 *
 * Input: the folder with the generated Python, and the program in Go or null.
 */
export function clientsIn(
  folder: string,
  goProgram: string | null,
): Readonly<Record<string, Client>> {
  const names = Object.keys(transfers);
  const words = ["-B", join(import.meta.dirname, "client.py")];
  const env = { PYTHONPATH: join(folder, "python") };
  return {
    TypeScript: { names, read: readHere },
    ...(goProgram !== null && { Go: { names, read: programOf(goProgram) } }),
    ...(existsSync(join(bin, "python")) && {
      Python: {
        names: [...names, ...names.map((name) => `asyncio: ${name}`)],
        read: programOf(join(bin, "python"), words, env),
      },
    }),
  };
}
