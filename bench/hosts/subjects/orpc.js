import { RPCHandler } from "@orpc/server/fetch";
import { router } from "../../server/subjects/orpc-router.js";

export function create() {
  const handler = new RPCHandler(router);
  return async (request) => {
    const context = { key: request.headers.get("x-access-key") };
    const { response } = await handler.handle(request, { context });
    return response;
  };
}
