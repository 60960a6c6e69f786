import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, inspect } from "node:util";
import { stringifyJson } from "../../runtime/typescript/wire/json.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import {
  bodyOf,
  type CannedResponse,
  type ClientCase,
  clientCases,
  messageOf,
  methodOf,
} from "./conformance/client-cases.js";
import type { WireOptions } from "./conformance/load-contract.js";
import { contract, serveContract } from "./conformance/served-contract.js";
import { listen } from "../support/listen.js";

/** Servers for clients in other languages that run `client-cases.jsonl`. */
export interface ServedCases {
  /**
   * The environment of a program that runs the cases. `CASES` is the path of the
   * file, `SERVER` the address of the server of the contract, and `CANNED` that
   * of a server that returns the `response` of a case. The server at `CONTROL`
   * has two paths: `POST /respond` chooses the case for `CANNED`, and `POST
   * /received` returns what the handler received instead of the request of a
   * case, or nothing. Both get the name of the case as text.
   */
  readonly env: Readonly<Record<string, string>>;
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
  const [{ url: SERVER }, { url: CANNED }, { url: CONTROL }] = all;
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-cases-"));
  const CASES = join(folder, "cases.jsonl");
  const lines = clientCases
    .filter(isKnown)
    .map((given) => stringifyJson(given));
  writeFileSync(CASES, `${lines.join("\n")}\n`);
  const env = { CANNED, CASES, CONTROL, SERVER };
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true });
    await Promise.all(all.map((each) => each.close()));
  };
  return { env, close };
}

/** Whether the example in Kotlin has what a case needs. */
function isKnown({ name, needs = [] }: ClientCase): boolean {
  return (
    !name.startsWith("client credentials:") &&
    !needs.some((need) => /^(?:forms|headers|idempotency|server)/u.test(need))
  );
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
