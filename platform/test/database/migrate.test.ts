import { expect, onTestFinished, test } from "vitest";

import { migrate } from "../../database/migrate.js";
import { migrations } from "../../database/migrations/index.js";
import { type DatabasePool, openDatabase } from "../../database/pool.js";
import { createDatabase, silent } from "../support/test-database.js";

function open(url: string): DatabasePool["database"] {
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  return database;
}

test("instances that start at once migrate once", async () => {
  const url = await createDatabase();
  const instances = [open(url), open(url), open(url)];
  const ran = await Promise.all(instances.map((each) => migrate(each)));
  expect(ran.flat()).toEqual(Object.keys(migrations));
});

test("an older database is brought up to date, with what is in it", async () => {
  const database = open(await createDatabase());
  const { "0010-builder": _, ...older } = migrations;
  await migrate(database, older);
  const { id } = await database
    .insertInto("projects")
    .values({ name: "older" })
    .returning("id")
    .executeTakeFirstOrThrow();
  expect(await migrate(database)).toEqual(["0010-builder"]);
  const projects = await database.selectFrom("projects").selectAll().execute();
  expect(projects).toMatchObject([{ id, name: "older" }]);
  expect(await migrate(database)).toEqual([]);
});

test("a database that is newer than the program is left alone", async () => {
  const database = open(await createDatabase());
  await migrate(database);
  const { "0020-relayer": _, ...older } = migrations;
  await expect(migrate(database, older)).rejects.toThrow("0020-relayer");
});

test("a migration that fails leaves nothing behind", async () => {
  const database = open(await createDatabase());
  const broken = {
    ...migrations,
    "9999-broken": { up: () => Promise.reject(new Error("broken")) },
  };
  await expect(migrate(database, broken)).rejects.toThrow("broken");
  expect(await migrate(database)).toEqual(Object.keys(migrations));
});

test("migrations go forward only, in the order of their names", () => {
  const names = Object.keys(migrations);
  expect([...names].sort()).toEqual(names);
  for (const { down } of Object.values(migrations)) {
    expect(down).toBeUndefined();
  }
});
