import { parseArgs } from "node:util";

import {
  createAccessKey,
  createProject,
  createSecret,
  type KeyStore,
  revokeKey,
} from "../keys/key-store.js";
import type { Scope } from "../database/tables/keys.js";
import { listDeadJobs, replayDeadJobs } from "../queue/dead-jobs.js";
import { deliveryQueue } from "../services/indexer/index-blocks.js";
import {
  readWebhookSecret,
  rotateWebhookSecret,
} from "../services/indexer/webhook-secret.js";
import { fillGasTank } from "../services/relayer/gas-tanks.js";

/** The command cannot be run as it was given; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** All commands. */
export const usage = `Usage: npm run --silent platform -- <command>

  project create <name>          makes a project, and prints its number
  key create <project>           gives it an access key, and prints that
  key create <project> --secret  gives it a secret, and prints that
    --read-only                  the secret may not write
    --days <number>              how long it holds good; 365 unless given
  key revoke <key>               makes an access key or a secret worthless
  tank fill <project> <chain id> <amount>
                                 puts an amount of the smallest unit into its
                                 gas tank on a chain
  webhook secret <project>       prints what its webhooks are signed with
  webhook rotate <project>       replaces that secret, and prints the new one; for
                                 a day, webhooks are signed with both
  webhook dead                   lists the webhooks that have been given up
  webhook replay <key>           sends such a one again; all: all of them

Keys are printed once: the database does not keep them.
`;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Runs a command of the platform's administration.
 *
 * Output: what to print.
 * Errors: UsageError.
 */
export async function runCommand(
  store: KeyStore,
  words: readonly string[],
): Promise<string> {
  const { positionals, values } = readWords(words);
  const [subject, verb, ...given] = positionals;
  const command = commands[`${subject} ${verb}`];
  if (command === undefined || given.length !== command.values) {
    throw new UsageError(usage);
  }
  return command.run(store, values, ...given);
}

interface Flags {
  readonly secret: boolean;
  readonly "read-only": boolean;
  readonly days: string;
}

interface Command {
  /** How many there have to be. */
  readonly values: number;
  readonly run: (
    store: KeyStore,
    flags: Flags,
    ...values: readonly string[]
  ) => Promise<string>;
}

const commands: Readonly<Record<string, Command | undefined>> = {
  "project create": {
    values: 1,
    run: async (store, _, name = "") =>
      String((await createProject(store, name)).id),
  },
  "key create": { values: 1, run: createKey },
  "key revoke": {
    values: 1,
    run: async (store, _, key = "") => {
      if (await revokeKey(store, key)) return "revoked";
      throw new UsageError("there is no such key, or it is revoked already");
    },
  },
  "tank fill": { values: 3, run: fillTank },
  "webhook secret": {
    values: 1,
    run: async (store, _, project = "") =>
      readWebhookSecret(store, await findProject(store, project)),
  },
  "webhook rotate": {
    values: 1,
    run: async (store, _, project = "") =>
      rotateWebhookSecret(store, await findProject(store, project)),
  },
  "webhook dead": { values: 0, run: listDeadWebhooks },
  "webhook replay": { values: 1, run: replayWebhooks },
};

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        secret: { type: "boolean", default: false },
        "read-only": { type: "boolean", default: false },
        days: { type: "string", default: "365" },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\n\n${usage}`);
  }
}

async function createKey(
  store: KeyStore,
  flags: Flags,
  project = "",
): Promise<string> {
  const projectId = await findProject(store, project);
  if (!flags.secret) return (await createAccessKey(store, { projectId })).key;
  const days = Number(flags.days);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new UsageError("--days: expected a number of days");
  }
  const scopes: Scope[] = flags["read-only"] ? ["read"] : ["read", "write"];
  const expiresAt = new Date(Date.now() + days * dayMs);
  return (await createSecret(store, { projectId, scopes, expiresAt })).key;
}

async function fillTank(
  store: KeyStore,
  _: Flags,
  project = "",
  chain = "",
  amount = "",
): Promise<string> {
  const projectId = await findProject(store, project);
  const chainId = /^[0-9]+$/u.test(chain) ? Number(chain) : NaN;
  if (!Number.isSafeInteger(chainId)) {
    throw new UsageError(`expected a chain id, got ${chain}`);
  }
  if (!/^[0-9]{1,70}$/u.test(amount)) {
    throw new UsageError(`expected an amount in digits, got ${amount}`);
  }
  const { database } = store;
  await fillGasTank(database, { projectId, chainId }, BigInt(amount));
  return "filled";
}

/** How many are listed. */
const maxListed = 100;

async function listDeadWebhooks({ database }: KeyStore): Promise<string> {
  const jobs = await listDeadJobs(database, deliveryQueue, maxListed);
  const lines = jobs.map(
    ({ attempts, deadAt, key, reason }) =>
      `${key}  ${deadAt.toISOString()}  ${attempts} attempts  ${reason}`,
  );
  return lines.length === 0 ? "there are none" : lines.join("\n");
}

async function replayWebhooks(
  { database }: KeyStore,
  _: Flags,
  key = "",
): Promise<string> {
  const chosen = key === "all" ? {} : { key };
  const count = await replayDeadJobs(database, deliveryQueue, chosen);
  if (count > 0) return `${count} sent again`;
  throw new UsageError("no such webhook has been given up");
}

async function findProject(
  { database }: KeyStore,
  text: string,
): Promise<number> {
  const id = /^[0-9]+$/u.test(text) ? Number(text) : NaN;
  const row = Number.isSafeInteger(id)
    ? await database
        .selectFrom("projects")
        .select("id")
        .where("id", "=", id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new UsageError(`there is no project ${text}`);
  return row.id;
}
