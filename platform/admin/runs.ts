import { openAsBlob } from "node:fs";

import type {
  AddContactsRequest,
  AddListenerRequest,
  CreateAccessKeyRequest,
  DeleteGasSponsorRequest,
  ExportContactsRequest,
  GetOrderRequest,
  GetUsageRequest,
  ListContactsRequest,
  ListDeliveriesRequest,
  ListenerFilter,
  ReplayDeliveryRequest,
  RevealWebhookSecretResponse,
  RevokeSecretKeyRequest,
  RollSecretKeyRequest,
  UpdateListenerRequest,
} from "../console/generated/types.js";
import {
  CommandError,
  create,
  list,
  type Output,
  readPages,
  type Run,
  send,
  show,
  table,
  type Tools,
  UsageError,
} from "./command.js";
import type { BackupFile } from "./local-runs.js";
import { printRows } from "./print-rows.js";

/**
 * Prints all calls with a request ID, and the relays that they started. Callers
 * choose the ID, so calls of other projects can have the same one.
 */
const showCall: Run<{ readonly requestId: string }> = async (
  { client: { activity, gasTanks } },
  request,
) => {
  const { rows: calls } = await readPages(
    (page) => activity.listCalls({ ...request, page }),
    "calls",
    true,
  );
  const relays = new Map<number, object>();
  for (const { method, projectId } of calls) {
    if (method !== "Relay" || relays.has(projectId)) continue;
    const found = await gasTanks.listRelays({ projectId, ...request });
    relays.set(projectId, found);
  }
  const found = calls.map((call) => ({
    ...call,
    ...(call.method === "Relay" && relays.get(call.projectId)),
  }));
  if (found.length > 0) return show(found, JSON.stringify(found, null, 2));
  throw new CommandError(
    `no call of a project in the last 7 days has the request ID ${request.requestId}; calls without a valid key, or of unknown methods, are only in the log`,
  );
};

/** Creates a key. `days` and the flag `--read-only` are for secret keys. */
const createKey: Run<
  CreateAccessKeyRequest & {
    readonly secret?: true;
    readonly readOnly?: true;
    readonly days?: number;
  }
> = async ({ client: { keys } }, { days, readOnly, secret, ...request }) => {
  if (!secret && (readOnly || days !== undefined)) {
    throw new UsageError("--read-only and --days are for secret keys");
  }
  const made = secret
    ? await keys.createSecretKey({
        ...{ ...request, days: days ?? 365 },
        scopes: readOnly ? ["read"] : ["read", "write"],
      })
    : await keys.createAccessKey(request);
  return show(made, made.key);
};

const listAccessKeys = list((c) => c.keys.listAccessKeys, "accessKeys");
const listSecretKeys = list((c) => c.keys.listSecretKeys, "secretKeys");

const listKeys: Run<{ readonly projectId: number }> = async (...given) => {
  const access = await listAccessKeys(...given);
  const secret = await listSecretKeys(...given);
  return {
    ...access,
    ...secret,
    text: `access keys:\n${access.text}\nsecret keys:\n${secret.text}`,
    value: { accessKeys: access.value, secretKeys: secret.value },
  };
};

/** Returns the ID of an access key, or null for that of a secret key. */
const accessKeyId = (id: string): number | null =>
  /^[0-9]{1,15}$/u.test(id) ? Number(id) : null;

const rollKey: Run<
  Omit<RollSecretKeyRequest, "overlapHours"> & {
    readonly overlapHours?: number;
  }
> = async ({ client: { keys } }, { id, overlapHours = 24, projectId }) => {
  const numeric = accessKeyId(id);
  const roll = { projectId, overlapHours };
  const { key } =
    numeric === null
      ? await keys.rollSecretKey({ ...roll, id })
      : await keys.rollAccessKey({ ...roll, id: numeric });
  return show({ key }, key);
};

const revokeKey: Run<RevokeSecretKeyRequest> = async (
  { client: { keys } },
  request,
) => {
  const numeric = accessKeyId(request.id);
  const revoked =
    numeric === null
      ? keys.revokeSecretKey(request)
      : keys.revokeAccessKey({ ...request, id: numeric });
  return show(await revoked, "revoked");
};

function daysAgo(count: number): string {
  const time = Date.now() - count * 24 * 60 * 60 * 1000;
  return new Date(time).toISOString().slice(0, 10);
}

const importContacts: Run<{
  readonly projectId: number;
  readonly audienceId: number;
  readonly file: string;
}> = async ({ client }, { file, ...place }) => {
  const csv = await readInput(file, "text/csv");
  const result = await client.audiences.importContacts({ ...place, csv });
  const { added, faultCount, faults, known } = result;
  if (faultCount === 0) {
    return show(result, `${added} added, ${known} already known`);
  }
  const lines = faults.map(
    ({ line, problem }) => `${file}:${line}: ${problem}`,
  );
  const count = `${faultCount} invalid ${faultCount === 1 ? "line" : "lines"}; nothing was added`;
  throw new CommandError([...lines, count].join("\n"));
};

