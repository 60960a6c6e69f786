import pg from "pg";

/**
 * Runs work with a connection outside the pool, which it closes afterward.
 *
 * Errors: any error from pg or from the work.
 */
export async function withClient<Result>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(options);
  // A lost connection also makes queries fail. Without a listener, the error
  // event would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
