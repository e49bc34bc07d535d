/** The form of a webhook: its endpoint and its events. */

import { type FormEvent, type ReactNode, useState } from "react";
import type { WebhookEvent } from "@/api/types";
import { WEBHOOK_EVENTS } from "@/api/webhook-events";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Checkbox, Field, Input } from "@/ui/field";

export interface WebhookValues {
  url: string;
  events: WebhookEvent[];
}

export function WebhookForm({
  initial,
  submitLabel,
  busy,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  initial: WebhookValues;
  submitLabel: string;
  busy: boolean;
  error: unknown;
  onSubmit: (values: WebhookValues) => void;
  onCancel: () => void;
  /** More fields. */
  children?: ReactNode;
}) {
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState(initial.events);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ url: url.trim(), events });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {error != null && <Alert tone="danger">{errorMessage(error)}</Alert>}
      <Field label="Endpoint URL">
        {(field) => (
          <Input
            {...field}
            type="url"
            required
            autoFocus
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://example.com/hooks/rondo"
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2 text-[13px] font-medium">Events</legend>
        {WEBHOOK_EVENTS.map(([name, about]) => (
          <Checkbox
            key={name}
            label={<span className="font-mono text-[13px]">{name}</span>}
            hint={about}
            checked={events.includes(name)}
            onChange={(event) =>
              setEvents(event.target.checked ? [...events, name] : events.filter((other) => other !== name))
            }
          />
        ))}
      </fieldset>
      {children}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={!events.length}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
