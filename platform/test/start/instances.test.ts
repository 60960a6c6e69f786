import { expect, test } from "vitest";

import { createBuilderClient } from "../../../generated/api/client.js";
import { createRelayerClient } from "../../../generated/relayer/client.js";
import { createDatabase } from "../support/test-database.js";
import {
  createDataFolder,
  programsOf,
  type Ready,
  startProcess,
} from "./start-platform.js";

const open = ({ accessKey, baseUrl, secret }: Ready) => {
  const options = { baseUrl, credentials: { accessKey, secret } };
  return {
    ...createBuilderClient(options),
    ...createRelayerClient(options),
  };
};

test(
  "two instances share a database that is none of theirs",
  { timeout: 120_000 },
  async () => {
    const shared = {
      DATABASE_URL: await createDatabase(),
      PLATFORM_SECRET: "a secret that both instances have",
    };
    const folder = createDataFolder();
    const first = await startProcess(folder, shared);
    const { chainUrl, fixtures, projectId } = first.ready;
    const other = createDataFolder();
    const second = await startProcess(other, {
      ...shared,
      CHAIN_URL: chainUrl,
    });
    // It runs neither a database nor a chain.
    expect(programsOf(other)).toHaveLength(1);
    expect(second.ready).toMatchObject({
      ...{ projectId, fixtures, chainUrl },
      accessKey: first.ready.accessKey,
      secret: first.ready.secret,
    });
    const both = [open(first.ready), open(second.ready)];
    const place = { projectId, audienceId: fixtures.audience ?? 0 };
    // The same contacts, at once.
    await Promise.all(
      both.map((each) =>
        each.removeAudienceContacts({ ...place, contactIds: [1n, 2n] }),
      ),
    );
    const addresses = Array.from(
      { length: 8 },
      (_, index) => `0x${String(index).padStart(40, "0")}`,
    );
    const sponsors = await Promise.all(
      addresses.flatMap((address) =>
        both.map((each) => each.addGasSponsor({ projectId, address })),
      ),
    );
    const ids = sponsors.map(({ gasSponsor }) => gasSponsor.id);
    expect(new Set(ids).size).toBe(addresses.length);
    expect(await first.end("SIGKILL")).toBeNull();
    for (const each of both.slice(1)) {
      const { audiences } = await each.listAudiences({ projectId });
      expect(audiences).toMatchObject([{ contactCount: 2 }]);
    }
    expect(await second.end("SIGTERM")).toBe(0);
  },
);
