// Connects a client to a server in the same process, for tests and server-side rendering.
import { inProcess, stubCall } from "@ridlkit/runtime/in-process";
import { createShopClient, type ShopClient } from "../generated/client.js";
import { server } from "../shop.js";

const shop = createShopClient({ baseUrl: "", fetch: inProcess(server) });
console.log(await shop.listBooks());

// A test of code that uses one method of a client needs no server.
const books: Pick<ShopClient, "listBooks"> = {
  listBooks: stubCall(() => ({ books: [], next: "" })),
};
console.log(await books.listBooks());
