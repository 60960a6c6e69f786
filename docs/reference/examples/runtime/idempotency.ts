// Answers each call of a method with [`@idempotencyKey`](../../idempotency.md) once.
import {
  answersTable,
  encryptAnswers,
  idempotency,
  memoryAnswers,
  pgConnection,
  postgresAnswers,
} from "@ridlkit/runtime/idempotency";
import type { RequestContext } from "@ridlkit/runtime/server";
import { createShopServer } from "../generated/server.js";
import { required } from "../shop.js";

createShopServer({
  ...required,
  idempotency: idempotency(memoryAnswers({ maxLength: 1_000_000 }), {
    keepMs: 60 * 60 * 1000,
    maxAnswerLength: 10_000,
    keepsError: (name) => name !== "SoldOut",
  }),
});

// Stands for the driver of a database.
interface Client {
  query(text: string, parameters?: readonly unknown[]): Promise<unknown[]>;
}
declare const client: Client;
export const migrate = (): Promise<unknown> => client.query(answersTable);

export const answers = postgresAnswers<Client>(
  {
    query: (client, text, parameters) => client.query(text, parameters),
    transaction: async (run) => {
      await client.query("BEGIN");
      const result = await run(client);
      await client.query("COMMIT");
      return result;
    },
  },
  { beginsOnJoin: true, graceMs: 1000 },
);

// With the package pg, `new Pool()`.
export const openAnswers = (pool: Parameters<typeof pgConnection>[0]) =>
  postgresAnswers(pgConnection(pool, { maxConnections: 5, queueMs: 500 }));

// A part of a handler.
export const order = (sku: string, context: RequestContext): Promise<unknown> =>
  answers.join(context, (client) =>
    client.query("INSERT INTO orders VALUES ($1) RETURNING id", [sku]),
  );

// Answers with secrets are encrypted.
const algorithm = { name: "AES-GCM", length: 256 };
const key = await crypto.subtle.generateKey(algorithm, false, [
  "encrypt",
  "decrypt",
]);
createShopServer({
  ...required,
  idempotency: idempotency(encryptAnswers(answers, key)),
});
