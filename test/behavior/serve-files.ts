import type * as keys from "../../runtime/typescript/server/idempotency.js";
import type { FileData } from "../../runtime/typescript/wire/file-data.js";
import type { Listening } from "../support/listen.js";
import { loadGenerated, readContract, serve } from "./load-contract.js";

/** A contract with files and webhooks. */
export const filesContract = readContract("files.ridl");

/** Starts a server of the contract. It keeps uploads for downloads. */
export async function serveFiles(): Promise<Listening> {
  const exports = await loadGenerated("files.ridl", [
    "@ridlkit/runtime/idempotency",
  ]);
  const { idempotency, memoryAnswers } = exports as unknown as typeof keys;
  let orders = 0;
  const stored = new Map<string, File>();
  const readFile = async (file: FileData): Promise<File> => {
    const { name = "", type } = file;
    const content = await new Response(file.stream()).arrayBuffer();
    return new File([content], name, { type });
  };
  const NotFound = exports["PictureNotFoundError"] as new () => Error;
  return serve(exports, "createFilesServer", {
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
}

interface Upload {
  readonly title: string;
  readonly picture: FileData;
}
