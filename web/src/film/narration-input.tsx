/** A script, the voice that speaks it, and a way to listen. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Volume2 } from "lucide-react";
import { api } from "@/api/http";
import { voices } from "@/api/queries";
import { formatNumber, pluralize } from "@/lib/format";
import { Button } from "@/ui/button";
import { Select, Textarea } from "@/ui/field";
import { showError } from "@/ui/toast";
import type { Narration } from "./speech";

/** Credits per started thousand characters. */
const PER_THOUSAND = 0.5;

interface Props {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  label: string;
  value: Narration;
  onChange: (value: Narration) => void;
}

export function NarrationInput({ value, onChange, label, ...field }: Props) {
  const { text, voice } = value.tts;
  const list = useQuery(voices).data?.voices;
  const price = Math.ceil(text.length / 1000) * PER_THOUSAND;
  const listen = useMutation({
    mutationFn: () => api("post", "/ai/voiceover", { body: { text, ...(voice ? { voice } : {}) } }),
    onError: showError,
  });
  const set = (change: Partial<Narration["tts"]>) => {
    listen.reset();
    onChange({ tts: { ...value.tts, ...change } });
  };
  return (
    <div className="flex flex-col gap-2">
      <Textarea
        {...field}
        rows={3}
        value={text}
        maxLength={10_000}
        placeholder="Type what the voice says."
        onChange={(event) => set({ text: event.target.value })}
        className="min-h-20"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={`Voice of ${label}`}
          value={voice ?? list?.[0]?.id ?? ""}
          onChange={(event) => set({ voice: event.target.value })}
          className="max-w-64 flex-1"
        >
          {list ? (
            list.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} ({one.language})
              </option>
            ))
          ) : (
            <option value="">Loading voices</option>
          )}
        </Select>
        <Button
          busy={listen.isPending}
          disabled={!text.trim()}
          onClick={() => listen.mutate()}
          icon={<Volume2 className="size-4" />}
        >
          Listen
        </Button>
        <span className="nums text-[13px] text-muted">
          {price === 0 ? `${formatNumber(PER_THOUSAND)} credits per 1,000 characters` : pluralize(price, "credit")}
          {price > 0 && ", listening costs the same"}
        </span>
      </div>
      {listen.data && (
        <audio src={listen.data.audioUrl} controls autoPlay aria-label={`Narration of ${label}`} className="w-full" />
      )}
    </div>
  );
}
