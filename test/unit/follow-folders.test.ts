import { expect, test } from "vitest";
import { followFolders } from "../../cli/system/follow-folders.js";
import { type AbsolutePath, toAbsolutePath } from "../../cli/system/paths.js";

const root = toAbsolutePath("/project");
const schema = toAbsolutePath("/project/schema");

/** A watcher that was started. */
interface Started {
  readonly folder: AbsolutePath;
  readonly change: (name: string | null) => void;
  readonly end: (error: unknown) => void;
  isStopped: boolean;
}

/** Follows folders of a disk that contains `root` and `schema`. */
function followFake() {
  const identities = new Map([
    [root, "1"],
    [schema, "2"],
  ]);
  const started: Started[] = [];
  const faults: string[] = [];
  let refusal: (() => Error) | null = null;
  let changes = 0;
  const following = followFolders(
    {
      identify: (path) => identities.get(path) ?? null,
      watch: (folder, change, end) => {
        if (refusal !== null) throw refusal();
        const watcher = { folder, change, end, isStopped: false };
        started.push(watcher);
        return () => {
          watcher.isStopped = true;
        };
      },
    },
    () => {
      changes += 1;
    },
    ({ message }) => faults.push(message),
  );
  return {
    following,
    identities,
    started,
    faults,
    refuse: (create: (() => Error) | null) => {
      refusal = create;
    },
    countChanges: () => changes,
    last: () => started.at(-1) ?? expect.unreachable(),
    /** Returns the folders of the watchers that have not been stopped. */
    watched: () =>
      started.filter(({ isStopped }) => !isStopped).map((each) => each.folder),
  };
}

test("keeps the watchers of folders that are followed again", () => {
  const { countChanges, following, last, started, watched } = followFake();
  for (const _ of "abc") following.follow([root, schema]);
  last().change("shop.ridl");
  following.follow([root, schema]);
  expect(started).toHaveLength(2);
  expect(countChanges()).toBe(1);
  following.follow([root]);
  expect(watched()).toEqual([root]);
  following.stop();
  following.follow([root]);
  expect(watched()).toEqual([]);
});

test("starts a new watcher for a folder that was replaced", () => {
  const { following, identities, started, watched } = followFake();
  following.follow([root, schema]);
  identities.set(schema, "3");
  following.follow([root, schema]);
  expect(started).toHaveLength(3);
  expect(watched()).toEqual([root, schema]);
});

test("starts a new watcher for a folder that reports its own removal", () => {
  const { following, last, started, watched } = followFake();
  following.follow([schema]);
  // The new folder can have the number of the old one.
  last().change("schema");
  following.follow([schema]);
  expect(started).toHaveLength(2);
  expect(watched()).toEqual([schema]);
});

test("watches the parent of a missing folder", () => {
  const { following, identities, watched } = followFake();
  identities.delete(schema);
  following.follow([schema]);
  expect(watched()).toEqual([root]);
  identities.set(schema, "3");
  following.follow([schema]);
  expect(watched()).toEqual([schema]);
});

test("does not take failures in a row for changes, and reports them once", () => {
  const { countChanges, faults, following, last, started } = followFake();
  following.follow([schema]);
  const fail = (): number => {
    last().end(new Error("no such device"));
    following.follow([schema]);
    return countChanges();
  };
  // The first failure may be a change.
  expect(fail()).toBe(1);
  expect(faults).toEqual([]);
  expect(fail()).toBe(1);
  expect(fail()).toBe(1);
  expect(faults).toEqual(["cannot watch `/project/schema`: no such device"]);
  expect(started).toHaveLength(4);

  last().change("shop.ridl");
  expect(fail()).toBe(3);
});

test("takes the failure of a removed folder for a change", () => {
  const { countChanges, faults, following, identities, last } = followFake();
  for (const count of [1, 2, 3]) {
    identities.set(schema, String(count));
    following.follow([schema]);
    identities.delete(schema);
    last().end(new Error("operation not permitted"));
    expect(countChanges()).toBe(count);
  }
  expect(faults).toEqual([]);
});

test("takes the failure to watch a folder that was just removed for a change", () => {
  const { countChanges, faults, following, identities, refuse, watched } =
    followFake();
  refuse(() => {
    identities.delete(schema);
    return new Error("no such file or directory");
  });
  following.follow([schema]);
  expect([countChanges(), faults]).toEqual([1, []]);
  refuse(null);
  following.follow([schema]);
  expect(watched()).toEqual([root]);
});

test("reports a folder that cannot be watched once, and watches the others", () => {
  const { faults, following, refuse, watched } = followFake();
  following.follow([root]);
  refuse(() => Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
  for (const _ of "ab") following.follow([root, schema]);
  expect(faults).toEqual([
    "cannot watch `/project/schema`: programs already watch as many files as the system allows",
  ]);
  expect(watched()).toEqual([root]);
  refuse(null);
  following.follow([root, schema]);
  expect(watched()).toEqual([root, schema]);
});
