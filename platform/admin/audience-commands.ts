import { openAsBlob } from "node:fs";

import {
  type Command,
  page,
  printRows,
  toNumber,
  UsageError,
} from "./command.js";

/** Parses the IDs that identify an audience. */
const placeOf = (project = "", audience = "") => ({
  projectId: toNumber("project", project),
  audienceId: toNumber("audience", audience),
});

/** Commands for audiences and wallet links. */
export const audienceCommands: Readonly<Record<string, Command>> = {
  "audience create": {
    values: [2, 2],
    run: async ({ audiences }, _, id = "", name = "") => {
      const projectId = toNumber("project", id);
      const made = await audiences.createAudience({ projectId, name });
      return String(made.audience.id);
    },
  },
  "audience list": {
    values: [1, 1],
    run: async ({ audiences }, _, id = "") => {
      const projectId = toNumber("project", id);
      const listed = await audiences.listAudiences({ projectId, page });
      return printRows(listed.audiences);
    },
  },
  "audience rename": {
    values: [3, 3],
    run: async ({ audiences }, _, project, audience, name = "") => {
      await audiences.renameAudience({ ...placeOf(project, audience), name });
      return "renamed";
    },
  },
  "audience delete": {
    values: [2, 2],
    run: async ({ audiences }, _, project, audience) => {
      await audiences.deleteAudience(placeOf(project, audience));
      return "deleted";
    },
  },
  "audience import": {
    values: [3, 3],
    run: async ({ audiences }, _, project, audience, path = "") => {
      const csv = await openAsBlob(path, { type: "text/csv" }).catch(() => {
        throw new UsageError(`${path}: cannot be read`);
      });
      const place = placeOf(project, audience);
      const result = await audiences.importContacts({ ...place, csv });
      const { added, faultCount, faults, known } = result;
      if (faultCount === 0) return `${added} added, ${known} known already`;
      const lines = faults.map(
        ({ line, problem }) => `${path}:${line}: ${problem}`,
      );
      const count = `${faultCount} faults; nothing was added`;
      throw new UsageError([...lines, count].join("\n"));
    },
  },
  "audience export": {
    values: [2, 2],
    run: async ({ audiences }, _, project, audience) => {
      const place = placeOf(project, audience);
      const { file } = await audiences.exportContacts(place);
      return new Response(file.stream()).text();
    },
  },
  "link add": {
    values: [2, 3],
    run: async ({ wallets }, _, walletAddress = "", linked = "", chain) => {
      const link = { walletAddress, linkedWalletAddress: linked };
      const place =
        chain === undefined ? {} : { chainId: toNumber("chain id", chain) };
      const made = await wallets.addWalletLink({ ...link, ...place });
      return String(made.walletLink.id);
    },
  },
  "link list": {
    values: [0, 1],
    run: async ({ wallets }, _, walletAddress) => {
      const choice = walletAddress === undefined ? {} : { walletAddress };
      const listed = await wallets.listWalletLinks({ ...choice, page });
      return printRows(listed.walletLinks);
    },
  },
  "link remove": {
    values: [1, 1],
    run: async ({ wallets }, _, id = "") => {
      await wallets.removeWalletLink({ id: toNumber("link", id) });
      return "removed";
    },
  },
};
