import { type Command, page, printRows, toNumber } from "./command.js";

const project = (text = ""): number => toNumber("project", text);

/** Commands for gas tanks, sponsors, listeners and webhooks. */
export const serviceCommands: Readonly<Record<string, Command>> = {
  "tank list": {
    values: [1, 1],
    run: async ({ gasTanks }, _, id) => {
      const choice = { projectId: project(id), page };
      return printRows((await gasTanks.listGasTanks(choice)).gasTanks);
    },
  },
  "tank fill": {
    values: [3, 3],
    run: async ({ gasTanks }, _, id, chain = "", amount = "") => {
      const chainId = toNumber("chain id", chain);
      await gasTanks.fillGasTank({ projectId: project(id), chainId, amount });
      return "filled";
    },
  },
  "tank entries": {
    values: [2, 2],
    run: async ({ gasTanks }, _, id, chain = "") => {
      const chainId = toNumber("chain id", chain);
      const choice = { projectId: project(id), chainId, page };
      return printRows((await gasTanks.listGasTankEntries(choice)).entries);
    },
  },
  "sponsor add": {
    values: [3, 4],
    run: async ({ gasTanks }, _, id, chain = "", address = "", name = "") => {
      const chainId = toNumber("chain id", chain);
      const sponsor = { projectId: project(id), chainId, address, name };
      const { gasSponsor } = await gasTanks.saveGasSponsor(sponsor);
      return String(gasSponsor.id);
    },
  },
  "sponsor list": {
    values: [1, 1],
    run: async ({ gasTanks }, _, id) => {
      const choice = { projectId: project(id), page };
      return printRows((await gasTanks.listGasSponsors(choice)).gasSponsors);
    },
  },
  "sponsor delete": {
    values: [2, 2],
    run: async ({ gasTanks }, _, projectId, id = "") => {
      const sponsor = toNumber("sponsor", id);
      await gasTanks.deleteGasSponsor({
        projectId: project(projectId),
        id: sponsor,
      });
      return "deleted";
    },
  },
  "listener add": {
    values: [3, 4],
    run: async ({ webhooks }, _, id, chain = "", url = "", event) => {
      const events = event === undefined ? [] : [event];
      const { listener } = await webhooks.addListener({
        projectId: project(id),
        chainId: toNumber("chain id", chain),
        url,
        filters: { contractAddresses: [], events },
      });
      return String(listener.id);
    },
  },
  "listener list": {
    values: [1, 1],
    run: async ({ webhooks }, _, id) => {
      const choice = { projectId: project(id), page };
      return printRows((await webhooks.listListeners(choice)).listeners);
    },
  },
  "listener resume": {
    values: [2, 2],
    run: async ({ webhooks }, _, projectId, id = "") => {
      const listener = {
        projectId: project(projectId),
        id: toNumber("listener", id),
      };
      return (await webhooks.resumeListener(listener)).listener.state;
    },
  },
  "listener delete": {
    values: [2, 2],
    run: async ({ webhooks }, _, projectId, id = "") => {
      const listener = {
        projectId: project(projectId),
        id: toNumber("listener", id),
      };
      await webhooks.deleteListener(listener);
      return "deleted";
    },
  },
  "webhook list": {
    values: [0, 1],
    run: async ({ webhooks }, _, id) => {
      const choice = id === undefined ? {} : { projectId: project(id) };
      const listed = await webhooks.listDeliveries({ ...choice, page });
      return printRows(listed.deliveries);
    },
  },
  "webhook show": {
    values: [1, 1],
    run: async ({ webhooks }, _, key = "") =>
      JSON.stringify(await webhooks.getDelivery({ key }), null, 2),
  },
  "webhook secret": {
    values: [1, 1],
    run: async ({ webhooks }, _, id) => {
      const choice = { projectId: project(id) };
      return (await webhooks.revealWebhookSecret(choice)).secret;
    },
  },
  "webhook rotate": {
    values: [1, 1],
    run: async ({ webhooks }, _, id) => {
      const choice = { projectId: project(id) };
      return (await webhooks.rotateWebhookSecret(choice)).secret;
    },
  },
  "webhook dead": {
    values: [0, 0],
    run: async ({ webhooks }) => {
      const listed = await webhooks.listDeliveries({ state: "dead", page });
      const lines = listed.deliveries.map(
        ({ attempts, endedAt, key, reason }) =>
          `${key}  ${endedAt}  ${attempts} attempts  ${reason}`,
      );
      return lines.length === 0 ? "there are none" : lines.join("\n");
    },
  },
  "webhook replay": {
    values: [1, 1],
    run: async ({ webhooks }, _, key = "") => {
      if (key !== "all") {
        await webhooks.replayDelivery({ key });
        return "1 sent again";
      }
      const { count } = await webhooks.replayDeadDeliveries({});
      return count === 0 ? "there are none" : `${count} sent again`;
    },
  },
  "refresh list": {
    values: [1, 1],
    run: async ({ activity }, _, id) => {
      const choice = { projectId: project(id), page };
      return printRows((await activity.listRefreshTasks(choice)).refreshTasks);
    },
  },
};
