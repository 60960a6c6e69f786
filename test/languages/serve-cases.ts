import { createServer, type IncomingMessage } from "node:http";
import { isDeepStrictEqual, inspect } from "node:util";
import { toNodeHandler } from "../../runtime/hosts/node/node.js";
import {
  bodyOf,
  type CannedResponse,
  type ClientCase,
  clientCases,
  messageOf,
  methodOf,
} from "../conformance/client-cases.js";
import type { WireOptions } from "../conformance/load-contract.js";
import { contract, serveContract } from "../conformance/served-contract.js";
import { listen } from "../support/listen.js";

/** Servers for clients in other languages that run `client-cases.jsonl`. */
export interface ServedCases {
  /** Address of the server of the contract. */
  readonly server: string;
  /** Address of a server that returns the `response` of a case. */
  readonly canned: string;
  /**
   * Address of a server with two paths. `POST /respond` chooses the case for
   * `canned`, and `POST /received` returns what the handler received instead of
   * the request of a case, or nothing. Both get the name of the case as text.
   */
  readonly control: string;
  readonly close: () => Promise<void>;
}

/** Large integers are compared as such, and timestamps as instants. */
const form: WireOptions = { int64: "bigint", timestamp: "date" };

/** Starts the servers. */
export async function serveCases(): Promise<ServedCases> {
  const { seen, server } = await serveContract(form);
  let chosen: CannedResponse = { status: 500, body: "no case is chosen" };
  const all = await Promise.all([
    listen(createServer(toNodeHandler(server))),
    listen(
      createServer((request, response) => {
        request.resume();
        const type = { "content-type": "application/json" };
        response.writeHead(chosen.status, { ...type, ...chosen.headers });
        response.end(bodyOf(chosen));
      }),
    ),
    listen(
      createServer((request, response) => {
        void findCase(request).then((given) => {
          if (request.url === "/respond") chosen = given.response ?? chosen;
          const isReceived = request.url === "/received";
          response.end(isReceived ? differenceIn(given, seen()) : "");
        });
      }),
    ),
  ]);
  const [{ url: address }, { url: canned }, { url: control }] = all;
  const close = async (): Promise<void> => {
    await Promise.all(all.map((each) => each.close()));
  };
  return { server: address, canned, control, close };
}

async function findCase(request: IncomingMessage): Promise<ClientCase> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const name = Buffer.concat(chunks).toString();
  const found = clientCases.find((given) => given.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}

function differenceIn(given: ClientCase, seen: unknown): string {
  const json = given.echo ?? given.received;
  if (json === undefined) return "";
  const { request } = methodOf(contract, given);
  const wanted = messageOf(contract, request.fields, json, form);
  return isDeepStrictEqual(seen, wanted) ? "" : inspect(seen, { depth: null });
}
