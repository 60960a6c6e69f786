import { expect, test } from "vitest";
import { ConnectionStore } from "../../apps/explorer/calls/connection-store.js";
import {
  openPageStorage,
  type TabStorage,
} from "../../apps/explorer/calls/page-storage.js";
import type { ExplorerData } from "../../generator/4-emit/docs/explorer-data.js";
import { modelOf } from "./sample-models.js";

const place = { origin: "http://localhost:8080", protocol: "http:" };

function memory(): TabStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => void kept.set(name, text),
  };
}

/** Opens the page of a contract at `/` in one tab. */
function open(data: ExplorerData, storage: TabStorage): ConnectionStore {
  return new ConnectionStore(
    data,
    place,
    openPageStorage(data, "/", () => storage),
  );
}

test("a page has the keys that were entered on it, and no other contract's", () => {
  const doors = "service Doors\n  - Open()\n";
  const { data } = modelOf(doors);
  const [host] = data.hosts;
  if (host === undefined) return expect.unreachable();
  const storage = memory();
  const store = open(data, storage);
  store.credentials.set("Authorization", "s3cret");
  store.save();
  const keyIn = (data: ExplorerData): string | undefined =>
    open(data, storage).credentials.get("Authorization");
  expect(keyIn(data)).toBe("s3cret");
  expect(keyIn(modelOf(`${doors}  - Close()\n`).data)).toBe("s3cret");
  expect(keyIn(modelOf(doors, "other").data)).toBeUndefined();
  const windows = doors.replace("Doors", "Windows");
  expect(keyIn(modelOf(windows).data)).toBeUndefined();
  const moved = { ...host, address: "https://other.example" };
  expect(keyIn({ ...data, hosts: [moved] })).toBeUndefined();
  expect(keyIn({ ...data, hosts: [host, moved] })).toBeUndefined();
});
