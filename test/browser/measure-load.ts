import type { Browser, BrowserContext } from "playwright-core";

/** Measurements of a page's first load. */
export interface FirstLoad {
  /** The total size of the page's files as sent. */
  readonly sentBytes: number;
  /** The total size of the page's files after decompression. */
  readonly bytes: number;
  /**
   * The time from the navigation to the first frame with the expected content.
   */
  readonly usableMs: number;
}

/**
 * Loads a page five times as a signed-in user, each time with an empty cache.
 * Returns the load with the median duration.
 */
export async function measureLoad(
  browser: Browser,
  signedIn: BrowserContext,
  url: string,
  selector: string,
): Promise<FirstLoad | undefined> {
  const loads: FirstLoad[] = [];
  for (let run = 0; run < 5; run += 1) {
    const context = await browser.newContext();
    await context.addCookies(await signedIn.cookies());
    loads.push(await loadOnce(context, url, selector));
    await context.close();
  }
  loads.sort((one, other) => one.usableMs - other.usableMs);
  return loads[2];
}

async function loadOnce(
  context: BrowserContext,
  url: string,
  selector: string,
): Promise<FirstLoad> {
  const tab = await context.newPage();
  await tab.addInitScript((awaited) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(awaited) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => performance.mark("usable"));
    });
    observer.observe(document, { childList: true, subtree: true });
  }, selector);
  await tab.goto(url);
  await tab.waitForFunction(
    () => performance.getEntriesByName("usable").length > 0,
  );
  return tab.evaluate(() => {
    const files = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ]
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ initiatorType }) => initiatorType !== "fetch");
    const [usable] = performance.getEntriesByName("usable");
    return {
      sentBytes: files.reduce((sum, file) => sum + file.encodedBodySize, 0),
      bytes: files.reduce((sum, file) => sum + file.decodedBodySize, 0),
      usableMs: Math.round(usable?.startTime ?? Number.NaN),
    };
  });
}
