// Connects a client to a server in the same process, for tests and server-side rendering.
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShopClient } from "../generated/client.js";
import { server } from "../shop.js";

const shop = createShopClient({ baseUrl: "", fetch: inProcess(server) });
console.log(await shop.listBooks());
