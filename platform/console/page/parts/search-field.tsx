import { useDeferredValue, type ChangeEvent } from "react";
import { useSearchParam } from "./search-param.js";

/** A search term that is stored in the page's address. */
export interface Search {
  /** The trimmed search term. While the user types, it can lag behind. */
  readonly text: string;
  /** Properties of the field. */
  readonly field: {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/**
 * Returns the search term of a query parameter and the properties for its
 * field.
 */
export function useSearch(name: string): Search {
  const [value, setValue] = useSearchParam(name);
  return {
    text: useDeferredValue(value.trim()),
    field: { value, onChange: ({ target }) => setValue(target.value) },
  };
}

/** A search field. */
export function SearchField({
  label,
  placeholder,
  isCode = false,
  search,
}: {
  readonly label: string;
  readonly placeholder: string;
  /** Whether users enter addresses or hashes instead of words. */
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
