import { command } from "./command.js";
import { listCommand, show } from "./output.js";

/** Returns a filter for an event and a contract, or for all of them. */
const filterOf = (event: string | undefined, contract: string | undefined) => ({
  contractAddresses: [contract ?? []].flat(),
  events: [event ?? []].flat(),
});

/** Commands for webhook listeners and their deliveries. */
export const webhookCommands = [
  command(
    "listener add <project> <chain id> <url> [event] [--contract <contract>]",
    "adds a webhook listener and prints its ID; it receives all events on the chain, or only those that match the given signature and contract",
    async ({ client }, { contract, event, ...rest }) => {
      const wanted = { ...rest, filters: filterOf(event, contract) };
      const { listener } = await client.webhooks.addListener(wanted);
      return show(listener, listener.id);
    },
  ),
  listCommand(
    "listener list <project>",
    "lists webhook listeners",
    "listeners",
    ({ webhooks }, request) => webhooks.listListeners(request),
  ),
  command(
    "listener edit <project> <listener> <url> [event] [--contract <contract>]",
    "changes the URL and the events of a listener",
    async ({ client }, { contract, event, ...rest }) => {
      const change = { ...rest, filters: filterOf(event, contract) };
      const { listener } = await client.webhooks.updateListener(change);
      return show(listener, "changed");
    },
  ),
  command(
    "listener test <project> <listener>",
    "sends a test event to a listener, and prints the result",
    async ({ client }, request) => {
      const { attempt } = await client.webhooks.sendTestEvent(request);
      const { durationMs, reason } = attempt;
      return show(attempt, reason ?? `accepted after ${durationMs} ms`);
    },
  ),
  command(
    "listener resume <project> <listener>",
    "resumes a listener that has ended",
    async ({ client }, request) => {
      const { listener } = await client.webhooks.resumeListener(request);
      return show(listener, listener.state);
    },
  ),
  command(
    "listener delete <project> <listener>",
    "deletes a listener",
    async ({ client }, request) =>
      show(await client.webhooks.deleteListener(request), "deleted"),
  ),
  listCommand(
    "webhook list [project] [--listener <listener id>]",
    "lists webhook deliveries and why they wait or failed, optionally only those of one project or listener",
    "deliveries",
    ({ webhooks }, request) => webhooks.listDeliveries(request),
  ),
  listCommand(
    "webhook dead [project]",
    "lists deliveries that failed permanently",
    "deliveries",
    ({ webhooks }, request) =>
      webhooks.listDeliveries({ ...request, state: "dead" }),
  ),
  command(
    "webhook show <key>",
    "prints a delivery with its attempts and its notification, as JSON",
    async ({ client }, request) => {
      const delivery = await client.webhooks.getDelivery(request);
      return show(delivery, JSON.stringify(delivery, null, 2));
    },
  ),
  command(
    "webhook replay <key>",
    "sends a delivery again; the key `all` selects every delivery that failed permanently",
    async ({ client: { webhooks } }, { key }) => {
      if (key !== "all") {
        return show(await webhooks.replayDelivery({ key }), "1 sent again");
      }
      const result = await webhooks.replayDeadDeliveries({});
      return show(result, `${result.count} sent again`);
    },
  ),
  command(
    "webhook secret <project>",
    "prints the secret that signs webhooks",
    async ({ client }, request) => {
      const found = await client.webhooks.revealWebhookSecret(request);
      return show(found, found.secret);
    },
  ),
  command(
    "webhook rotate <project>",
    "replaces the secret that signs webhooks and prints the new one; for a day, webhooks are signed with both",
    async ({ client }, request) => {
      const made = await client.webhooks.rotateWebhookSecret(request);
      return show(made, made.secret);
    },
  ),
];
