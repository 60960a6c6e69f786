// Forwards requests to a server with `@fastify/reply-from`. Usage: node
// reply-from.js PORT
import replyFrom from "@fastify/reply-from";
import { fastify } from "fastify";

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
await app.register(replyFrom, { base: `http://127.0.0.1:${process.argv[2]}` });
app.all("/*", (request, reply) => reply.from(request.raw.url));
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`"port":${app.server.address().port}`);
