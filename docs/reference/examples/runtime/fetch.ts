// Converts a handler from the server's own form to the web-standard form. Generated servers already have a `fetch` function, so only handlers that wrap a server need this function.
import { toFetch } from "@ridlkit/runtime/fetch";
import { server } from "../shop.js";

// Adds a header to every response.
const fetch = toFetch(async (request) => {
  const response = await server.handle(request);
  return { ...response, headers: { ...response.headers, "x-shop": "1" } };
});
const request = new Request("https://shop.example/rpc/Shop/GetBook", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ isbn: "9780262510875" }),
});
const response = await fetch(request);
console.log(response.status, response.headers.get("x-shop")); // 200 1
