import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { paths } from "./console-answers.js";
import { findViolations } from "./axe.js";
import { openMockedConsole, waitForPage } from "./open-mocked-console.js";

const { openTab, url } = await openMockedConsole();

const controls =
  "a[href], button:not(:disabled), input, select, textarea, [tabindex='0']";

/** Describes the focused element for test messages. */
function nameOfFocus(tab: Page): Promise<string> {
  return tab.evaluate(() => {
    const element = document.activeElement;
    const label = element?.getAttribute("aria-label") ?? element?.textContent;
    return `${element?.localName} ${label?.slice(0, 60)}`;
  });
}

/**
 * Returns why the focus is not visible: no outline, off the screen, or covered.
 * Returns null if it is visible, or if no element has the focus.
 */
function findFocusFault(tab: Page): Promise<string | null> {
  return tab.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2)
      return "has no outline";
    const box = element.getBoundingClientRect();
    // Links that span several lines have gaps between those lines.
    const [line = box] = element.getClientRects();
    const top = document.elementFromPoint(
      line.left + line.width / 2,
      line.top + line.height / 2,
    );
    if (top === null) return "is not on the screen";
    const isOnTop = element.contains(top) || top.contains(element);
    return isOnTop ? null : `is behind ${top.outerHTML.slice(0, 80)}`;
  });
}

/**
 * Presses Tab until the focus returns to its start. Returns one line for each
 * step without a visible focus, and for each control that was not reached.
 */
async function walk(tab: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await tab.evaluate(() =>
    Object.assign(globalThis, { seen: new Set<Element>() }),
  );
  const noteFocus = (): Promise<boolean> =>
    tab.evaluate(() => {
      const seen: Set<Element> = Reflect.get(globalThis, "seen");
      const element = document.activeElement ?? document.body;
      const isNew = !seen.has(element);
      // After the last control, no element has the focus for one step.
      if (element !== document.body) seen.add(element);
      return isNew;
    });
  await tab.keyboard.press("Tab");
  while (await noteFocus()) {
    await tab.keyboard.press("Tab");
    const fault = await findFocusFault(tab);
    if (fault !== null) faults.push(`${await nameOfFocus(tab)} ${fault}`);
  }
  const missed = await tab.evaluate((selector) => {
    const seen: Set<Element> = Reflect.get(globalThis, "seen");
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility() && !seen.has(element))
      .map((element) => `${element.outerHTML.slice(0, 120)} is not reached`);
  }, controls);
  return [...faults, ...missed];
}

test.each([
  ["wide", 1440],
  ["narrow", 390],
])(
  "Tab reaches every control on every page and shows the focus (%s)",
  async (_, width) => {
    const tab = await openTab({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    for (const path of paths) {
      await tab.goto(url + path);
      await waitForPage(tab);
      faults.push(...(await walk(tab)).map((fault) => `${path}: ${fault}`));
    }
    await tab.context().clearCookies();
    await tab.goto(url);
    await tab.getByRole("heading", { name: "Sign in" }).waitFor();
    faults.push(...(await walk(tab)).map((fault) => `login: ${fault}`));
    expect(faults).toEqual([]);
  },
);

/**
 * Opens the dialog of the focused button, checks it, and closes it again.
 * Returns one line for each fault.
 */
async function tryDialog(tab: Page): Promise<readonly string[]> {
  const opener = await tab.evaluateHandle(() => document.activeElement);
  await tab.keyboard.press("Enter");
  const dialog = tab.locator("[role=dialog], [role=alertdialog]");
  await dialog.waitFor();
  const faults = [...(await findViolations(tab))];
  const count = await dialog.locator(controls).count();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let step = 0; step <= count; step += 1) {
      const isInside = await dialog.evaluate((element) =>
        element.contains(document.activeElement),
      );
      if (!isInside) faults.push(`${key} leaves to ${await nameOfFocus(tab)}`);
      await tab.keyboard.press(key);
    }
  }
  await tab.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const isBack = tab.waitForFunction(
    (element) => element === document.activeElement,
    opener,
  );
  const goesTo = await isBack.then(
    () => null,
    () => nameOfFocus(tab),
  );
  if (goesTo !== null) faults.push(`the focus goes to ${goesTo}`);
  return faults;
}

test("every dialog traps the focus, and returns it to the button that opened it", async () => {
  const tab = await openTab({ viewport: { width: 390, height: 900 } });
  const faults: string[] = [];
  const tried = new Set<string>();
  for (const path of paths) {
    await tab.goto(url + path);
    await waitForPage(tab);
    const openers = tab.locator("[aria-haspopup=dialog]");
    for (let index = 0; index < (await openers.count()); index += 1) {
      const opener = openers.nth(index);
      const name = `${path}: ${await opener.textContent()}`;
      if (tried.has(name)) continue;
      tried.add(name);
      await opener.focus();
      const found = await tryDialog(tab);
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
  expect(tried.size).toBeGreaterThan(15);
});

test("the first Tab focuses a link that skips the navigation bar", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/keys`);
  await waitForPage(tab);
  await tab.keyboard.press("Tab");
  expect(await nameOfFocus(tab)).toBe("a Skip to content");
  await tab.keyboard.press("Enter");
  await expect.poll(() => nameOfFocus(tab)).toMatch(/^main /u);
  await tab.keyboard.press("Tab");
  expect(await nameOfFocus(tab)).toBe("a My game");
});

test("the focus returns to the button after a new key is shown", async () => {
  const tab = await openTab();
  await tab.goto(`${url}/projects/42/keys`);
  await tab.getByRole("button", { name: "New access key" }).focus();
  await tab.keyboard.press("Enter");
  await tab
    .getByRole("dialog", { name: "New access key" })
    .locator("input:focus")
    .waitFor();
  await tab.keyboard.press("Enter");
  const shown = tab.getByRole("dialog", { name: "Your new access key" });
  await shown.waitFor();
  await shown.getByRole("button", { name: "I have stored it" }).focus();
  await tab.keyboard.press("Enter");
  await shown.waitFor({ state: "detached" });
  await expect.poll(() => nameOfFocus(tab)).toBe("button New access key");
});
