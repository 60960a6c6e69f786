import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { NoSuchRoomError } from "../golden/fixtures/explorer/expected/errors.js";
import { createRoomsServer } from "../golden/fixtures/explorer/expected/server.js";

/** A server for the `explorer` golden case, and a record of its calls. */
export interface Rooms {
  readonly server: RpcServer;
  /** The messages that handlers received, in order of arrival. */
  readonly received: unknown[];
  /** The rooms whose calls were aborted or whose streams ended. */
  readonly left: string[];
}

/**
 * Creates the server. The room `slow` never responds, `endless` never ends,
 * `torrent` sends a lot of data, and `none` does not exist.
 */
export function createRooms(): Rooms {
  const received: unknown[] = [];
  const left: string[] = [];
  const files = new Map<string, Blob>();
  const server = createRoomsServer({
    verifyToken: (token) => token === "let-me-in",
    handlers: {
      rooms: {
        async say(request, { signal }) {
          received.push(request);
          if (request.room === "none") throw new NoSuchRoomError();
          if (request.room === "slow") {
            await new Promise((resolve) =>
              signal.addEventListener("abort", resolve),
            );
            left.push("slow");
          }
          return { message: request.message };
        },
        async *listen({ room }, { signal }) {
          try {
            for (let id = 1n; id <= 3n; id += 1n) {
              yield { message: { id, text: `m${id}`, parent: null } };
            }
            if (room === "none") throw new NoSuchRoomError();
            for (let id = 4n; room === "torrent" && id <= 3003n; id += 1n) {
              const text = "m".repeat(500);
              yield { message: { id, text, parent: null } };
              // Send each item in a separate chunk.
              await new Promise((resolve) => setTimeout(resolve));
            }
            if (room === "endless") {
              await new Promise((resolve) =>
                signal.addEventListener("abort", resolve),
              );
            }
          } finally {
            left.push(room);
          }
        },
        find(request) {
          received.push(request);
          return { messages: [] };
        },
        clear: () => ({}),
        async upload({ others = [], picture, room }) {
          const blob = await new Response(picture.stream()).blob();
          files.set(room, blob);
          received.push([room, picture.name, blob.size, others.length]);
          return { size: blob.size };
        },
        download({ room }) {
          const content = files.get(room) ?? new Blob();
          return { file: new File([content], `größe of ${room}.txt`) };
        },
      },
    },
  });
  return { server, received, left };
}
