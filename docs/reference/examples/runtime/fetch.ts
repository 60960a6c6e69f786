// Converts requests and responses between the server's own form and the web-standard form. Generated servers already have a `fetch` function, so only adapters need these functions.
import { answerRequest, FetchRequest } from "@ridlkit/runtime/fetch";
import { toFetch, toReadable, toResponse } from "@ridlkit/runtime/fetch";
import { server } from "../shop.js";

const request = new Request("https://shop.example/rpc/Shop/GetBook", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ isbn: "9780262510875" }),
});
const answer = await server.handle(new FetchRequest(request.clone(), null));
console.log(toResponse(answer).status); // 200
console.log((await toFetch(server.handle)(request.clone())).status); // 200
console.log((await answerRequest(server.handle, request, null)).status); // 200

const pieces = ["one", "two"];
const stream = toReadable({
  next: async () => pieces.shift() ?? null,
  cancel: () => pieces.splice(0),
});
console.log(await new Response(stream).text()); // onetwo