const importOrders: Run<{
  readonly network: string;
  readonly file: string;
}> = async ({ client }, { file, network }) => {
  const orders = await readInput(file, "application/jsonl");
  const { lines } = await client.orders.importOrders({ network, orders });
  const stored = lines.filter(({ refusal }) => refusal === undefined);
  const report = [
    ...lines.map(
      ({ line, orderId, refusal }) =>
        `${file}:${line}: ${refusal === undefined ? `stored as ${orderId}` : `rejected: ${refusal}`}`,
    ),
    `${stored.length} of ${lines.length} orders stored`,
  ].join("\n");
  if (stored.length < lines.length) throw new CommandError(report);
  return show(lines, report);
};

/** Opens a file named on the command line. Errors: CommandError. */
async function readInput(path: string, type: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type });
  } catch {
    throw new CommandError(`cannot read ${path}`);
  }
}

interface ContactRequest extends Omit<AddContactsRequest, "contactIds"> {
  readonly contactId: bigint;
}

const withContact = ({
  contactId,
  ...place
}: ContactRequest): AddContactsRequest => ({
  ...place,
  contactIds: [contactId],
});

/** Pauses or resumes a sponsor without changing its name. */
const setActive =
  (active: boolean, text: string): Run<DeleteGasSponsorRequest> =>
  async ({ client: { gasTanks } }, { id, projectId }) => {
    const page = { size: 1, after: String(id + 1) };
    const { gasSponsors } = await gasTanks.listGasSponsors({ projectId, page });
    const found = gasSponsors.find((sponsor) => sponsor.id === id);
    if (found === undefined) {
      throw new CommandError(`the project has no sponsor ${id}`);
    }
    const { address, chainId, name } = found;
    const sponsor = { projectId, chainId, address, name, active };
    const { gasSponsor } = await gasTanks.saveGasSponsor(sponsor);
    return show(gasSponsor, text);
  };

/** What selects the events that are sent. */
interface Filters {
  readonly account?: string;
  readonly contract?: string;
  readonly event?: string;
  readonly token?: string;
  readonly topic?: string;
}

/** Returns the only value of a filter, or none if the filter is removed. */
function only(value: string): string[] {
  return value === "any" ? [] : [value];
}

/** A request with filters of their own. */
type Filtered<Request> = Omit<Request, "filters"> & Filters;

const withFilters = <Request extends Filters>(
  { account, contract, event, token, topic, ...rest }: Request,
  before: ListenerFilter = { contractAddresses: [], events: [] },
) => ({
  ...rest,
  filters: {
    ...before,
    ...(contract !== undefined && { contractAddresses: only(contract) }),
    ...(event !== undefined && { events: only(event) }),
    ...(account !== undefined && { accounts: only(account) }),
    ...(token !== undefined && { tokenIDs: only(token) }),
    ...(topic !== undefined && { topicHashes: only(topic) }),
  },
});

/** Changes a listener. Filters that are not given stay as they are. */
const editListener: Run<Filtered<UpdateListenerRequest>> = async (
  { client: { webhooks } },
  request,
) => {
  const { id, projectId } = request;
  const page = { size: 1, after: String(id + 1) };
  const { listeners } = await webhooks.listListeners({ projectId, page });
  const found = listeners.find((each) => each.id === id);
  const changed = await webhooks.updateListener(
    withFilters(request, found?.filters),
  );
  return show(changed.listener, "changed");
};

/** The project whose webhooks a secret signs. */
interface ProjectOfSecret {
  readonly projectId: number;
}

/** Shows a secret alone, and in a note when it last replaced another one. */
function showSecret(found: RevealWebhookSecretResponse): Output {
  const { rotatedAt, secret } = found;
  return {
    ...show(found, secret),
    ...(rotatedAt !== undefined && { note: `rotated at ${rotatedAt}` }),
  };
}

/** Loads the database and the chain, which most commands do without. */
const loadLocal = async () => (await import("./local-runs.js")).localRuns;

