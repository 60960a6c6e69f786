import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { openBuilder, openRelayer } from "./open-clients.js";
import {
  createDataFolder,
  startProcess,
  waitUntilGone,
} from "./start-platform.js";

test("leaves no process behind and loses nothing when it is killed", async () => {
  const folder = createDataFolder();
  const first = await startProcess(folder);
  const { projectId, fixtures } = first.ready;
  const builder = openBuilder(first.ready);
  const place = { projectId, audienceId: fixtures.audience ?? 0 };
  await builder.removeAudienceContacts({ ...place, contactIds: [1n] });
  expect(await first.end("SIGKILL")).toBeNull();
  await waitUntilGone(folder);

  const second = await startProcess(folder);
  const { audiences } = await openBuilder(second.ready).listAudiences({
    projectId,
  });
  expect(audiences).toMatchObject([{ contactCount: 3 }]);

  // The database is killed too, and restarts with its data.
  const lockFile = join(folder, "database", "cluster", "postmaster.pid");
  const findServer = (): number =>
    existsSync(lockFile) ? parseInt(readFileSync(lockFile, "utf8"), 10) : 0;
  const killed = findServer();
  process.kill(killed, "SIGKILL");
  await expect.poll(findServer).not.toBe(killed);
  const list = openBuilder(second.ready).listAudiences;
  await expect
    .poll(() => list.result({ projectId }))
    .toMatchObject({ ok: true, value: { audiences } });

  // Projects and keys are created while the platform runs.
  const admin = async (...words: string[]): Promise<string> => {
    const main = "dist/platform/admin/main.js";
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [main, ...words],
      { env: { ...process.env, DATA_FOLDER: folder } },
    );
    return stdout.trim();
  };
  const otherId = Number(await admin("project", "create", "Other"));
  const accessKey = await admin("key", "create", String(otherId));
  const secret = await admin("key", "create", String(otherId), "--secret");
  const other = { ...second.ready, projectId: otherId, accessKey, secret };
  const sponsor = { projectId: otherId, address: `0x${"1".repeat(40)}` };
  const relayer = openRelayer(other);
  expect(await relayer.addGasSponsor(sponsor)).toMatchObject({
    status: true,
  });
  const fill = ["tank", "fill", String(otherId), "31337", "7"];
  expect(await admin(...fill)).toBe("filled");
  expect(await admin("key", "revoke", secret)).toBe("revoked");
  expect(await relayer.addGasSponsor.result(sponsor)).toMatchObject({
    ok: false,
    error: { name: "PermissionDenied" },
  });
  expect(await second.end("SIGTERM")).toBe(0);
});
