/** Edit a render request, preview it and copy it as code. */

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleAlert, Clapperboard, WandSparkles } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { ApiError } from "@/api/http";
import { requestSchema } from "@/api/queries";
import type { RenderBody } from "@/api/types";
import type { Place } from "@/film/live-player";
import { PreviewPlayer } from "@/film/preview-player";
import { canPay, QuoteSummary } from "@/film/quote";
import { LANGUAGES, type Language, snippet } from "@/film/snippets";
import { useCreateRender } from "@/film/use-create-render";
import { usePreview } from "@/film/use-preview";
import { Warnings } from "@/film/warnings";
import { errorMessage } from "@/lib/error";
import { pluralize } from "@/lib/format";
import { storedRequest, storeRequest, stringify } from "@/playground/draft";
import { EXAMPLES } from "@/playground/examples";
import { locate } from "@/playground/findings";
import { type EditorHandle, type Finding, JsonEditor } from "@/playground/json-editor";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { PageHeader } from "@/ui/page-header";
import { SegmentedControl } from "@/ui/segmented-control";

function parse(text: string): { body: RenderBody | null; problem: string | null } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body))
      return { body: body as RenderBody, problem: null };
    return { body: null, problem: "The request must be a JSON object." };
  } catch (error) {
    return { body: null, problem: errorMessage(error) };
  }
}

export function PlaygroundPage() {
  const [initial] = useState(() => storedRequest() ?? stringify(EXAMPLES[0]?.body));
  const [text, setText] = useState(initial);
  const [language, setLanguage] = useState<Language>("curl");
  const [place, setPlace] = useState<Place | null>(null);
  const editor = useRef<EditorHandle>(null);
  const { body, problem } = useMemo(() => parse(text), [text]);
  const state = usePreview(body);
  const render = useCreateRender();
  const failure = render.error ?? state.error;
  const issues = body && failure instanceof ApiError ? failure.issues : [];
  const schema = useQuery(requestSchema).data;
  const warnings = body && !state.error ? (state.preview?.warnings ?? []) : [];
  const findings: Finding[] = [
    ...issues.map((issue) => ({ ...issue, severity: "error" as const })),
    ...(body ? warnings.flatMap((warning) => locate(warning, body)) : []),
  ];
  const change = (next: string) => {
    setText(next);
    render.reset();
    storeRequest(next);
  };
  return (
    <>
      <PageHeader
        title="Playground"
        description="Edit a request and preview its frames, price and warnings. Previews are free."
        actions={
          <DropdownMenu
            trigger={
              <Button icon={<WandSparkles className="size-4" />}>
                Examples <ChevronDown className="size-4 text-muted" />
              </Button>
            }
          >
            {EXAMPLES.map(({ name, body: example }) => (
              <MenuItem key={name} onSelect={() => editor.current?.set(stringify(example))}>
                {name}
              </MenuItem>
            ))}
          </DropdownMenu>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <section aria-label="Request" className="overflow-hidden rounded-xl border bg-surface shadow-card">
            <div className="flex h-12 items-center justify-between gap-3 border-b pr-2 pl-4">
              <span className="text-[13px] text-muted">
                <span className="font-mono font-medium text-foreground">POST</span> /api/v1/renders
              </span>
              <Button
                size="sm"
                variant="ghost"
                disabled={!body}
                onClick={() => body && editor.current?.set(stringify(body))}
              >
                Format
              </Button>
            </div>
            <div className="h-110 lg:h-[calc(100dvh-330px)] lg:min-h-110">
              <JsonEditor ref={editor} initial={initial} findings={findings} schema={schema} onChange={change} />
            </div>
          </section>
          <RequestErrors
            problem={problem}
            failure={body ? failure : null}
            issues={issues}
            onSelect={(path) => editor.current?.select(path)}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PreviewPlayer
            {...state}
            preview={body && !state.error ? state.preview : null}
            error={problem ? new Error("Invalid JSON") : state.error}
            place={place}
            onPlace={setPlace}
          />
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-surface px-4 py-3 shadow-card">
            <QuoteSummary preview={body && !state.error ? state.preview : null} />
            <Button
              variant="render"
              busy={render.isPending}
              disabled={!body || Boolean(state.error) || !state.preview || !canPay(state.preview)}
              onClick={() => body && render.mutate(body)}
              icon={<Clapperboard className="size-4" />}
            >
              Render
            </Button>
          </div>
          <Warnings
            warnings={warnings}
            pathOf={(warning) => (body ? locate(warning, body)[0]?.path : undefined)}
            onSelect={(path) => editor.current?.select(path)}
          />
          {body && (
            <div className="flex flex-col gap-3">
              <SegmentedControl
                label="Language"
                value={language}
                options={LANGUAGES}
                onChange={setLanguage}
                className="self-start"
              />
              <CodeBlock
                label={LANGUAGES.find(([key]) => key === language)?.[1] ?? ""}
                text={snippet(language, body)}
              />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

function RequestErrors({
  problem,
  failure,
  issues,
  onSelect,
}: {
  problem: string | null;
  failure: unknown;
  issues: ApiError["issues"];
  onSelect: (path: string) => void;
}) {
  if (!problem && !failure) return null;
  return (
    <section aria-label="Errors" role="alert" className="rounded-xl border bg-surface shadow-card">
      <p className="flex items-start gap-2.5 px-4 py-3">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
        <span className="min-w-0 break-words">
          {problem ?? (issues.length ? `${pluralize(issues.length, "error")} in the request` : errorMessage(failure))}
        </span>
      </p>
      {issues.length > 0 && (
        <ul className="max-h-72 divide-y overflow-y-auto border-t">
          {issues.map(({ path, code, message }) => (
            <li key={`${path} ${code} ${message}`}>
              <button
                type="button"
                onClick={() => onSelect(path)}
                className="block w-full px-4 py-2.5 text-left hover:bg-inset focus-visible:-outline-offset-2"
              >
                <span className="block font-mono text-[12.5px] break-all text-danger">{path}</span>
                <span className="block text-[13px] break-words text-muted">{message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
