/** A table of values: each row is a film of its own, with a picture of it, and all can be rendered. */

import { useQuery } from "@tanstack/react-query";
import { Clapperboard, ClipboardPaste, ExternalLink, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { Composition, RenderBody } from "@/api/types";
import type { Film } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { paint, pictureUrl } from "@/film/painter";
import { totalCredits } from "@/film/quote";
import { usePreview } from "@/film/use-preview";
import { errorMessage } from "@/lib/error";
import { useDebounced, useInView } from "@/lib/hooks";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field, Textarea } from "@/ui/field";
import { MOST_ROWS, type Order, useBatch } from "./batch";
import { IconButton, SmallButton, SmallInput } from "./parts";
import type { DialogProps } from "./render-dialog";
import { useSource } from "./source";
import { readTable, type Values, type Variable, variablesOf, withValues } from "./values";

const T = STRINGS.variables;
const TONES = {
  waiting: "neutral",
  sending: "info",
  started: "success",
  failed: "danger",
  skipped: "neutral",
} as const;

/** Values survive closing the dialog, as long as the editor is open. */
let kept: Values[] = [];

export function VariableTable({ open, onOpenChange }: DialogProps) {
  return (
    <Dialog wide open={open} onOpenChange={onOpenChange} title={T.table} description={T.tableText}>
      <Table />
    </Dialog>
  );
}

