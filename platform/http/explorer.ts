import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import {
  createExplorerServer,
  type ExplorerValues,
} from "@ridlkit/runtime/explorer";
import { toFetch } from "@ridlkit/runtime/fetch";
import {
  composeServers,
  type RpcServer,
  type ServerResponse,
} from "@ridlkit/runtime/server";
import { LRUCache } from "lru-cache";

import { accepts } from "./accepts.js";

/** The folder of the generated explorer, relative to the working directory. */
const defaultFolder = "generated/explorer";

/**
 * Serves the contract's explorer at `/` if it was generated. Input: the initial
 * values of its forms, or null for the contract's examples.
 */
export function serveExplorer(
  values: ExplorerValues | null,
  folder: string = defaultFolder,
): RpcServer {
  if (!existsSync(folder)) return composeServers();
  return withCompression(
    createExplorerServer((name) => readFileSync(join(folder, name), "utf8"), {
      ...(values && { values }),
    }),
  );
}

/** The number of compressed files to cache. */
const maxFiles = 20;

/** Wraps a server of files so that it compresses them if a client accepts it. */
function withCompression(server: RpcServer): RpcServer {
  const known = new LRUCache<string, Uint8Array>({ max: maxFiles });
  const handle: RpcServer["handle"] = async (request) => {
    const answer = await server.handle(request);
    const { body } = answer;
    if (body === "") return answer;
    const headers = { ...answer.headers, vary: "accept-encoding" };
    if (!accepts(request.header("accept-encoding"), "gzip")) {
      return { ...answer, headers };
    }
    const bytes = known.get(body) ?? gzipSync(body);
    known.set(body, bytes);
    return {
      ...answer,
      headers: { ...headers, "content-encoding": "gzip" },
      ...{ body: "", stream: streamOf(bytes) },
    };
  };
  return { ...server, handle, fetch: toFetch(handle) };
}

/** Returns a body that consists of one piece. */
function streamOf(bytes: Uint8Array): NonNullable<ServerResponse["stream"]> {
  let next: Uint8Array | null = bytes;
  return {
    take: () => {
      const piece = next;
      next = null;
      return piece;
    },
    cancel: () => {
      next = null;
    },
  };
}
