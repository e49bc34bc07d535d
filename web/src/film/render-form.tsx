/** The form for templates and projects: set variables, preview, render. */

import { useSuspenseQuery } from "@tanstack/react-query";
import { ChevronRight, Clapperboard, RotateCcw } from "lucide-react";
import { useMemo, useState } from "react";
import { session } from "@/api/queries";
import type { Variable } from "@/api/types";
import { clearDraft, saveDraft, useDraft } from "@/lib/draft";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { EmptyState } from "@/ui/empty-state";
import { Field, Input } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";
import { outputNoun } from "./output";
import { OutputFields } from "./output-fields";
import { PreviewPlayer } from "./preview-player";
import { canPay, QuoteSummary } from "./quote";
import { DEFAULT_OPTIONS, type OutputOptions, renderRequest, type Source, withOptions } from "./render-request";
import { snippet } from "./snippets";
import { useCreateRender } from "./use-create-render";
import { usePreview } from "./use-preview";
import { type Values, VariablesForm } from "./variables-form";
import { Warnings } from "./warnings";

interface Props {
  source: Source;
  variables: Variable[];
}

interface Draft {
  values: Values;
  options: OutputOptions;
  projectName: string;
}

const EMPTY: Draft = { values: {}, options: DEFAULT_OPTIONS, projectName: "" };

/** Where the draft of a template or project is kept. */
const draftKey = (accountId: string, source: Source) =>
  `rondo-draft-${accountId}-${"templateId" in source ? source.templateId : "projectId" in source ? source.projectId : "copy"}`;

/** Fills the form of a template or project with the values of a render. */
export function prefillForm(accountId: string, source: Source, values: Values) {
  saveDraft(draftKey(accountId, source), { values });
}

/** Removes what was typed into the form of a project that no longer exists. */
export function forgetForm(accountId: string, source: Source) {
  clearDraft(draftKey(accountId, source));
}

export function RenderForm({ source, variables }: Props) {
  const accountId = useSuspenseQuery(session).data.account?.id ?? "";
  const [draft, setDraft, clear] = useDraft<Draft>(draftKey(accountId, source), EMPTY);
  const { values, options, projectName } = draft;
  const [webhookUrl, setWebhookUrl] = useState("");
  const [frame, setFrame] = useState<number | null>(null);
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next });
  const plain = useMemo(() => renderRequest(source, values), [source, values]);
  // The preview shows the whole film, whatever file is made of it; the options only change its price.
  const [film, setFilm] = useState<{ fps: number; durationInFrames: number; posterFrame: number } | null>(null);
  const shownFrame = frame ?? film?.posterFrame ?? 0;
  const request = useMemo(() => withOptions(plain, options, film, shownFrame), [plain, options, film, shownFrame]);
  const state = usePreview(request);
  const { preview } = state;
  const resolved = preview?.resolved;
  if (
    resolved &&
    (resolved.fps !== film?.fps ||
      resolved.durationInFrames !== film.durationInFrames ||
      resolved.posterFrame !== film.posterFrame)
  )
    setFilm({
      fps: resolved.fps,
      durationInFrames: resolved.durationInFrames,
      posterFrame: resolved.posterFrame,
    });
  const render = useCreateRender();
  const whole: typeof request = {
    ...request,
    ...(projectName.trim() ? { projectName: projectName.trim() } : {}),
    ...(webhookUrl.trim() ? { webhookUrl: webhookUrl.trim() } : {}),
  };
  const changed = Object.keys(values).length > 0 || projectName !== "" || options !== DEFAULT_OPTIONS;
  const show = (name: string) => {
    const shown = resolved?.variables.find((variable) => variable.name === name)?.visibleFrame;
    if (shown != null) setFrame(shown);
  };
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col gap-4 lg:sticky lg:top-8 lg:order-2">
        <PreviewPlayer {...state} frame={frame} onFrame={setFrame} />
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-surface px-4 py-3 shadow-card">
          <QuoteSummary preview={preview} />
          <Button
            variant="render"
            busy={render.isPending}
            disabled={!preview || !canPay(preview)}
            onClick={() => render.mutate(whole)}
            icon={<Clapperboard className="size-4" />}
          >
            Render {outputNoun(options.format)}
          </Button>
        </div>
        <Warnings warnings={preview?.warnings ?? []} />
      </div>
      <div className="flex flex-col gap-6">
        <section aria-label="Variables" className="rounded-xl border bg-surface p-5 shadow-card">
          {variables.length ? (
            <VariablesForm
              variables={variables}
              values={values}
              speech={!("composition" in source)}
              onChange={(next) => change({ values: next })}
              onShow={show}
            />
          ) : (
            <EmptyState icon={<Clapperboard />} title="No variables" className="py-8">
              This composition has no variables to customize.
            </EmptyState>
          )}
          {changed && (
            <Button
              size="sm"
              variant="ghost"
              className="mt-5 -ml-2.5"
              onClick={clear}
              icon={<RotateCcw className="size-3.5" />}
            >
              Start over
            </Button>
          )}
        </section>
        <details className="group rounded-xl border bg-surface shadow-card">
          <summary className="flex items-center gap-2 rounded-xl px-5 py-3.5 font-medium">
            <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden="true" />{" "}
            More options
          </summary>
          <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
            <OutputFields options={options} film={resolved} onChange={(next) => change({ options: next })} />
            {"templateId" in source && (
              <Field
                label="Project name"
                hint="The render is saved as a project. A project of this name is updated, another name makes a new one."
              >
                {(field) => (
                  <Input
                    {...field}
                    value={projectName}
                    onChange={(event) => change({ projectName: event.target.value })}
                    placeholder="Same as the template"
                    maxLength={200}
                  />
                )}
              </Field>
            )}
            <Field label="Webhook URL" hint="Get notified when this render finishes, without polling.">
              {(field) => (
                <Input
                  {...field}
                  type="url"
                  value={webhookUrl}
                  onChange={(event) => setWebhookUrl(event.target.value)}
                  placeholder="https://example.com/hooks/rondo"
                />
              )}
            </Field>
          </div>
        </details>
        <CodeBlock label="API request" text={snippet("curl", whole)} />
      </div>
    </div>
  );
}

export function RenderFormSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]"
    >
      <Skeleton className="h-120 rounded-xl" />
      <Skeleton className="h-120 rounded-xl" />
    </div>
  );
}
