import fastify from "fastify";
import { jsonSchema } from "../contract/json-schema.js";
import { accessKey, handlers } from "../contract/messages.js";

export async function listen() {
  const app = fastify();
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers["x-access-key"] === accessKey) return;
    return reply.code(401).send({ error: "AccessKeyNotFound" });
  });
  for (const [name, handler] of Object.entries(handlers)) {
    const schema = {
      body: jsonSchema(`${name}Request`),
      response: { 200: jsonSchema(`${name}Response`) },
    };
    app.post(`/${name}`, { schema }, (request, reply) => {
      reply.send(handler(request.body));
    });
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}
