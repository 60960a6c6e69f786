import { beforeEach, expect, test } from "vitest";

import { createBuilderClient } from "../../../generated/api/client.js";
import {
  NotFoundError,
  PermissionDeniedError,
} from "../../../generated/errors.js";
import { createAudience } from "../../services/builder/audiences.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const platform = servePlatform(database);
const largest = 2n ** 64n - 1n;

/**
 * Creates a project, an audience with the given contacts, and a client for the
 * project.
 */
async function makeProject(contactIds: readonly bigint[]) {
  const { id: projectId, accessKey } = await createTestProject(platform.store);
  const builder = createBuilderClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey },
    fetch: platform.fetch,
  });
  const audienceId = await createAudience(database, projectId, "A", contactIds);
  const list = async () => {
    const { audiences } = await builder.listAudiences({ projectId });
    return audiences;
  };
  return { builder, place: { projectId, audienceId }, list };
}

let made: Awaited<ReturnType<typeof makeProject>>;
beforeEach(async () => {
  made = await makeProject([1n, 2n, 3n, 3n, largest]);
});

test("lists audiences with their counts", async () => {
  const { place, list } = made;
  const [audience, ...others] = await list();
  expect(others).toEqual([]);
  expect(audience).toEqual({
    id: place.audienceId,
    projectId: place.projectId,
    name: "A",
    contactCount: 4,
    createdAt: expect.stringMatching(/Z$/u),
    updatedAt: audience?.createdAt,
  });
});

test("removes contacts by all 64 bits of their IDs", async () => {
  const { builder, place, list } = made;
  const contactIds = [largest, largest, 3n, 2n ** 63n];
  const request = { ...place, contactIds };
  const longAgo = new Date(0);
  await database
    .updateTable("audiences")
    .set({ updated_at: longAgo })
    .where("id", "=", place.audienceId)
    .execute();
  expect(await builder.removeAudienceContacts(request)).toEqual({ ok: true });
  const [audience] = await list();
  expect(audience?.contactCount).toBe(2);
  expect(audience?.updatedAt).not.toBe(longAgo.toISOString());
  // Removing the same contacts again changes nothing.
  expect(await builder.removeAudienceContacts(request)).toEqual({ ok: true });
  expect(await list()).toEqual([audience]);
});

test("keeps counts correct when many callers remove contacts concurrently", async () => {
  const contacts = Array.from({ length: 60 }, (_, index) => BigInt(index));
  const { builder, place, list } = await makeProject(contacts);
  // Every contact except the last ten is removed by three calls.
  const removals = Array.from({ length: 15 }, (_, index) => {
    const start = (index % 5) * 10;
    return contacts.slice(start, start + 10);
  });
  await Promise.all(
    removals.map((contactIds) =>
      builder.removeAudienceContacts({ ...place, contactIds }),
    ),
  );
  const [audience] = await list();
  expect(audience?.contactCount).toBe(10);
  const left = await database
    .selectFrom("audience_contacts")
    .select("contact_id")
    .where("audience_id", "=", place.audienceId)
    .execute();
  expect(left).toHaveLength(10);
});

test("keeps a deleted audience but no longer lists it", async () => {
  const { builder, place, list } = made;
  expect(await builder.deleteAudience(place)).toEqual({ ok: true });
  expect(await list()).toEqual([]);
  const read = () =>
    database
      .selectFrom("audiences")
      .select("deleted_at")
      .where("id", "=", place.audienceId)
      .executeTakeFirstOrThrow();
  const { deleted_at: deletedAt } = await read();
  expect(deletedAt).toBeInstanceOf(Date);
  // A second call keeps the time of the first deletion.
  expect(await builder.deleteAudience(place)).toEqual({ ok: true });
  expect(await read()).toEqual({ deleted_at: deletedAt });
  const removal = builder.removeAudienceContacts({ ...place, contactIds: [] });
  await expect(removal).rejects.toBeInstanceOf(NotFoundError);
});

test("hides a project's data from other projects", async () => {
  const { builder, list } = made;
  const other = await makeProject([1n]);
  const { audienceId } = other.place;
  const { projectId } = made.place;
  const calls = [
    builder.listAudiences({ projectId: other.place.projectId }),
    builder.deleteAudience(other.place),
    builder.deleteAudience({ projectId, audienceId }),
    builder.removeAudienceContacts({ ...other.place, contactIds: [1n] }),
    builder.removeAudienceContacts({ projectId, audienceId, contactIds: [1n] }),
  ];
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: expect.any(PermissionDeniedError),
    });
  }
  expect(await list()).toHaveLength(1);
  expect(await other.list()).toMatchObject([{ contactCount: 1 }]);
});

test("reports an unknown audience as not found", async () => {
  const { builder, place } = made;
  const unknown = { ...place, audienceId: 2 ** 53 - 1 };
  const deletion = builder.deleteAudience(unknown);
  await expect(deletion).rejects.toBeInstanceOf(NotFoundError);
});
