import type { Page } from "playwright-core";

/**
 * Chooses a file for the first file input again, as a user does: the browser
 * sends no change event.
 */
export async function chooseAgain(tab: Page, file: string): Promise<void> {
  const debug = await tab.context().newCDPSession(tab);
  const { root } = await debug.send("DOM.getDocument");
  const { nodeId } = await debug.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: "input[type=file]",
  });
  await debug.send("DOM.setFileInputFiles", { nodeId, files: [file] });
}
