import { createServer, type ServerResponse } from "node:http";

import { toEnvelope } from "@ridlkit/runtime/errors";
import { toNodeHandler } from "@ridlkit/runtime/node";
import type { RpcServer } from "@ridlkit/runtime/server";
import { closeGracefully } from "@ridlkit/runtime/shutdown";

import { PermissionDeniedError } from "../../generated/errors.js";
import { noteClientAddress } from "../http/client-address.js";
import { createHostCheck } from "../http/host-check.js";
import { listen } from "../http/listen.js";
import { assignRequestId } from "../http/request-id.js";
import type { Settings } from "../settings/read-settings.js";
import { answerPage, pageHeaders } from "./serve-page.js";

/** A console that is listening. */
export interface RunningConsole {
  /** The URL of the page, e.g. `http://127.0.0.1:4243`. */
  readonly url: string;
  close(graceMs: number): Promise<void>;
}

/** Options for serving the console. */
export interface ConsoleHostOptions extends Pick<
  Settings,
  "adminHost" | "adminPort" | "adminNames" | "proxyHeader"
> {
  /** The folder of the page's files. */
  readonly pageFolder?: string;
}

/** The folder of the built page, relative to the working directory. */
const defaultPageFolder = "dist/console";

/**
 * Serves the console over HTTP.
 *
 * Errors: rejects if the server cannot listen, e.g. if the port is taken.
 */
export async function serveConsole(
  rpc: RpcServer,
  options: ConsoleHostOptions,
): Promise<RunningConsole> {
  const { adminHost, adminNames, adminPort, proxyHeader } = options;
  const { pageFolder = defaultPageFolder } = options;
  const answerCall = toNodeHandler(rpc);
  const isOwnHost = createHostCheck([adminHost, ...adminNames]);
  const server = createServer((request, response) => {
    assignRequestId(request, response);
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

/** Rejects a request whose host is not one of the console's names. */
function refuseHost(header: string, response: ServerResponse): void {
  const cause = `Host: the console does not accept the name ${JSON.stringify(header)}; add it to adminNames in the settings`;
  const envelope = toEnvelope(new PermissionDeniedError({ cause }));
  response.writeHead(envelope.status, { "content-type": "application/json" });
  response.end(JSON.stringify(envelope));
}