function Table() {
  const editor = useEditor();
  const [film] = useState(() => editor.state.film);
  const variables = useMemo(() => variablesOf(film), [film]);
  const frame = useMemo(() => frameOf(film, variables), [film, variables]);
  const [rows, setRows] = useState<Values[]>(() => (kept.length ? kept : [{}]));
  const [isPasting, setPasting] = useState(false);
  const { orders, problem, run, stop, forget } = useBatch();
  const put = (next: Values[]) => {
    kept = next;
    forget();
    setRows(next);
  };
  const set = (row: number, name: string, value: string) => {
    const { [name]: _, ...others } = rows[row] ?? {};
    put(rows.with(row, value ? { ...others, [name]: value } : others));
  };
  const source = useSource();
  const [first] = rows;
  const asked = useMemo((): RenderBody | null => {
    if (!source) return null;
    if (source.body.projectId) return { ...source.body, replacements: first ?? {} };
    return { inputProps: withValues(film, first ?? {}) as unknown as Composition };
  }, [source, film, first]);
  const quote = usePreview(asked);
  const each = quote.preview ? totalCredits(quote.preview) : null;
  const have = quote.preview?.quote.creditsAvailable ?? 0;
  const isRunning = orders?.some(({ state }) => state === "sending" || state === "waiting") ?? false;
  const started = orders?.filter(({ state }) => state === "started").length ?? 0;
  const isTooMany = rows.length > MOST_ROWS;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <SmallButton disabled={isRunning} onClick={() => put([...rows, {}])}>
          <Plus aria-hidden="true" /> {T.addRow}
        </SmallButton>
        <SmallButton disabled={isRunning} aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          <ClipboardPaste aria-hidden="true" /> {T.paste}
        </SmallButton>
      </div>
      {isPasting && (
        <PasteForm
          names={variables.map(({ name }) => name)}
          onRows={(next) => {
            put(next);
            setPasting(false);
          }}
        />
      )}
      <div role="group" aria-label={T.table} tabIndex={0} className="max-h-[44vh] overflow-auto rounded-lg border">
        <table className="w-full border-collapse text-[12.5px]">
          <thead className="sticky top-0 z-10 bg-inset">
            <tr className="text-left *:px-2 *:py-1.5 *:font-medium">
              <th scope="col">
                <span className="sr-only">{T.preview(1)}</span>
              </th>
              {variables.map(({ name }) => (
                <th key={name} scope="col" className="font-mono text-[12px]">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">{T.removeRow(1)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((values, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
              <tr key={row} className="border-t *:px-2 *:py-1.5 *:align-middle">
                <td className="w-24">
                  <RowPicture film={film} values={values} frame={frame} row={row + 1} />
                </td>
                {variables.map((variable) => (
                  <td key={variable.name} className="min-w-36">
                    <SmallInput
                      aria-label={T.cell(variable.name, row + 1)}
                      value={values[variable.name] ?? ""}
                      placeholder={variable.default}
                      disabled={isRunning}
                      onChange={(event) => set(row, variable.name, event.target.value)}
                    />
                  </td>
                ))}
                <td className="w-10">
                  {orders?.[row] ? (
                    <OrderState order={orders[row]} />
                  ) : (
                    <IconButton
                      label={T.removeRow(row + 1)}
                      disabled={rows.length < 2}
                      onClick={() => put(rows.toSpliced(row, 1))}
                    >
                      <Trash2 aria-hidden="true" />
                    </IconButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem && <Alert tone="danger">{problem}</Alert>}
      {isTooMany && <Alert tone="warning">{T.most(MOST_ROWS)}</Alert>}
      {quote.error && <Alert tone="danger">{errorMessage(quote.error)}</Alert>}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
        <span className="nums text-[13px] text-muted" role="status">
          {orders ? T.progress(started, orders.length) : each === null ? "" : T.cost(each, rows.length)}
          {!orders && each !== null && each * rows.length > have && (
            <span className="text-danger"> {T.short(have)}</span>
          )}
        </span>
        {isRunning ? (
          <Button onClick={stop}>{T.stop}</Button>
        ) : (
          <Button
            variant="render"
            disabled={each === null || isTooMany || each * rows.length > have}
            onClick={() => void run(film, rows)}
            icon={<Clapperboard className="size-4" />}
          >
            {T.renderAll(rows.length)}
          </Button>
        )}
      </div>
    </div>
  );
}

function OrderState({ order }: { order: Order }) {
  if (order.jobId)
    return (
      <a
        href={`/dashboard/renders/${order.jobId}`}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 font-medium text-success underline-offset-2 hover:underline"
      >
        {T.state.started} <ExternalLink className="size-3" aria-hidden="true" />
      </a>
    );
  return (
    <span title={order.problem}>
      <Badge tone={TONES[order.state]}>{T.state[order.state]}</Badge>
      {order.problem && <span className="mt-1 block max-w-40 text-danger">{order.problem}</span>}
    </span>
  );
}

function PasteForm({ names, onRows }: { names: string[]; onRows: (rows: Values[]) => void }) {
  const [text, setText] = useState("");
  const rows = useMemo(() => readTable(text, names), [text, names]);
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-inset p-3">
      <Field label={T.pasteField} hint={T.pasteText}>
        {(field) => (
          <Textarea
            {...field}
            rows={4}
            spellCheck={false}
            value={text}
            placeholder={names.join(",")}
            className="font-mono text-[12.5px]!"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button size="sm" className="self-end" disabled={!rows.length} onClick={() => onRows(rows)}>
        {T.pasteUse(rows.length)}
      </Button>
    </div>
  );
}

/** A frame that shows a variable: the middle of the first one that can be seen. */
function frameOf(film: Film, variables: readonly Variable[]): number {
  const overlays = variables.flatMap((variable) => variable.overlays);
  const seen = overlays.find(({ type }) => type === "text") ?? overlays.find(({ type }) => type !== "sound");
  if (!seen) return 0;
  return Math.min(Math.floor(seen.from + seen.durationInFrames / 2), film.durationInFrames - 1);
}

/** A frame with the values of a row, painted when it is seen. */
function RowPicture({ film, values, frame, row }: { film: Film; values: Values; frame: number; row: number }) {
  const { ref, seen } = useInView<HTMLSpanElement>();
  const settled = useDebounced(JSON.stringify(values), 300);
  const { data, error } = useQuery({
    queryKey: ["row-picture", frame, settled],
    queryFn: async () => pictureUrl(await paint(withValues(film, JSON.parse(settled) as Values), frame), 240),
    enabled: seen,
    gcTime: 0,
    retry: false,
  });
  return (
    <span
      ref={ref}
      className="grid h-12 w-20 place-items-center overflow-hidden rounded-md bg-[#0b0c10] text-[11px] text-white/60"
    >
      {data ? <img src={data} alt={T.preview(row)} className="size-full object-contain" /> : error ? T.noPicture : null}
    </span>
  );
}
