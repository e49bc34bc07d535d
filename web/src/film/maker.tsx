/** Form beside stage: fill in variables, look, render. Templates and projects share it. */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronRight, Clapperboard } from "lucide-react";
import { useMemo, useState } from "react";
import { api } from "@/api/http";
import { client } from "@/api/queries";
import type { Variable } from "@/api/types";
import { snippet } from "@/playground/snippets";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code";
import { Field, Input, Select } from "@/ui/field";
import { Empty } from "@/ui/surface";
import { complain } from "@/ui/toast";
import { QuoteLine, Warnings } from "./findings";
import { usePreview } from "./preview";
import { requestFor, type Source } from "./source";
import { Stage } from "./stage";
import { type Values, VariablesForm } from "./variables";

/** Sends a render and goes to its page. */
export function useRender() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: unknown) => api("post", "/renders", { body }),
    onSuccess: async ({ jobId }) => {
      void client.invalidateQueries({ queryKey: ["renders"] });
      void client.invalidateQueries({ queryKey: ["projects"] });
      await navigate({ to: "/dashboard/renders/$jobId", params: { jobId } });
    },
    onError: complain,
  });
}

interface Props {
  source: Source;
  variables: Variable[];
}

export function Maker({ source, variables }: Props) {
  const [values, setValues] = useState<Values>({});
  const [quality, setQuality] = useState("standard");
  const [projectName, setProjectName] = useState("");
  const [webhookUrl, setWebhookUrl] = useState("");
  const looked = useMemo(() => requestFor(source, values), [source, values]);
  const state = usePreview(looked);
  const render = useRender();
  const send = () =>
    render.mutate({
      ...looked,
      output: { quality },
      ...(projectName.trim() ? { projectName: projectName.trim() } : {}),
      ...(webhookUrl.trim() ? { webhookUrl: webhookUrl.trim() } : {}),
    });
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col gap-4 lg:sticky lg:top-8 lg:order-2">
        <Stage {...state} />
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border bg-surface px-4 py-3 shadow-card">
          <QuoteLine quote={state.preview?.quote} />
          <Button
            look="render"
            busy={render.isPending}
            disabled={!state.preview}
            onClick={send}
            icon={<Clapperboard className="size-4" />}
          >
            Render the film
          </Button>
        </div>
        <Warnings warnings={state.preview?.warnings ?? []} />
      </div>
      <div className="flex flex-col gap-6">
        <section aria-label="Variables" className="rounded-xl border bg-surface p-5 shadow-card">
          {variables.length ? (
            <VariablesForm variables={variables} values={values} onChange={setValues} />
          ) : (
            <Empty icon={<Clapperboard />} title="Nothing to fill in" className="py-8">
              This film has no variables: every render of it is the same.
            </Empty>
          )}
        </section>
        <details className="group rounded-xl border bg-surface shadow-card">
          <summary className="flex items-center gap-2 rounded-xl px-5 py-3.5 font-medium">
            <ChevronRight className="size-4 text-quiet transition-transform group-open:rotate-90" aria-hidden="true" />{" "}
            More options
          </summary>
          <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
            <Field label="Quality">
              {(given) => (
                <Select {...given} value={quality} onChange={(event) => setQuality(event.target.value)}>
                  <option value="draft">Draft, fastest</option>
                  <option value="standard">Standard</option>
                  <option value="high">High, largest file</option>
                </Select>
              )}
            </Field>
            {"templateId" in source && (
              <Field label="Name of the project" hint="The film is saved as a project under this name.">
                {(given) => (
                  <Input
                    {...given}
                    value={projectName}
                    onChange={(event) => setProjectName(event.target.value)}
                    placeholder="As the template"
                    maxLength={200}
                  />
                )}
              </Field>
            )}
            <Field label="Webhook for this render" hint="Called once, when the render has ended.">
              {(given) => (
                <Input
                  {...given}
                  type="url"
                  value={webhookUrl}
                  onChange={(event) => setWebhookUrl(event.target.value)}
                  placeholder="https://example.com/hooks/rondo"
                />
              )}
            </Field>
          </div>
        </details>
        <CodeBlock label="The same with the API" text={snippet("curl", looked)} />
      </div>
    </div>
  );
}
