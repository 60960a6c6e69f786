import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "../../runtime/hosts/node/node.js";
import type * as keys from "../../runtime/server/idempotency.js";
import type { RpcServer } from "../../runtime/server/server.js";
import type { FileData } from "../../runtime/wire/file-data.js";
import {
  generateContract,
  loadGenerated,
  readContract,
} from "../conformance/load-contract.js";
import { type Listening, listen } from "../support/listen.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A contract with files and webhooks. */
export const filesContract = readContract(folder, "files.ridl");

/** Starts a server of the contract. It keeps uploads for downloads. */
export async function serveFiles(): Promise<Listening> {
  const exports = await loadGenerated(
    root,
    generateContract(folder, "files.ridl", {
      int64: "number",
      timestamp: "string",
    }),
    ["@ridlkit/runtime/idempotency"],
  );
  const { idempotency, memoryAnswers } = exports as unknown as typeof keys;
  let orders = 0;
  const stored = new Map<string, File>();
  const readFile = async (file: FileData): Promise<File> => {
    const { name = "", type } = file;
    const content = await new Response(file.stream()).arrayBuffer();
    return new File([content], name, { type });
  };
  const createServerOf = exports["createFilesServer"] as (
    options: object,
  ) => RpcServer;
  const NotFound = exports["PictureNotFoundError"] as new () => Error;
  const server = createServerOf({
    idempotency: idempotency(memoryAnswers()),
    verifyToken: (token: string) => token === "token",
    handlers: {
      pictures: {
        upload: async ({ picture, title }: Upload) => {
          const file = await readFile(picture);
          stored.set(title, file);
          return { bytes: file.size, name: file.name };
        },
        uploadAll: ({ pictures }: { pictures: readonly FileData[] }) => ({
          count: pictures.length,
        }),
        download: ({ title }: { title: string }) => {
          const file = stored.get(title);
          if (file === undefined) throw new NotFound();
          return { file };
        },
        order: () => ({ number: (orders += 1) }),
        remove: ({ title }: { title: string }) => void stored.delete(title),
      },
    },
  });
  return listen(createServer(toNodeHandler(server)));
}

interface Upload {
  readonly title: string;
  readonly picture: FileData;
}