/** What each command does, by its name. */
export const runs = {
  "project create": create((c) => c.projects.createProject, "project"),
  "project list": list((c) => c.projects.listProjects, "projects"),
  "project rename": send((c) => c.projects.renameProject, "renamed"),
  "key create": createKey,
  "key list": listKeys,
  "key roll": rollKey,
  "key revoke": send((c) => c.keys.revokeKey, "revoked"),
  "key revoke-id": revokeKey,
  usage: send(
    (c) =>
      (request: Partial<GetUsageRequest> & { readonly projectId: number }) =>
        c.activity.getUsage({ from: daysAgo(29), to: daysAgo(0), ...request }),
    ({ usage }) => printRows(usage),
  ),
  "call list": list((c) => c.activity.listCalls, "calls"),
  "call show": showCall,
  "refresh list": list((c) => c.activity.listRefreshTasks, "refreshTasks"),
  "follower list": table((c) => c.operators.listFollowers, "followers"),
  "network list": table((c) => c.operators.listNetworks, "networks"),
  "node list": table((c) => c.operators.listNodes, "nodes"),
  "operator end-sessions": send(
    (c) => c.operators.endSessions,
    ({ count }) => `ended ${count}`,
  ),
  "action list": list((c) => c.activity.listActions, "actions"),
  "audience create": create((c) => c.audiences.createAudience, "audience"),
  "audience list": list((c) => c.audiences.listAudiences, "audiences"),
  "audience rename": send((c) => c.audiences.renameAudience, "renamed"),
  "audience delete": send((c) => c.audiences.deleteAudience, "deleted"),
  "audience import": importContacts,
  "audience export": async (
    { client }: Tools,
    request: ExportContactsRequest,
  ) => {
    const { file } = await client.audiences.exportContacts(request);
    const csv = await new Response(file.stream()).text();
    return show(csv, csv);
  },
  "contact list": list(
    (c) => async (request: ListContactsRequest) => {
      const { contactIds, ...rest } = await c.audiences.listContacts(request);
      const contacts = contactIds.map((id) => ({ contactId: String(id) }));
      return { ...rest, contacts };
    },
    "contacts",
  ),
  "contact add": send(
    (c) => (request: ContactRequest) =>
      c.audiences.addContacts(withContact(request)),
    "added",
  ),
  "contact remove": send(
    (c) => (request: ContactRequest) =>
      c.audiences.removeContacts(withContact(request)),
    "removed",
  ),
  "link add": create((c) => c.wallets.addWalletLink, "walletLink"),
  "link list": list((c) => c.wallets.listWalletLinks, "walletLinks"),
  "link remove": send((c) => c.wallets.removeWalletLink, "removed"),
  "tank list": list((c) => c.gasTanks.listGasTanks, "gasTanks"),
  "tank fill": send((c) => c.gasTanks.fillGasTank, "filled"),
  "tank correct": send((c) => c.gasTanks.correctGasTank, "corrected"),
  "tank entries": list((c) => c.gasTanks.listGasTankEntries, "entries"),
  "tank reconcile": send(
    (c) => c.gasTanks.getReconciliation,
    ({ accounts, tanks }) => {
      const wrong = tanks.filter(({ difference }) => difference !== "0");
      const head =
        wrong.length === 0 ? "all gas tanks reconcile" : printRows(wrong);
      return `${head}\n\n${printRows(accounts)}`;
    },
  ),
  "relay list": list((c) => c.gasTanks.listRelays, "relays"),
  "relay reason": send(
    (c) => c.gasTanks.getRevertReason,
    ({ reason }) => reason || "the chain reports no reason",
  ),
  "sponsor add": create((c) => c.gasTanks.saveGasSponsor, "gasSponsor"),
  "sponsor list": list((c) => c.gasTanks.listGasSponsors, "gasSponsors"),
  "sponsor pause": setActive(false, "paused"),
  "sponsor resume": setActive(true, "resumed"),
  "sponsor delete": send((c) => c.gasTanks.deleteGasSponsor, "deleted"),
  "listener add": send(
    (c) => (request: Filtered<AddListenerRequest>) =>
      c.webhooks.addListener(withFilters(request)),
    ({ listener }) => listener.id,
  ),
  "listener list": list((c) => c.webhooks.listListeners, "listeners"),
  "listener edit": editListener,
  "listener test": send(
    (c) => c.webhooks.sendTestEvent,
    ({ attempt }) =>
      attempt.reason ?? `accepted after ${attempt.durationMs} ms`,
  ),
  "listener resume": send(
    (c) => c.webhooks.resumeListener,
    ({ listener }) => listener.state,
  ),
  "listener delete": send((c) => c.webhooks.deleteListener, "deleted"),
  "webhook list": list((c) => c.webhooks.listDeliveries, "deliveries"),
  "webhook dead": list(
    (c) => (request: ListDeliveriesRequest) =>
      c.webhooks.listDeliveries({ ...request, state: "dead" }),
    "deliveries",
  ),
  "webhook show": send(
    (c) => c.webhooks.getDelivery,
    (found) => JSON.stringify(found, null, 2),
  ),
  "webhook replay": (
    { client: { webhooks } }: Tools,
    { key }: ReplayDeliveryRequest,
  ) =>
    key === "all"
      ? webhooks
          .replayDeadDeliveries({})
          .then((result) => show(result, `${result.count} sent again`))
      : webhooks
          .replayDelivery({ key })
          .then((result) => show(result, "1 sent again")),
  "webhook secret": async ({ client }: Tools, request: ProjectOfSecret) =>
    showSecret(await client.webhooks.revealWebhookSecret(request)),
  "webhook rotate": async ({ client }: Tools, request: ProjectOfSecret) =>
    showSecret(await client.webhooks.rotateWebhookSecret(request)),
  "order import": importOrders,
  "order show": async ({ client }: Tools, request: GetOrderRequest) => {
    const { order } = await client.orders.getOrder(request);
    return show(JSON.parse(order), order);
  },
  "database backup": async (tools: Tools, file: BackupFile) =>
    (await loadLocal())["database backup"](tools, file),
  "database restore": async (tools: Tools, file: BackupFile) =>
    (await loadLocal())["database restore"](tools, file),
  "forwarder show": async () => (await loadLocal())["forwarder show"](),
  "operator hash": async () => (await loadLocal())["operator hash"](),
};
