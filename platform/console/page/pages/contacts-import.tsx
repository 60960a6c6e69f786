import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type {
  Audience,
  ImportContactsResponse,
} from "../../generated/types.js";
import { audiences } from "../api/console-api.js";
import { Button } from "../parts/button.js";
import { countText, numberText } from "../parts/count.js";
import { Dialog, dialogCalls } from "../parts/dialog.js";
import { FailureNote } from "../parts/failure-note.js";
import { Field } from "../parts/field.js";
import { useNotify } from "../parts/notices.js";
import { useUnsaved } from "../parts/unsaved.js";

const { mutationFn: importContacts } = audiences.importContacts.mutationOptions(
  { timeoutMs: 120_000 },
);

/** A dialog that imports contacts from a CSV file and lists errors by line. */
export function ImportDialog({ audience }: { readonly audience: Audience }) {
  const [isOpen, setOpen] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const notify = useNotify();
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationKey: dialogCalls,
    mutationFn: (csv: File) => importFile(audience, csv),
  });
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    reset();
  };
  const send = (csv: File): void =>
    mutate(csv, {
      onSuccess: (response) => {
        if (response.faultCount > 0) return;
        setOpen(false);
        setFile(null);
        notify(resultText(response));
      },
    });
  useUnsaved(file !== null);
  return (
    <Dialog
      title="Import contacts"
      about="A CSV file whose first line names its columns. The column contactId is required, and others are ignored. If a line is invalid, nothing is added."
      isOpen={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        choose(null);
      }}
      trigger={<Button>Import CSV</Button>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // If the user chooses the same file again, for example because its
          // content has changed, there is no change event.
          const csv = new FormData(event.currentTarget).get("csv");
          if (csv instanceof File) send(csv);
        }}
      >
        <Field label="File" hint={file && sizeText(file)}>
          {(links) => (
            <input
              {...links}
              type="file"
              name="csv"
              accept=".csv,text/csv"
              onChange={({ target }) => choose(target.files?.[0] ?? null)}
            />
          )}
        </Field>
        {isPending && <progress aria-label="Importing" />}
        {data && <Faults {...data} />}
        <FailureNote error={error} />
        <div className="choices">
          <Button
            type="submit"
            look="primary"
            disabled={file === null}
            isBusy={isPending}
          >
            Import
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * Imports a file. Errors: an error for the user if the file has changed since it
 * was chosen, because browsers then do not read it.
 */
async function importFile(
  { id: audienceId, projectId }: Audience,
  csv: File,
): Promise<ImportContactsResponse> {
  try {
    await csv.slice(0, 1).arrayBuffer();
  } catch {
    throw new Error("the file has changed, so choose it again");
  }
  return importContacts({ projectId, audienceId, csv });
}

function resultText({ added, known }: ImportContactsResponse): string {
  const rest = known === 0 ? "" : ` Already there: ${numberText(known)}.`;
  return `Added ${countText(added, "contact")}.${rest}`;
}

function sizeText({ name, size }: File): string {
  const text =
    size < 1000
      ? countText(size, "byte")
      : `${numberText(Math.round(size / 1000))} kB`;
  return `${name}, ${text}`;
}

function Faults({ faultCount, faults }: ImportContactsResponse) {
  if (faultCount === 0) return null;
  return (
    <div className="failure faults" role="alert">
      <p>Nothing was added. Invalid lines: {numberText(faultCount)}</p>
      <ol>
        {faults.map(({ line, problem }) => (
          <li key={line}>
            <strong>Line {line}:</strong> {problem}
          </li>
        ))}
      </ol>
      {faults.length < faultCount && (
        <p>Only the first {faults.length} are listed.</p>
      )}
    </div>
  );
}
