// Creates servers from tables of methods. Generated functions such as `createShopServer` call `createServer`.
import {
  createServer,
  readBasicCredential,
} from "@ridlkit/runtime/codegen/create-server";

// Without methods, a server responds to every request with 404.
export const empty = createServer({}, []);

// Tables read credentials with the scheme `Basic` like this.
console.log(readBasicCredential("YWRhOnNlY3JldA==")?.username); // ada
