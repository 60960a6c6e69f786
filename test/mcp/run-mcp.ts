import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { main } from "../../cli/main.js";
import { clientOf, type ToolClient } from "./connect.js";

/** A `ridl mcp` command that runs in this process. */
export interface RunningMcp {
  /** Connects a client with the given protocol revision or the default one. */
  connect(revision?: string): Promise<ToolClient>;
  /** Returns all output except messages. */
  printed(): { readonly stdout: string; readonly stderr: string };
  readonly streams: {
    readonly input: PassThrough;
    readonly output: PassThrough;
  };
  /** The exit code. */
  readonly done: Promise<number>;
  /** Closes its standard input. Returns the exit code. */
  end(): Promise<number>;
}

/** Runs `ridl mcp` in a folder. */
export function runMcp(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = ".",
): RunningMcp {
  const printed = { stdout: "", stderr: "" };
  const output = (name: "stderr" | "stdout") => ({
    isTerminal: false,
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const system = createNodeSystem({
    workingFolder: resolve(folder),
    environment,
    stdout: output("stdout"),
    stderr: output("stderr"),
  });
  const done = main(["mcp", ...args], {
    ...system,
    openStreams: () => streams,
  });
  return {
    connect: async (revision) => {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        revision === undefined
          ? {}
          : { versionNegotiation: { mode: { pin: revision } } },
      );
      // The transport is the same for clients and servers, except that the
      // streams are swapped.
      const { input, output } = streams;
      await client.connect(new StdioServerTransport(output, input));
      return clientOf(client);
    },
    streams,
    done,
    printed: () => printed,
    end: () => {
      streams.input.end();
      return done;
    },
  };
}
