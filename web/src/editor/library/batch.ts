/** Renders a film once for each row of values, one request after another. */

import { useRef, useState } from "react";
import type { ApiData } from "@/api/http";
import { request } from "@/api/http";
import { queryClient } from "@/api/queries";
import type { Film } from "@/editor/model/film";
import { useSession } from "@/editor/save/session";
import { errorMessage } from "@/lib/error";
import { savedSource } from "./source";
import { type Values, withValues } from "./values";

/** The most rows of one batch. */
export const MOST_ROWS = 100;
/** How often a request is sent again that the service was too busy for. */
const TRIES = 5;

export interface Order {
  state: "waiting" | "sending" | "started" | "failed";
  jobId?: string;
  problem?: string;
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Starts one render. The key makes a repeated request the same one: nothing is paid twice. */
async function start(source: { projectId: string } | null, film: Film, values: Values, key: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const what = source ? { ...source, replacements: values } : { inputProps: withValues(film, values) };
      const body = { ...what, metadata: { batch: key } };
      const headers = { "idempotency-key": key };
      return (await request<ApiData<"post", "/renders">>("POST", "/api/v1/renders", body, undefined, { headers }))
        .jobId;
    } catch (error) {
      const status = (error as { status?: number }).status ?? 0;
      if (tries === TRIES || (status !== 0 && status !== 409 && status !== 429 && status < 500)) throw error;
      await wait(2000 * tries);
    }
  }
}

export function useBatch() {
  const [orders, setOrders] = useState<readonly Order[] | null>(null);
  const turn = useRef(0);
  const session = useSession();
  const run = async (film: Film, rows: readonly Values[]) => {
    const mine = ++turn.current;
    const source = await savedSource(session);
    const batch = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const set = (row: number, order: Order) => setOrders((list) => list?.with(row, order) ?? null);
    setOrders(rows.map(() => ({ state: "waiting" })));
    for (const [row, values] of rows.entries()) {
      if (turn.current !== mine) break;
      set(row, { state: "sending" });
      try {
        set(row, { state: "started", jobId: await start(source, film, values, `${batch}-${row + 1}`) });
      } catch (error) {
        set(row, { state: "failed", problem: errorMessage(error) });
        // Without credits the rest fails too.
        if ((error as { status?: number }).status === 402) break;
      }
    }
    for (const key of ["renders", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
    if (turn.current === mine) turn.current = 0;
  };
  return { orders, run, stop: () => turn.current++, forget: () => setOrders(null) };
}
