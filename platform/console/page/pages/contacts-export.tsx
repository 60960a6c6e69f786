import { toFile } from "@ridlkit/runtime/file-data";
import { useMutation } from "@tanstack/react-query";
import type { Audience } from "../../generated/types.js";
import { audiences, client } from "../api/console-api.js";
import { Button } from "../parts/button.js";
import { failureText } from "../parts/failure-note.js";
import { useNotify } from "../parts/notices.js";
import { Permitted } from "../parts/permitted.js";

/** A button that saves all contacts of an audience as a CSV file. */
export function ExportButton({ audience }: { readonly audience: Audience }) {
  const notify = useNotify();
  const { id: audienceId, projectId } = audience;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { file } = await client.audiences.exportContacts({
        projectId,
        audienceId,
      });
      save(await toFile(file), `audience-${audienceId}.csv`);
    },
    onError: (error) => notify(failureText(error)),
  });
  return (
    <Permitted action={audiences.exportContacts.mutationOptions()}>
      <Button isBusy={isPending} onClick={() => mutate()}>
        Export CSV
      </Button>
    </Permitted>
  );
}

function save(file: File, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name || name;
  link.click();
  // After the click, the browser has its own reference to the file.
  setTimeout(() => URL.revokeObjectURL(url));
}
