import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "../../runtime/hosts/node/node.js";
import type { RpcServer } from "../../runtime/server/server.js";
import {
  generateContract,
  loadGenerated,
  readContract,
} from "../conformance/load-contract.js";
import { type Listening, listen } from "../support/listen.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A contract with forms, headers and statuses. */
export const restContract = readContract(folder, "rest.ridl");

/** What `Parts.Put` returns besides the page. */
interface Put {
  readonly id: number;
  readonly revision: string;
  readonly counts: readonly number[];
  readonly flag?: boolean;
  readonly text: string;
  readonly words?: readonly string[];
}

/** Starts a server of the contract. Most methods return what they receive. */
export async function serveRest(): Promise<Listening> {
  const exports = await loadGenerated(
    root,
    generateContract(folder, "rest.ridl", {
      int64: "number",
      timestamp: "string",
    }),
  );
  const createServerOf = exports["createRestServer"] as (
    options: object,
  ) => RpcServer;
  const Limit = exports["LimitReachedError"] as new (options: object) => Error;
  const limit = { left: 1, retryIn: 7 };
  const receive = (received: unknown): object => ({ received });
  const server = createServerOf({
    handlers: {
      parts: {
        form: receive,
        brackets: receive,
        change: receive,
        put: ({ id, revision, text, ...rest }: Put) => ({
          page: { pageID: String(id), text },
          location: `/pages/${String(id)}?${revision}`,
          ...rest,
        }),
        delete: ({ id }: { id: number }) => ({ left: id }),
        create: ({ name }: { name: string }) => {
          if (name === "limit") throw new Limit({ data: limit });
          if (name === "") return {};
          return name === "later"
            ? { ticket: { position: 1 } }
            : { report: { name } };
        },
        replace: ({ name }: { name: string }) => ({
          status: name === "new" ? 201 : 200,
          report: { name },
        }),
        refresh: () => undefined,
      },
    },
  });
  return listen(createServer(toNodeHandler(server)));
}
