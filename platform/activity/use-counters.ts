import { sql } from "kysely";
import type { Logger } from "pino";

import type { Database } from "../database/schema.js";
import { createFailureLog } from "../process/failures/failure-log.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";

/** A completed call made by a project. */
export interface ProjectCall {
  readonly projectId: number;
  readonly service: string;
  readonly method: string;
  readonly requestId: string;
  /** The handle of the network, or null if the call was not for a single one. */
  readonly network: string | null;
  /** The HTTP status. */
  readonly status: number;
  /** The name of the error, or null if the call succeeded. */
  readonly error: string | null;
  /** Why the call failed, or null. */
  readonly cause: string | null;
  /** The ID of the call's trace, or null if it was not traced. */
  readonly traceId: string | null;
  /** Paths of invalid fields. */
  readonly invalidFields: readonly string[];
  readonly durationMs: number;
}

/** Counts and logs projects' calls, and records when their keys are used. */
export interface UseCounters {
  noteCall(call: ProjectCall): void;
  noteAccessKey(id: number): void;
  noteSecret(id: string): void;
  /** Writes the collected counts to the database. */
  flush(): Promise<void>;
}

/** Counts since the last write. */
interface Counts {
  readonly calls: Map<string, CountedCalls>;
  readonly accessKeys: Set<number>;
  readonly secrets: Set<string>;
  readonly logged: LoggedCall[];
  /** The number of logged calls by project and success. */
  readonly loggedOf: Map<string, number>;
}

/** A call with the time at which it was answered. */
interface LoggedCall extends ProjectCall {
  readonly createdAt: Date;
}

interface CountedCalls extends Pick<
  ProjectCall,
  "projectId" | "service" | "method"
> {
  readonly day: string;
  calls: number;
  failures: number;
}

/**
 * The maximum number of entries in each collection of `Counts`. Until the next
 * write, calls and keys that need a new entry are not counted.
 */
const maxEntries = 50_000;

/** How many successful calls and how many failed ones a project logs per write. */
const maxLoggedOfProject = 100;

const maxLogged = 10_000;

const noCounts = (): Counts => ({
  calls: new Map(),
  accessKeys: new Set(),
  secrets: new Set(),
  logged: [],
  loggedOf: new Map(),
});

/**
 * Creates counters that count in memory, so that a call needs no database
 * statement. Counts that could not be written are kept until the next write, up
 * to a limit.
 */
export function createUseCounters(database: Database): UseCounters {
  let counts = noCounts();
  const add = (call: CountedCalls): void => {
    const { day, method, projectId, service } = call;
    const key = [projectId, day, service, method].join(" ");
    const known = counts.calls.get(key);
    if (known === undefined) {
      if (counts.calls.size < maxEntries) counts.calls.set(key, { ...call });
      return;
    }
    known.calls += call.calls;
    known.failures += call.failures;
  };
  const note = <Id>(ids: Set<Id>, id: Id): void => {
    if (ids.size < maxEntries) ids.add(id);
  };
  const log = (call: LoggedCall): void => {
    const { logged, loggedOf } = counts;
    const group = `${call.projectId} ${call.error === null}`;
    const count = loggedOf.get(group) ?? 0;
    if (count >= maxLoggedOfProject || logged.length >= maxLogged) return;
    loggedOf.set(group, count + 1);
    logged.push(call);
  };
  return {
    noteCall: (call) => {
      const { error, method, projectId, service } = call;
      const createdAt = new Date();
      const day = createdAt.toISOString().slice(0, 10);
      const failures = Number(error !== null);
      add({ projectId, service, method, day, calls: 1, failures });
      log({ ...call, createdAt });
    },
    noteAccessKey: (id) => note(counts.accessKeys, id),
    noteSecret: (id) => note(counts.secrets, id),
    flush: async () => {
      const { accessKeys, calls, logged, secrets } = counts;
      counts = noCounts();
      try {
        await database.transaction().execute(async (transaction) => {
          await writeCalls(transaction, [...calls.values()]);
          await writeUses(transaction, "access_keys", [...accessKeys]);
          await writeUses(transaction, "secrets", [...secrets]);
          await writeLog(transaction, logged);
        });
      } catch (error) {
        for (const call of calls.values()) add(call);
        for (const id of accessKeys) note(counts.accessKeys, id);
        for (const id of secrets) note(counts.secrets, id);
        for (const call of logged) log(call);
        throw error;
      }
    },
  };
}

async function writeCalls(
  database: Database,
  calls: readonly CountedCalls[],
): Promise<void> {
  if (calls.length === 0) return;
  // Sort the rows, so that concurrent instances do not deadlock.
  await sql`
    insert into project_calls as known
      (project_id, day, service, method, calls, failures)
    select * from unnest(
      ${calls.map(({ projectId }) => projectId)}::bigint[],
      ${calls.map(({ day }) => day)}::date[],
      ${calls.map(({ service }) => service)}::text[],
      ${calls.map(({ method }) => method)}::text[],
      ${calls.map((each) => each.calls)}::bigint[],
      ${calls.map(({ failures }) => failures)}::bigint[]
    )
    order by 1, 2, 3, 4
    on conflict (project_id, day, service, method) do update
    set calls = known.calls + excluded.calls,
      failures = known.failures + excluded.failures`.execute(database);
}

async function writeLog(
  database: Database,
  logged: readonly LoggedCall[],
): Promise<void> {
  if (logged.length === 0) return;
  await sql`
    insert into logged_calls (project_id, request_id, service, method, network,
      status, error, cause, trace_id, invalid_fields, duration_ms, created_at)
    select * from json_to_recordset(${JSON.stringify(logged)}) as _ (
      "projectId" bigint, "requestId" text, service text, method text,
      network text, status integer, error text, cause text, "traceId" text,
      "invalidFields" text[],
      "durationMs" integer, "createdAt" timestamptz
    )`.execute(database);
}

async function writeUses(
  database: Database,
  table: "access_keys" | "secrets",
  ids: readonly (number | string)[],
): Promise<void> {
  if (ids.length === 0) return;
  const type = sql.raw(table === "secrets" ? "text[]" : "bigint[]");
  await sql`
    update ${sql.table(table)} set last_used_at = now()
    where id in (
      select id from ${sql.table(table)}
      where id = any(${ids}::${type}) order by id for update
    )`.execute(database);
}

/** The pause between writes of the counts. */
const pauseMs = 5000;

/** Writes counts every few seconds, and once more when stopped. */
export function startFlushing(
  { flush }: UseCounters,
  log: Logger,
  everyMs: number = pauseMs,
): Stoppable {
  const failures = createFailureLog(log, "cannot write usage counts");
  const write = () => flush().then(failures.clear, failures.note);
  const { ended, stop } = repeatUntilStopped(everyMs, write);
  return { ended, stop: () => stop().then(write) };
}
