/**
 * Limits the work of each project, and of all projects together. Work is counted
 * in values (`limits.md`).
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
  /** The items that were set aside, with the work of each one. */
  readonly setAside: ReadonlyMap<Item, number>;
}

/** The limits on the work of a block. */
export interface WorkLimits {
  /** The budget of each project. */
  readonly perProject: number;
  /** The maximum number of items per project. */
  readonly maxItems: number;
  /** The budget of all projects together. */
  readonly total: number;
  /** The number of projects. */
  readonly projects: number;
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
 * All projects together cause at most twice their common budget: once it is used
 * up, a project can only use the rest of its equal share. Work that has already
 * been done for another item does not count.
 */
export function createWorkBudget<Item extends { readonly projectId: number }>({
  maxItems,
  perProject,
  projects,
  total,
}: WorkLimits): WorkBudget<Item> {
  const accounts = new Map<number, Account<Item>>();
  const setAside = new Map<Item, number>();
  let done = 0;
  const remove = (account: Account<Item>, item: Item): void => {
    const work = account.items.get(item) ?? 0;
    account.items.delete(item);
    account.used -= work;
    setAside.set(item, work);
  };
  return {
    setAside,
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
        const [[heaviest] = [item]] = [...account.items].sort(
          ([, one], [, other]) => other - one,
        );
        remove(account, heaviest);
      }
      const all = account.total + work;
      const isOver = all > 2 * perProject && own > perProject / maxItems;
      const isLate = done + work > total && all > total / projects;
      if ((isOver || (isLate && !isShared)) && !setAside.has(item)) {
        remove(account, item);
      }
      if (setAside.has(item)) return false;
      account.total += work;
      if (!isShared) done += work;
      return true;
    },
  };
}
