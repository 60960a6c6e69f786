import pg from "pg";
import { onTestFinished, vi } from "vitest";

/** A statement, as it was sent. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * The statement before on its connection, if it sets something for the
   * transaction.
   */
  readonly setting?: string;
}

/** A step of a plan, as PostgreSQL describes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  /** Only set for statements that read, because writes are not executed. */
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What the statements read. */
export interface QueryPlans {
  /** The number of statements. */
  readonly count: number;
  /** Statements that read a whole table, however large it becomes. */
  readonly scans: readonly string[];
  /** The largest number of rows that a single step of a query read. */
  readonly mostRows: number;
  /** The statement that contains this step. */
  readonly heaviest: string;
}

/**
 * Records statements from now until the test ends.
 *
 * Output: a function that takes the database's URL and explains how the
 * statements are executed.
 */
export function watchQueries(): (url: string) => Promise<QueryPlans> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  return async (url) => {
    const calls = pairWithSettings(query.mock).filter(({ text }) =>
      /^\s*(?:with|select|update|delete|insert)\b/iu.test(text),
    );
    query.mockRestore();
    const statements = new Map(calls.map((call) => [call.text, call]));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // From now on, PostgreSQL reads a whole table only if no index is usable.
      await client.query("set enable_seqscan = off");
      const scans: string[] = [];
      let mostRows = 0;
      let heaviest = "";
      for (const statement of statements.values()) {
        for (const node of await explain(client, statement)) {
          const { "Node Type": type, "Relation Name": table } = node;
          const { "Actual Rows": found = 0, "Actual Loops": loops = 0 } = node;
          const { "Rows Removed by Filter": removed = 0 } = node;
          if (type === "Seq Scan") scans.push(`${table}: ${statement.text}`);
          const rows = (found + removed) * loops;
          if (rows <= mostRows) continue;
          mostRows = rows;
          heaviest = statement.text;
        }
      }
      return { count: calls.length, scans, mostRows, heaviest };
    } finally {
      await client.end();
    }
  };
}

/** What a spy saw: the connection and the arguments of each call. */
interface Seen {
  readonly contexts: readonly unknown[];
  readonly calls: readonly (readonly unknown[])[];
}

/** Finds the setting of each statement. Connections can take turns. */
export function pairWithSettings({
  calls,
  contexts,
}: Seen): readonly Statement[] {
  const last = new Map<unknown, Statement>();
  return calls.map(([first, values], at) => {
    const statement = toStatement(first, values);
    const setting = settingOf(last.get(contexts[at]));
    last.set(contexts[at], statement);
    return { ...statement, setting };
  });
}

function settingOf(statement: Statement | undefined): string {
  const { text = "" } = statement ?? {};
  return text.startsWith("set local") ? text : "";
}

function toStatement(first: unknown, second: unknown): Statement {
  const { text, values } = Object(first);
  if (typeof first === "string") {
    return { text: first, values: Array.isArray(second) ? second : [] };
  }
  return { text: String(text), values: values ?? [] };
}

async function explain(
  client: pg.Client,
  { setting = "", text, values }: Statement,
): Promise<readonly PlanNode[]> {
  // Writes are not repeated.
  const isRead = !/\b(?:insert into|delete from|update \S+ set)\b/iu.test(text);
  const options = isRead ? "analyze, format json" : "format json";
  const question = `explain (${options}) ${text}`;
  await client.query(`begin; ${setting}`);
  const { rows } = await client.query(question, [...values]);
  await client.query("rollback");
  return rows.flatMap((row) => flatten(row["QUERY PLAN"][0].Plan));
}

function flatten(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
