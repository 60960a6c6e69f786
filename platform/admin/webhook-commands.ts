import { command, inProject, type Values } from "./command.js";
import { list, show } from "./output.js";

/** Parses the IDs that identify a listener. */
const listenerOf = (values: Values<"project" | "listener">) => ({
  projectId: values.number("project"),
  id: values.number("listener"),
});

/** Commands for webhook listeners and their deliveries. */
export const webhookCommands = [
  command(
    "listener add <project> <chain id> <url> [event] [--contract <contract>]",
    "adds a webhook listener and prints its ID; it receives all events on the chain, or only those that match the given signature and contract",
    async ({ client }, values) => {
      const { listener } = await client.webhooks.addListener({
        projectId: values.number("project"),
        chainId: values.number("chain id"),
        url: values.text("url"),
        filters: {
          contractAddresses: values.all("contract"),
          events: values.all("event"),
        },
      });
      return show(listener, listener.id);
    },
  ),
  command(
    "listener list <project> [--all]",
    "lists webhook listeners",
    ({ client }, values) => {
      const projectId = values.number("project");
      return list(values, "listeners", (page) =>
        client.webhooks.listListeners({ projectId, page }),
      );
    },
  ),
  command(
    "listener edit <project> <listener> <url> [event] [--contract <contract>]",
    "changes the URL and the events of a listener",
    async ({ client }, values) => {
      const { listener } = await client.webhooks.updateListener({
        ...listenerOf(values),
        url: values.text("url"),
        filters: {
          contractAddresses: values.all("contract"),
          events: values.all("event"),
        },
      });
      return show(listener, "changed");
    },
  ),
  command(
    "listener test <project> <listener>",
    "sends a test event to a listener, and prints the result",
    async ({ client }, values) => {
      const choice = listenerOf(values);
      const { attempt } = await client.webhooks.sendTestEvent(choice);
      const { durationMs, reason } = attempt;
      return show(attempt, reason ?? `accepted after ${durationMs} ms`);
    },
  ),
  command(
    "listener resume <project> <listener>",
    "resumes a listener that has ended",
    async ({ client }, values) => {
      const choice = listenerOf(values);
      const { listener } = await client.webhooks.resumeListener(choice);
      return show(listener, listener.state);
    },
  ),
  command(
    "listener delete <project> <listener>",
    "deletes a listener",
    async ({ client }, values) =>
      show(await client.webhooks.deleteListener(listenerOf(values)), "deleted"),
  ),
  command(
    "webhook list [project] [--all]",
    "lists webhook deliveries, optionally only those of one project",
    ({ client }, values) =>
      list(values, "deliveries", (page) =>
        client.webhooks.listDeliveries({ ...inProject(values), page }),
      ),
  ),
  command(
    "webhook dead [project] [--all]",
    "lists deliveries that failed permanently",
    ({ client }, values) =>
      list(values, "deliveries", (page) =>
        client.webhooks.listDeliveries({
          ...inProject(values),
          state: "dead",
          page,
        }),
      ),
  ),
  command(
    "webhook show <key>",
    "prints a delivery with its attempts and its notification, as JSON",
    async ({ client }, values) => {
      const key = values.text("key");
      const delivery = await client.webhooks.getDelivery({ key });
      return show(delivery, JSON.stringify(delivery, null, 2));
    },
  ),
  command(
    "webhook replay <key>",
    "sends a delivery again; the key `all` selects every delivery that failed permanently",
    async ({ client: { webhooks } }, values) => {
      const key = values.text("key");
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
    async ({ client }, values) => {
      const choice = { projectId: values.number("project") };
      const found = await client.webhooks.revealWebhookSecret(choice);
      return show(found, found.secret);
    },
  ),
  command(
    "webhook rotate <project>",
    "replaces the secret that signs webhooks and prints the new one; for a day, webhooks are signed with both",
    async ({ client }, values) => {
      const choice = { projectId: values.number("project") };
      const made = await client.webhooks.rotateWebhookSecret(choice);
      return show(made, made.secret);
    },
  ),
];
