import type { ColumnType, Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Sessions of operators. */
export interface OperatorSessionTable {
  /** HMAC of the session's secret. The secret itself is not stored. */
  readonly hash: Buffer;
  readonly operator: string;
  readonly created_at: CreatedAt;
  expires_at: Date;
  /**
   * A hash of the operator's password when the session started, or null if an
   * older version started it.
   */
  readonly credential: Buffer | null;
}

/** The audit log of operators' actions. */
export interface OperatorActionTable {
  readonly id: Generated<number>;
  readonly operator: string;
  /** The method that was called, e.g. `Projects/CreateProject`. */
  readonly method: string;
  readonly project_id: number | null;
  /** Arguments without secrets, stored as JSON text. */
  readonly details: ColumnType<
    Readonly<Record<string, unknown>>,
    string,
    never
  >;
  /**
   * Null if the action is still running or the server stopped before it
   * finished.
   */
  is_done: boolean | null;
  /** The name of the error if the action failed. */
  error: string | null;
  readonly created_at: CreatedAt;
}

/** The number of calls per project, method and day. */
export interface ProjectCallTable {
  readonly project_id: number;
  /** The day in UTC, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly service: string;
  readonly method: string;
  readonly calls: number;
  readonly failures: number;
}

/** The latest calls of each project. */
export interface LoggedCallTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly request_id: string;
  readonly service: string;
  readonly method: string;
  /** The handle of the network, or null if the call was not for a single one. */
  readonly network: string | null;
  /** The HTTP status. */
  readonly status: number;
  /** The name of the error if the call failed. */
  readonly error: string | null;
  /** Paths of invalid fields. */
  /** Null if the call succeeded, or if it was made before causes were kept. */
  readonly cause: string | null;
  readonly trace_id: string | null;
  readonly invalid_fields: readonly string[];
  readonly duration_ms: number;
  readonly created_at: Date;
}
