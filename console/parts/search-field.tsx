import { useDeferredValue, type ChangeEvent } from "react";
import { useSearchParam } from "./search-param.js";

/** A text to search for, which is part of the address. */
export interface Search {
  /** Without spaces around it; changes only when rendering has caught up. */
  readonly text: string;
  /** Properties of the field. */
  readonly field: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/** Returns the text that the address has under a name, and its field's properties. */
export function useSearch(name: string): Search {
  const [value, setValue] = useSearchParam(name);
  return {
    text: useDeferredValue(value.trim()),
    field: { value, onChange: ({ target }) => setValue(target.value) },
  };
}

/** A field for a text to search for. */
export function SearchField({
  label,
  placeholder,
  isCode = false,
  search,
}: {
  readonly label: string;
  readonly placeholder: string;
  /** Whether it takes addresses or hashes, not words. */
  readonly isCode?: boolean;
  readonly search: Search;
}) {
  return (
    <input
      type="search"
      className={isCode ? "search code" : "search"}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      {...search.field}
    />
  );
}
