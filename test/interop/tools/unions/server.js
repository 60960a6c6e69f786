// The server that clients call with values of unions. It returns each request.
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { SoldOutError } from "../.work/unions/generated/errors.js";
import { createUnionsServer } from "../.work/unions/generated/server.js";

const echo = (request) => request;

/** Starts the server. Returns its address and a function to stop it. */
export async function startServer() {
  const unions = {
    tagged(request) {
      const { value } = request;
      if (value.kind === "paid" && value.amount === 0n)
        throw new SoldOutError({ data: { left: 3 } });
      return request;
    },
    nested: echo,
    open: echo,
    numbered: echo,
    untagged: echo,
    kinds: echo,
    recursive: echo,
    beside: echo,
    choice: echo,
    fields: echo,
  };
  const handle = toNodeHandler(createUnionsServer({ handlers: { unions } }));
  const server = createServer(handle).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address();
  return { address: `http://localhost:${port}`, close: () => server.close() };
}
