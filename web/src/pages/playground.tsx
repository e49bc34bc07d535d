/** Compose a request, see what it would become, take it along as code. */
import { ChevronDown, CircleAlert, Clapperboard, WandSparkles } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { ApiFailure, sentence } from "@/api/http";
import type { RenderRequest } from "@/api/types";
import { QuoteLine, Warnings } from "@/film/findings";
import { useRender } from "@/film/maker";
import { usePreview } from "@/film/preview";
import { Stage } from "@/film/stage";
import { plural } from "@/lib/format";
import { Editor, type EditorHandle } from "@/playground/editor";
import { EXAMPLES } from "@/playground/examples";
import { LANGUAGES, type Language, snippet } from "@/playground/snippets";
import { Choice, Dropdown, Item } from "@/ui/bits";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code";
import { PageHeader } from "@/ui/surface";

const KEPT = "rondo-playground";
const write = (body: unknown) => `${JSON.stringify(body, null, 2)}\n`;

function read(text: string): { body: RenderRequest | null; problem: string | null } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return { body, problem: null };
    return { body: null, problem: "The request must be a JSON object." };
  } catch (error) {
    return { body: null, problem: sentence(error) };
  }
}

export function Playground() {
  const [first] = useState(() => sessionStorage.getItem(KEPT) ?? write(EXAMPLES[0]?.body));
  const [text, setText] = useState(first);
  const [language, setLanguage] = useState<Language>("curl");
  const editor = useRef<EditorHandle>(null);
  const { body, problem } = useMemo(() => read(text), [text]);
  const state = usePreview(body);
  const render = useRender();
  const failure = render.error ?? state.error;
  const issues = body && failure instanceof ApiFailure ? failure.issues : [];
  const change = (next: string) => {
    setText(next);
    render.reset();
    sessionStorage.setItem(KEPT, next);
  };
  return (
    <>
      <PageHeader
        title="Playground"
        about="Write a request and see its frames, price and warnings as you type. Nothing is charged until you render."
        actions={
          <Dropdown
            trigger={
              <Button icon={<WandSparkles className="size-4" />}>
                Examples <ChevronDown className="size-4 text-quiet" />
              </Button>
            }
          >
            {EXAMPLES.map(({ name, body: example }) => (
              <Item key={name} onSelect={() => editor.current?.set(write(example))}>
                {name}
              </Item>
            ))}
          </Dropdown>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <section aria-label="Request" className="overflow-hidden rounded-xl border bg-surface shadow-card">
            <div className="flex h-12 items-center justify-between gap-3 border-b pr-2 pl-4">
              <span className="text-[13px] text-quiet">
                <span className="font-mono font-medium text-text">POST</span> /api/v1/renders
              </span>
              <Button size="sm" look="ghost" disabled={!body} onClick={() => body && editor.current?.set(write(body))}>
                Format
              </Button>
            </div>
            <div className="h-110 lg:h-[calc(100dvh-330px)] lg:min-h-110">
              <Editor ref={editor} initial={first} issues={issues} onChange={change} />
            </div>
          </section>
          <Problems
            problem={problem}
            failure={body ? failure : null}
            issues={issues}
            go={(path) => editor.current?.go(path)}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Stage
            {...state}
            preview={body && !state.error ? state.preview : null}
            error={problem ? new Error("The request is not JSON yet.") : state.error}
          />
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-surface px-4 py-3 shadow-card">
            <QuoteLine quote={body && !state.error ? state.preview?.quote : undefined} />
            <Button
              look="render"
              busy={render.isPending}
              disabled={!body || Boolean(state.error)}
              onClick={() => render.mutate(body)}
              icon={<Clapperboard className="size-4" />}
            >
              Render the film
            </Button>
          </div>
          <Warnings warnings={body && !state.error ? (state.preview?.warnings ?? []) : []} />
          {body && (
            <div className="flex flex-col gap-3">
              <Choice
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

function Problems({
  problem,
  failure,
  issues,
  go,
}: {
  problem: string | null;
  failure: unknown;
  issues: ApiFailure["issues"];
  go: (path: string) => void;
}) {
  if (!problem && !failure) return null;
  return (
    <section aria-label="Problems" role="alert" className="rounded-xl border bg-surface shadow-card">
      <p className="flex items-start gap-2.5 px-4 py-3">
        <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
        <span className="min-w-0 break-words">
          {problem ?? (issues.length ? `${plural(issues.length, "problem")} in the request` : sentence(failure))}
        </span>
      </p>
      {issues.length > 0 && (
        <ul className="max-h-72 divide-y overflow-y-auto border-t">
          {issues.map(({ path, message }, index) => (
            <li key={index}>
              <button
                type="button"
                onClick={() => go(path)}
                className="block w-full px-4 py-2.5 text-left hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="block font-mono text-[12.5px] break-all text-bad">{path}</span>
                <span className="block text-[13px] break-words text-quiet">{message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
