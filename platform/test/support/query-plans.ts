import pg from "pg";
import { onTestFinished, vi } from "vitest";

/** A statement, as it was sent. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Notes the statements that are sent from now on to the end of the test.
 *
 * Output: tells which of them read a whole table, however large it gets. Input
 * of that: a database with the same tables.
 */
export function watchQueries(): (url: string) => Promise<readonly string[]> {
  const statements = new Map<string, Statement>();
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  return async (url) => {
    for (const [first, second] of query.mock.calls) {
      const text = typeof first === "string" ? first : Object(first).text;
      const values = Array.isArray(second) ? second : Object(first).values;
      if (!/^\s*(?:with|select|update|delete|insert)\b/iu.test(text)) continue;
      statements.set(text, { text, values: values ?? [] });
    }
    query.mockRestore();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // Now it reads a whole table only where it knows of no index.
      await client.query("set enable_seqscan = off");
      const found: string[] = [];
      for (const { text, values } of statements.values()) {
        const { rows } = await client.query(`explain ${text}`, [...values]);
        const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
        if (/Seq Scan on/u.test(plan)) found.push(`${text}\n${plan}`);
      }
      return found;
    } finally {
      await client.end();
    }
  };
}
