/** The form for templates and projects: set variables, preview, render. */

import { ChevronRight, Clapperboard } from "lucide-react";
import { useMemo, useState } from "react";
import type { RenderQuality, Variable } from "@/api/types";
import { oneOf } from "@/lib/one-of";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { EmptyState } from "@/ui/empty-state";
import { Field, Input, Select } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";
import { PreviewPlayer } from "./preview-player";
import { QuoteSummary } from "./quote";
import { renderRequest, type Source } from "./render-request";
import { snippet } from "./snippets";
import { useCreateRender } from "./use-create-render";
import { usePreview } from "./use-preview";
import { type Values, VariablesForm } from "./variables-form";
import { Warnings } from "./warnings";

const QUALITIES: readonly RenderQuality[] = ["draft", "standard", "high"];

interface Props {
  source: Source;
  variables: Variable[];
}

export function RenderForm({ source, variables }: Props) {
  const [values, setValues] = useState<Values>({});
  const [quality, setQuality] = useState<RenderQuality>("standard");
  const [projectName, setProjectName] = useState("");
  const [webhookUrl, setWebhookUrl] = useState("");
  const request = useMemo(() => renderRequest(source, values), [source, values]);
  const state = usePreview(request);
  const render = useCreateRender();
  const send = () =>
    render.mutate({
      ...request,
      output: { quality },
      ...(projectName.trim() ? { projectName: projectName.trim() } : {}),
      ...(webhookUrl.trim() ? { webhookUrl: webhookUrl.trim() } : {}),
    });
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col gap-4 lg:sticky lg:top-8 lg:order-2">
        <PreviewPlayer {...state} />
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-surface px-4 py-3 shadow-card">
          <QuoteSummary quote={state.preview?.quote} />
          <Button
            variant="render"
            busy={render.isPending}
            disabled={!state.preview}
            onClick={send}
            icon={<Clapperboard className="size-4" />}
          >
            Render video
          </Button>
        </div>
        <Warnings warnings={state.preview?.warnings ?? []} />
      </div>
      <div className="flex flex-col gap-6">
        <section aria-label="Variables" className="rounded-xl border bg-surface p-5 shadow-card">
          {variables.length ? (
            <VariablesForm variables={variables} values={values} onChange={setValues} />
          ) : (
            <EmptyState icon={<Clapperboard />} title="No variables" className="py-8">
              This composition has no variables to customize.
            </EmptyState>
          )}
        </section>
        <details className="group rounded-xl border bg-surface shadow-card">
          <summary className="flex items-center gap-2 rounded-xl px-5 py-3.5 font-medium">
            <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden="true" />{" "}
            More options
          </summary>
          <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
            <Field label="Quality">
              {(field) => (
                <Select
                  {...field}
                  value={quality}
                  onChange={(event) => setQuality(oneOf(event.target.value, QUALITIES) ?? "standard")}
                >
                  <option value="draft">Draft (fastest)</option>
                  <option value="standard">Standard</option>
                  <option value="high">High (largest file)</option>
                </Select>
              )}
            </Field>
            {"templateId" in source && (
              <Field label="Project name" hint="The render is saved as a project with this name.">
                {(field) => (
                  <Input
                    {...field}
                    value={projectName}
                    onChange={(event) => setProjectName(event.target.value)}
                    placeholder="Same as the template"
                    maxLength={200}
                  />
                )}
              </Field>
            )}
            <Field label="Webhook URL" hint="Receives one event when the render finishes.">
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
        <CodeBlock label="API request" text={snippet("curl", request)} />
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
