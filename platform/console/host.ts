import { createServer } from "node:http";

import { toNodeHandler } from "@ridlkit/runtime/node";
import type { RpcServer } from "@ridlkit/runtime/server";
import { closeGracefully } from "@ridlkit/runtime/shutdown";

import { noteClientAddress } from "../http/client-address.js";
import { listen } from "../http/listen.js";
import { giveRequestId } from "../http/request-id.js";
import { createHostCheck, refuseHost } from "./host-check.js";
import { answerPage, pageHeaders } from "./page.js";

/** A console that is listening. */
export interface RunningConsole {
  /** E.g. `http://127.0.0.1:4243`. */
  readonly url: string;
  close(graceMs: number): Promise<void>;
}

/** Where the console listens, and what it shows. */
export interface ConsoleHostOptions {
  readonly adminHost: string;
  /** 0: any that is free. */
  readonly adminPort: number;
  /** Names that its address has besides, for example in a proxy. */
  readonly adminNames: readonly string[];
  /** In which a proxy in front tells the address of the client; null: none. */
  readonly proxyHeader: string | null;
  /** Where the files of its page are. */
  readonly pageFolder?: string;
}

/** Where the page is built, seen from the folder of the project. */
const usualPageFolder = "dist/console";

/**
 * Serves the console by HTTP.
 *
 * Errors: rejects when the port is taken.
 */
export async function serveConsole(
  rpc: RpcServer,
  options: ConsoleHostOptions,
): Promise<RunningConsole> {
  const { adminHost, adminNames, adminPort, proxyHeader } = options;
  const { pageFolder = usualPageFolder } = options;
  const answerCall = toNodeHandler(rpc);
  const isOwnHost = createHostCheck([adminHost, ...adminNames]);
  const server = createServer((request, response) => {
    giveRequestId(request, response);
    noteClientAddress(request, proxyHeader);
    for (const [name, value] of Object.entries(pageHeaders)) {
      response.setHeader(name, value);
    }
    const { host } = request.headers;
    if (!isOwnHost(host)) refuseHost(host ?? "", response);
    else if (!answerPage(pageFolder, request, response)) {
      answerCall(request, response);
    }
  });
  const url = await listen(server, adminHost, adminPort);
  return {
    url,
    close: async (graceMs) => {
      await closeGracefully(server, { graceMs });
    },
  };
}
