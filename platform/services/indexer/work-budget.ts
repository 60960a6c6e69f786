/** Limits the work of each project. Work is counted in values (`limits.md`). */
export interface WorkBudget<Item> {
  /**
   * Charges work that an item is about to cause, which can be infinite. If its
   * project exceeds its
   * budget, the items that used most of it are set aside.
   *
   * Returns false if the item has been set aside.
   */
  charge(item: Item, work: number): boolean;
  /** The items that were set aside, with the work of each one. */
  readonly setAside: ReadonlyMap<Item, number>;
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
 * Input: the budget of each project, and the maximum number of its items.
 */
export function createWorkBudget<Item extends { readonly projectId: number }>(
  perProject: number,
  maxItems: number,
): WorkBudget<Item> {
  const accounts = new Map<number, Account<Item>>();
  const setAside = new Map<Item, number>();
  const share = perProject / maxItems;
  const remove = (account: Account<Item>, item: Item): void => {
    const work = account.items.get(item) ?? 0;
    account.items.delete(item);
    // The work can be infinite, so it cannot be subtracted.
    account.used = [...account.items.values()].reduce((a, b) => a + b, 0);
    setAside.set(item, work);
  };
  return {
    setAside,
    charge: (item, work) => {
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
        const [[heaviest] = [item]] = [...account.items].sort(
          ([, one], [, other]) => other - one,
        );
        remove(account, heaviest);
      }
      const isOver = account.total + work > 2 * perProject && own > share;
      if (isOver && !setAside.has(item)) remove(account, item);
      if (setAside.has(item)) return false;
      account.total += work;
      return true;
    },
  };
}
