import { fastify } from "fastify";
import { toFastifyPlugin } from "../../../../runtime/typescript/hosts/fastify.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { announce, closeAfterSignal } from "./listen.js";

export async function serve(server: RpcServer): Promise<void> {
  const app = fastify();
  await app.register(toFastifyPlugin(server));
  await app.listen({ port: 0, host: "127.0.0.1" });
  announce(app.server);
  closeAfterSignal(app.server);
}
