import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { startEmbeddedDatabase } from "../../platform/database/embedded.js";
import {
  answersTable,
  pgConnection,
  type PostgresAnswers,
  postgresAnswers,
} from "../../runtime/typescript/server/idempotency.js";

/** The answers that servers of an earlier version have stored. */
export const formerAnswers: readonly { id: string; answer: string }[] =
  JSON.parse(
    readFileSync(new URL("former-answers.json", import.meta.url), "utf8"),
  );

/** A database with the table of answers. */
export interface AnswersDatabase {
  readonly url: string;
  /** The store that servers in TypeScript use. */
  readonly answers: PostgresAnswers<pg.PoolClient>;
  /** Removes all answers. */
  readonly forget: () => Promise<unknown>;
  /** Adds the answers of an earlier version. */
  readonly addFormer: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts PostgreSQL, and creates the table of answers. */
export async function startAnswersDatabase(): Promise<AnswersDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-answers-"));
  // Root needs another account to run the database.
  chmodSync(folder, 0o755);
  const log = pino({ level: "silent" });
  const { stop, url } = await startEmbeddedDatabase(folder, log);
  const pool = new pg.Pool({ connectionString: url });
  await pool.query(answersTable);
  return {
    url,
    answers: postgresAnswers(pgConnection(pool)),
    forget: () => pool.query("DELETE FROM idempotent_answers"),
    addFormer: async () => {
      for (const { answer, id } of formerAnswers) {
        await pool.query(
          "INSERT INTO idempotent_answers VALUES ($1, $2, now() + interval '1 h')",
          [id, answer],
        );
      }
    },
    stop: async () => {
      await pool.end();
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
