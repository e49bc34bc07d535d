/** The form for templates and projects: set variables, preview, render. */

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight, Clapperboard, Palette, RotateCcw } from "lucide-react";
import { useMemo, useState } from "react";
import { brand as brandQuery, session } from "@/api/queries";
import type { Template, Variable } from "@/api/types";
import { clearDraft, saveDraft, useDraft } from "@/lib/draft";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { EmptyState } from "@/ui/empty-state";
import { Field, Input } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";
import { showToast } from "@/ui/toast";
import { brandValues, isColor, isFont, isLogo } from "./brand";
import type { Place } from "./live-player";
import { outputNoun } from "./output";
import { OutputFields } from "./output-fields";
import { PreviewPlayer } from "./preview-player";
import { canPay, QuoteSummary } from "./quote";
import { DEFAULT_OPTIONS, type OutputOptions, renderRequest, type Source, withOptions } from "./render-request";
import { snippet } from "./snippets";
import { useCreateRender } from "./use-create-render";
import { useKnownDestination } from "./use-known-destination";
import { useLiveFilm } from "./use-live-film";
import { usePreview } from "./use-preview";
import { type Values, VariablesForm } from "./variables-form";
import { Warnings, withoutEditorFields } from "./warnings";

interface Props {
  source: Source;
  variables: Variable[];
  /** The same template in other shapes. */
  variants?: Template[];
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

export function RenderForm({ source, variables: all, variants = [] }: Props) {
  // The copy of a preview is changed here, where only overlays can be.
  const variables = useMemo(
    () => ("composition" in source ? all.filter((variable) => !isColor(variable)) : all),
    [source, all],
  );
  const navigate = useNavigate();
  const { data: brand } = useQuery(brandQuery);
  const accountId = useSuspenseQuery(session).data.account?.id ?? "";
  const [draft, setDraft, clear] = useDraft<Draft>(draftKey(accountId, source), EMPTY);
  const { values, projectName } = draft;
  const options = useKnownDestination(draft.options);
  const [webhookUrl, setWebhookUrl] = useState("");
  const [place, setPlace] = useState<Place | null>(null);
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next });
  const plain = useMemo(() => renderRequest(source, values), [source, values]);
  // The preview shows the whole film, whatever file is made of it; the options only change its price.
  const [film, setFilm] = useState<{ fps: number; durationInFrames: number; posterFrame: number } | null>(null);
  const shownFrame = place?.frame ?? film?.posterFrame ?? 0;
  const request = useMemo(() => withOptions(plain, options, film, shownFrame), [plain, options, film, shownFrame]);
  const state = usePreview(request);
  const { preview } = state;
  const live = useLiveFilm(source, variables, values, state);
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
    if (shown != null) setPlace({ frame: shown });
  };
  const reshape = (templateId: string) => {
    saveDraft(draftKey(accountId, { templateId }), { ...draft, options: { ...options, scale: 1 } });
    void navigate({ to: "/dashboard/templates/$templateId", params: { templateId }, replace: true });
  };
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col gap-4 lg:sticky lg:top-8 lg:order-2">
        <PreviewPlayer {...state} live={live} place={place} onPlace={setPlace} />
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
        <Warnings warnings={withoutEditorFields(preview?.warnings ?? [])} />
      </div>
      <div className="flex flex-col gap-6">
        <section aria-label="Variables" className="rounded-xl border bg-surface p-5 shadow-card">
          <BrandOffer variables={variables} values={values} onChange={(next) => change({ values: next })} />
          {variables.length ? (
            <VariablesForm
              variables={variables}
              values={values}
              brand={brand}
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
            <OutputFields
              options={options}
              film={resolved}
              variants={variants}
              onChange={(next) => change({ options: next })}
              onVariant={reshape}
            />
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

/** Fills in what matches the brand kit, or leads to it while it is empty. */
function BrandOffer({
  variables,
  values,
  onChange,
}: {
  variables: Variable[];
  values: Values;
  onChange: (values: Values) => void;
}) {
  const { data: brand } = useQuery(brandQuery);
  if (!brand || !variables.some((variable) => isColor(variable) || isFont(variable) || isLogo(variable))) return null;
  const matching = brandValues(brand, variables);
  const count = Object.keys(matching).length;
  const isUsed = Object.entries(matching).every(([name, value]) => values[name] === value);
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 border-b pb-4">
      <span className="text-[13px] text-muted">
        {count
          ? "Your logo, colours and fonts, where they match."
          : "Add your logo, colours and fonts once, use them here."}
      </span>
      {count ? (
        <Button
          size="sm"
          disabled={isUsed}
          icon={<Palette className="size-3.5" />}
          onClick={() => {
            onChange({ ...values, ...matching });
            showToast("Your brand is filled in.");
          }}
        >
          Use my brand
        </Button>
      ) : (
        <Link to="/dashboard/brand" className="text-[13px] font-medium underline underline-offset-2">
          Set up your brand kit
        </Link>
      )}
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
