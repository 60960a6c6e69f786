/**
 * Limits the work of each project, and of all projects together. Work is counted
 * in values (`reference.md`).
 */
export interface WorkBudget<Item> {
  /**
   * Charges work that an item is about to cause. If its project exceeds its
   * budget, the items that used most of it are set aside.
   *
   * Input: whether the work has already been done for another item.
   * Returns false if the item has been set aside.
   */
  charge(item: Item, work: number, isShared?: boolean): boolean;
}

/** The limits on the work of a block. */
export interface WorkLimits {
  /** The budget of each project. */
  readonly perProject: number;
  /** The maximum number of items per project. */
  readonly maxItems: number;
  /** The budget of all projects together. */
  readonly total: number;
}

/** Why an item was set aside. */
export interface Excess {
  /** The work of the item. */
  readonly work: number;
  /** Whether its own project exceeded its budget, or all projects together did. */
  readonly isOwn: boolean;
}

/** What a project has used. */
interface Account<Item> {
  /** All work, including that of items that were set aside. */
  total: number;
  /** The work of the items that were not set aside. */
  used: number;
  readonly items: Map<Item, number>;
}

/**
 * Creates a budget that nothing has been charged to. A project causes at most
 * three times its budget of work: the work of items that are set aside is not
 * charged to the others, but after twice the budget, each item that exceeds its
 * share is set aside as well.
 *
 * Once the common budget is used up, each item that needs more is set aside. Work
 * that has already been done for another item does not count toward it.
 *
 * Input: called with each item that is set aside.
 */
export function createWorkBudget<Item extends { readonly projectId: number }>(
  { maxItems, perProject, total }: WorkLimits,
  onSetAside: (item: Item, excess: Excess) => void,
): WorkBudget<Item> {
  const accounts = new Map<number, Account<Item>>();
  const setAside = new Set<Item>();
  let done = 0;
  const remove = (account: Account<Item>, item: Item, isOwn: boolean): void => {
    const work = account.items.get(item) ?? 0;
    account.items.delete(item);
    account.used -= work;
    setAside.add(item);
    onSetAside(item, { work, isOwn });
  };
  return {
    charge: (item, work, isShared = false) => {
      if (setAside.has(item)) return false;
      const { projectId } = item;
      const account = accounts.get(projectId) ?? {
        ...{ total: 0, used: 0 },
        items: new Map(),
      };
      accounts.set(projectId, account);
      const own = (account.items.get(item) ?? 0) + work;
      account.items.set(item, own);
      account.used += work;
      while (account.used > perProject) {
        const [heaviest] = [...account.items].reduce((one, other) =>
          other[1] > one[1] ? other : one,
        );
        remove(account, heaviest, true);
      }
      if (setAside.has(item)) return false;
      const all = account.total + work;
      const isOver = all > 2 * perProject && own > perProject / maxItems;
      if (isOver || (!isShared && done + work > total)) {
        remove(account, item, isOver);
        return false;
      }
      account.total += work;
      if (!isShared) done += work;
      return true;
    },
  };
}
