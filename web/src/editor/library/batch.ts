/** Renders a film once for each row of values: a saved project as one batch, another film one request after another. */

import { useRef, useState } from "react";
import { type ApiData, ApiError, request } from "@/api/http";
import { queryClient } from "@/api/queries";
import type { Film } from "@/editor/model/film";
import { useSession } from "@/editor/save/session";
import { STRINGS } from "@/editor/strings/library";
import { errorMessage } from "@/lib/error";
import { savedSource } from "./source";
import { type Values, withValues } from "./values";

/** The most rows of one table. */
export const MOST_ROWS = 100;
/** How often a request is sent again that the service was too busy for. */
const TRIES = 5;

export interface Order {
  /** Skipped: another row of the batch was refused, so none of it was started. */
  state: "waiting" | "sending" | "started" | "failed" | "skipped";
  jobId?: string;
  problem?: string;
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0);

/** Sends a request, again if the service cannot be reached or is busy. Its key makes it the same one: nothing is paid twice. */
async function persist<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const status = statusOf(error);
      if (tries === TRIES || (status !== 0 && status !== 409 && status !== 429 && status < 500)) throw error;
      await wait(2000 * tries);
    }
  }
}

const post = <T>(path: string, body: unknown, key: string) =>
  persist(() => request<T>("POST", `/api/v1${path}`, body, undefined, { headers: { "idempotency-key": key } }));

/** Starts all renders of a project, or none. Returns their jobs in the order of the rows. */
const startAll = async (projectId: string, rows: readonly Values[], key: string): Promise<readonly string[]> => {
  const sets = rows.map((replacements) => ({ replacements }));
  return (await post<ApiData<"post", "/renders/batch">>("/renders/batch", { projectId, sets }, key)).jobIds;
};

/** Starts the render of one row. */
const startOne = async (film: Film, values: Values, key: string): Promise<string> => {
  const body = { inputProps: withValues(film, values), metadata: { batch: key } };
  return (await post<ApiData<"post", "/renders">>("/renders", body, key)).jobId;
};

/** What becomes of the rows of a batch that was refused: those with a problem of their own say it. */
function refusedOrders(rows: readonly Values[], error: unknown): Order[] {
  const issues = error instanceof ApiError ? error.issues : [];
  return rows.map((_, row) => {
    const own = issues.filter(({ path }) => path.startsWith(`sets[${row}]`)).map(({ message }) => message);
    return own.length ? { state: "failed", problem: own.join(" ") } : { state: "skipped" };
  });
}

export function useBatch() {
  const [orders, setOrders] = useState<readonly Order[] | null>(null);
  /** Why nothing, or not all, was started. */
  const [problem, setProblem] = useState<string | null>(null);
  const turn = useRef(0);
  const session = useSession();

  const runEach = async (film: Film, rows: readonly Values[], key: string, isCurrent: () => boolean) => {
    const set = (row: number, order: Order) => setOrders((list) => list?.with(row, order) ?? null);
    for (const [row, values] of rows.entries()) {
      if (!isCurrent()) break;
      set(row, { state: "sending" });
      try {
        set(row, { state: "started", jobId: await startOne(film, values, `${key}-${row + 1}`) });
      } catch (error) {
        set(row, { state: "failed", problem: errorMessage(error) });
        // Without credits the rest fails too.
        if (statusOf(error) === 402) break;
      }
    }
    setOrders((list) => list?.map((order) => (order.state === "waiting" ? { state: "skipped" } : order)) ?? null);
  };

  const run = async (film: Film, rows: readonly Values[]) => {
    const mine = ++turn.current;
    const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    setProblem(null);
    setOrders(rows.map(() => ({ state: "waiting" })));
    const source = await savedSource(session);
    if (source) {
      setOrders(rows.map(() => ({ state: "sending" })));
      try {
        const jobs = await startAll(source.projectId, rows, key);
        setOrders(jobs.map((jobId) => ({ state: "started", jobId })));
      } catch (error) {
        const refused = refusedOrders(rows, error);
        const isAboutRows = refused.some(({ state }) => state === "failed");
        setProblem(isAboutRows ? STRINGS.variables.refused : errorMessage(error));
        setOrders(refused);
      }
    } else await runEach(film, rows, key, () => turn.current === mine);
    for (const name of ["renders", "account"]) void queryClient.invalidateQueries({ queryKey: [name] });
  };

  const forget = () => {
    setOrders(null);
    setProblem(null);
  };
  return { orders, problem, run, stop: () => turn.current++, forget };
}
