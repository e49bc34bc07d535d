/** State that survives Back and reload. */

import { useCallback, useState } from "react";

function read<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function saveDraft(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}

export function clearDraft(key: string) {
  try {
    localStorage.removeItem(key);
  } catch {
    // There was nothing to forget.
  }
}

/** State kept under the key. `clear` forgets it. */
export function useDraft<T extends object>(key: string, initial: T): [T, (next: T) => void, () => void] {
  const [value, setValue] = useState<T>(() => ({ ...initial, ...read<Partial<T>>(key) }));
  const set = useCallback(
    (next: T) => {
      setValue(next);
      saveDraft(key, next);
    },
    [key],
  );
  const clear = useCallback(() => {
    setValue(initial);
    clearDraft(key);
  }, [key, initial]);
  return [value, set, clear];
}
