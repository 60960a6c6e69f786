import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient";

/**
 * Shows the places that a code lens counts, in the editor's list of references.
 */
export async function showPlaces(
  uri: string,
  position: Position,
  places: readonly Location[],
): Promise<void> {
  const toPosition = ({ line, character }: Position) =>
    new vscode.Position(line, character);
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri),
    toPosition(position),
    places.map(
      ({ range, uri: target }) =>
        new vscode.Location(
          vscode.Uri.parse(target),
          new vscode.Range(toPosition(range.start), toPosition(range.end)),
        ),
    ),
  );
}
