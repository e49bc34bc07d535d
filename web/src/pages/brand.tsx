/** The brand kit: logo, colours and fonts of the account. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { ImageOff, Plus, Trash2, Upload } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { ApiError, api } from "@/api/http";
import { brand as brandQuery, queryClient } from "@/api/queries";
import type { Brand } from "@/api/types";
import { ColorInput } from "@/film/color-input";
import { FontInput } from "@/film/font-input";
import { sendFile } from "@/film/send-file";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Section } from "@/ui/card";
import { ErrorState } from "@/ui/error-state";
import { Field, Input } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Skeleton } from "@/ui/skeleton";
import { showError, showToast } from "@/ui/toast";

const MOST_COLORS = 12;
/** What new colours are called and start as. */
const SUGGESTED = [
  ["Primary", "#4f46e5"],
  ["Accent", "#f59e0b"],
  ["Background", "#ffffff"],
  ["Text", "#14171f"],
] as const;

export function BrandPage() {
  const { data, error, refetch } = useQuery(brandQuery);
  return (
    <>
      <PageHeader
        title="Brand kit"
        description="Your logo, colours and fonts. Templates offer them as values, and fill in what matches with one click."
      />
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data ? (
        <BrandForm brand={data} />
      ) : (
        <Skeleton className="h-120 max-w-3xl rounded-xl" />
      )}
    </>
  );
}

/** A colour with a key that stays when its name changes. */
type Row = Brand["colors"][number] & { key: number };

function BrandForm({ brand }: { brand: Brand }) {
  const [logo, setLogo] = useState({ id: brand.logo ?? null, url: brand.logoUrl ?? null });
  const [colors, setColors] = useState<Row[]>(() => brand.colors.map((color, key) => ({ ...color, key })));
  const [heading, setHeading] = useState(brand.fonts.heading ?? "");
  const [body, setBody] = useState(brand.fonts.body ?? "");
  const save = useMutation({
    mutationFn: () =>
      api("put", "/brand", {
        body: {
          logo: logo.id ?? undefined,
          colors: colors.map(({ name, value }) => ({ name: name.trim(), value })),
          fonts: { heading: heading.trim() || undefined, body: body.trim() || undefined },
        },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(brandQuery.queryKey, saved);
      showToast("Brand kit saved.");
    },
  });
  const issue = (path: string) =>
    save.error instanceof ApiError ? save.error.issues.find((found) => found.path === path)?.message : undefined;
  const known = save.error instanceof ApiError && save.error.issues.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex max-w-3xl flex-col gap-6">
      {save.error && !known && <Alert tone="danger">{errorMessage(save.error)}</Alert>}
      <Section title="Logo" description="An image, best an SVG or PNG with a transparent background.">
        <LogoField logo={logo} onChange={setLogo} />
        {issue("logo") && <p className="px-5 pb-5 text-[13px] text-danger">{issue("logo")}</p>}
      </Section>
      <Section title="Colours" description="Up to 12, the most important first.">
        <Colors colors={colors} onChange={setColors} issue={issue} />
      </Section>
      <Section title="Fonts" description="Families that this service can draw.">
        <div className="grid gap-5 p-5 sm:grid-cols-2">
          <FontField label="Headings" value={heading} onChange={setHeading} error={issue("fonts.heading")} />
          <FontField label="Body" value={body} onChange={setBody} error={issue("fonts.body")} />
        </div>
      </Section>
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          disabled={colors.some(({ name }) => !name.trim())}
        >
          Save brand kit
        </Button>
      </div>
    </form>
  );
}

interface Logo {
  id: string | null;
  url: string | null;
}

function LogoField({ logo, onChange }: { logo: Logo; onChange: (logo: Logo) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const send = async (file: File) => {
    setBusy(true);
    try {
      const { id, fileUrl } = await sendFile(file);
      onChange({ id, url: fileUrl });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-5 p-5">
      <span className="checkerboard grid h-28 w-44 shrink-0 place-items-center overflow-hidden rounded-lg border text-subtle">
        {logo.url ? (
          <img src={logo.url} alt="Your logo" className="size-full object-contain p-3" />
        ) : (
          <ImageOff className="size-6" aria-hidden="true" />
        )}
      </span>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        className="hidden"
        aria-label="Logo file"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void send(file);
        }}
      />
      <span className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => chooser.current?.click()} icon={<Upload className="size-4" />}>
          {logo.url ? "Replace logo" : "Upload logo"}
        </Button>
        {logo.url && (
          <Button variant="ghost" onClick={() => onChange({ id: null, url: null })}>
            Remove
          </Button>
        )}
      </span>
    </div>
  );
}

interface ColorsProps {
  colors: Row[];
  onChange: (colors: Row[]) => void;
  issue: (path: string) => string | undefined;
}

function Colors({ colors, onChange, issue }: ColorsProps) {
  const change = (key: number, next: Partial<Row>) =>
    onChange(colors.map((color) => (color.key === key ? { ...color, ...next } : color)));
  const add = () => {
    const key = Math.max(-1, ...colors.map((color) => color.key)) + 1;
    const free = SUGGESTED.find(([name]) => !colors.some((color) => color.name === name));
    const [name, value] = free ?? [`Colour ${colors.length + 1}`, "#64748b"];
    onChange([...colors, { key, name, value }]);
  };
  return (
    <div className="flex flex-col gap-4 p-5">
      {colors.length === 0 && <p className="text-muted">No colours yet.</p>}
      <ul className="flex flex-col gap-4">
        {colors.map(({ key, name, value }, index) => (
          <li key={key} className="flex flex-wrap items-start gap-x-3 gap-y-2">
            <Field label={`Name of colour ${index + 1}`} error={issue(`colors[${index}].name`)} className="w-44 grow">
              {(field) => (
                <Input
                  {...field}
                  required
                  maxLength={60}
                  value={name}
                  onChange={(event) => change(key, { name: event.target.value })}
                />
              )}
            </Field>
            <Field label="Colour" error={issue(`colors[${index}].value`)}>
              {(field) => (
                <ColorInput
                  {...field}
                  label={name || `colour ${index + 1}`}
                  value={value}
                  onChange={(next) => change(key, { value: next })}
                />
              )}
            </Field>
            <Button
              variant="ghost"
              size="icon"
              className="mt-6.5"
              aria-label={`Remove ${name || `colour ${index + 1}`}`}
              onClick={() => onChange(colors.filter((color) => color.key !== key))}
            >
              <Trash2 className="size-3.5" />
            </Button>
          </li>
        ))}
      </ul>
      {colors.length < MOST_COLORS && (
        <div>
          <Button onClick={add} icon={<Plus className="size-4" />}>
            Add colour
          </Button>
        </div>
      )}
    </div>
  );
}

interface FontProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function FontField({ label, value, error, onChange }: FontProps) {
  return (
    <Field label={label} error={error}>
      {(field) => <FontInput {...field} label={label} placeholder="Inter" value={value} onChange={onChange} />}
    </Field>
  );
}
