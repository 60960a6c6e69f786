import type { ColumnType, Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Tables of the project console. */
export interface ConsoleTables {
  readonly operator_sessions: OperatorSessionTable;
  readonly operator_actions: OperatorActionTable;
  readonly project_calls: ProjectCallTable;
}

/** Operators who have signed in. */
export interface OperatorSessionTable {
  /** HMAC of the session's secret, which itself is not kept. */
  readonly hash: Buffer;
  readonly operator: string;
  readonly created_at: CreatedAt;
  expires_at: Date;
}

/** What operators did. */
export interface OperatorActionTable {
  readonly id: Generated<number>;
  readonly operator: string;
  /** E.g. `Projects/CreateProject`. */
  readonly method: string;
  readonly project_id: number | null;
  /** Arguments without secrets, written as JSON text. */
  readonly details: ColumnType<
    Readonly<Record<string, unknown>>,
    string,
    never
  >;
  /** null: it is under way, or the server stopped in the meantime. */
  is_done: boolean | null;
  /** Name of the error, if it failed. */
  error: string | null;
  readonly created_at: CreatedAt;
}

/** How often projects called methods on each day. */
export interface ProjectCallTable {
  readonly project_id: number;
  /** In UTC: `YYYY-MM-DD`. */
  readonly day: string;
  readonly service: string;
  readonly method: string;
  readonly calls: number;
  readonly failures: number;
}
