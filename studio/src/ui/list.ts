import { useEffect, useMemo, useState } from "preact/hooks";
import type { List } from "../api/types.ts";
import { client } from "../session.ts";

/** A list of the API as far as it was read. */
export interface Listed<T> {
  rows: T[] | undefined; // until the first slice is there
  slices: readonly T[][]; // the same, as they came
  fault: unknown;
  next: (() => void) | undefined; // reads the next slice, where there is one
  again: () => void; // reads it from the start
}

const slice = 100;

/** Reads a list slice by slice, the first at once. */
export function useList<T>(path: string): Listed<T> {
  const [read, setRead] = useState<{ path: string; slices: T[][]; cursor: string }>();
  const [fault, setFault] = useState<unknown>();
  const [wanted, setWanted] = useState({ path, cursor: "", turn: 0 });
  if (wanted.path !== path) setWanted({ path, cursor: "", turn: 0 }); // another list begins at its start
  useEffect(() => {
    if (wanted.path !== path) return;
    const end = new AbortController();
    const { cursor } = wanted;
    const address = `${path}${path.includes("?") ? "&" : "?"}limit=${slice}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    setFault(undefined);
    client.call<List<T>>(address, { signal: end.signal }).then(
      ({ data: { data, pagination } }) => setRead((before) => ({ path, slices: cursor && before ? [...before.slices, data] : [data], cursor: pagination?.cursor ?? "" })),
      (e: unknown) => end.signal.aborted || setFault(e),
    );
    return () => end.abort();
  }, [wanted]);
  const known = read?.path === path ? read : undefined;
  return {
    rows: useMemo(() => known?.slices.flat(), [known?.slices]),
    slices: known?.slices ?? [],
    fault,
    next: known?.cursor ? () => setWanted({ path, cursor: known.cursor, turn: wanted.turn }) : undefined,
    again: () => setWanted({ path, cursor: "", turn: wanted.turn + 1 }),
  };
}
