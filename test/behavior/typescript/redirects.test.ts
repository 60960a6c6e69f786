import { beforeAll, describe, expect, it } from "vitest";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";
import { hosts } from "./hosts.js";

const ridl = `webrpc = v1
name = shop
version = v1.0.0

struct Moved
  - location: string
    + header = Location

type MovedData: Moved
  + dataOf = MovedPermanently

error 1301 MovedPermanently "moved permanently" HTTP 301

service Shop
  - Find(id: string) => (name: string) errors MovedPermanently
  @http:"DELETE /items/{id} 204"
  - Remove(id: string) errors MovedPermanently
  - Follow(id: string) => stream (name: string) errors MovedPermanently
`;

const location = "https://other.example/items/1";

let emitted: Exports;

beforeAll(async () => {
  emitted = await importContract(ridl);
});

function serve(): RpcServer {
  const move = (): never => {
    const Moved = Object(emitted["MovedPermanentlyError"]);
    throw Reflect.construct(Moved, [{ data: { location } }]);
  };
  async function* follow() {
    move();
  }
  const handlers = { shop: { find: move, remove: move, follow } };
  const create = exportedFunction(emitted, "createShopServer");
  return create({ handlers, onError: () => undefined }) as RpcServer;
}

describe.each(hosts)("a redirect on $name", ({ start }) => {
  it.each(["find", "remove"])("is an error of %s", async (name) => {
    const host = await start(serve());
    try {
      const create = exportedFunction(emitted, "createShopClient");
      const baseUrl = `http://127.0.0.1:${host.port ?? 80}`;
      const client = Object(create({ baseUrl, fetch: host.fetch }));
      const { error } = await client[name].result({ id: "1" });
      expect(error).toBeInstanceOf(Object(emitted["MovedPermanentlyError"]));
      expect(error).toMatchObject({ status: 301, data: { location } });
    } finally {
      await host.close();
    }
  });

  it("is an error of a stream before its first item", async () => {
    const host = await start(serve());
    try {
      const create = exportedFunction(emitted, "createShopClient");
      const baseUrl = `http://127.0.0.1:${host.port ?? 80}`;
      const client = Object(create({ baseUrl, fetch: host.fetch }));
      const items = client.follow({ id: "1" })[Symbol.asyncIterator]();
      await expect(items.next()).rejects.toMatchObject({
        name: "MovedPermanently",
        data: { location },
      });
    } finally {
      await host.close();
    }
  });
});
