/** Photos and videos of stock providers, where the service has keys. */

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "@/api/http";
import { queryClient, stock, stockProviders } from "@/api/queries";
import type { StockItem, StockProvider } from "@/api/types";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { SegmentedControl } from "@/ui/segmented-control";
import { Spinner } from "@/ui/spinner";
import { showError } from "@/ui/toast";
import { mediaDraft } from "./media";
import { IconButton, Note, SmallButton, SmallInput, SmallSelect, TabBody } from "./parts";
import { addAtPlayhead, startFrame } from "./place";
import { relink } from "./relink";
import { library, useLibrary } from "./state";

type Kind = StockItem["kind"];

/** Pages of the providers, which people see where their photos come from. */
const HOMES: Record<StockProvider["id"], string> = {
  pexels: "https://www.pexels.com/",
  pixabay: "https://pixabay.com/",
  unsplash: "https://unsplash.com/?utm_source=rondo&utm_medium=referral",
};

export function StockTab() {
  const providers = useQuery(stockProviders).data?.providers ?? [];
  const [chosen, setChosen] = useState<StockProvider["id"] | null>(null);
  const [kind, setKind] = useState<Kind>("photo");
  const [words, setWords] = useState("");
  const [asked, setAsked] = useState("");
  const provider = providers.find(({ id }) => id === chosen) ?? providers[0];
  if (!provider) return null;
  const shown = provider.kinds.includes(kind) ? kind : "photo";
  const search = (text: string) => {
    setWords(text);
    setAsked(text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(words);
  };
  const label = STRINGS.stock.search(provider.name);
  return (
    <TabBody
      label={STRINGS.stock.results}
      head={
        <>
          {providers.length > 1 && (
            <SmallSelect
              aria-label={STRINGS.stock.provider}
              value={provider.id}
              onChange={(event) => setChosen(event.target.value as StockProvider["id"])}
            >
              {providers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SmallSelect>
          )}
          <form role="search" onSubmit={submit} className="relative">
            <SmallInput
              type="search"
              aria-label={label}
              placeholder={label}
              maxLength={100}
              value={words}
              onChange={(event) => setWords(event.target.value)}
              className="pr-7!"
            />
            <IconButton label={STRINGS.stock.start} type="submit" className="absolute! top-0.5 right-0.5">
              <Search aria-hidden="true" />
            </IconButton>
          </form>
          {provider.kinds.length > 1 && (
            <SegmentedControl
              label={STRINGS.stock.kind}
              value={shown}
              options={provider.kinds.map((each) => [each, STRINGS.stock.kinds[each]] as const)}
              onChange={setKind}
              className="flex *:min-w-0 *:flex-1 *:px-1! *:text-[12px]!"
            />
          )}
        </>
      }
    >
      {asked ? (
        <Found provider={provider} kind={shown} words={asked} />
      ) : (
        <>
          <Note className="px-2 pt-6 pb-3 text-center">{STRINGS.stock.hint[shown]}</Note>
          <div className="flex flex-wrap justify-center gap-1.5">
            {STRINGS.stock.ideas.map((idea) => (
              <SmallButton key={idea} className="rounded-full! px-2.5" onClick={() => search(idea)}>
                {idea}
              </SmallButton>
            ))}
          </div>
        </>
      )}
    </TabBody>
  );
}

function Found({ provider, kind, words }: { provider: StockProvider; kind: Kind; words: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    stock({ provider: provider.id, kind, q: words }),
  );
  if (error && !data)
    return (
      <Note className="px-2 py-6 text-center">
        <span role="alert" className="text-danger">
          {errorMessage(error)}
        </span>
      </Note>
    );
  if (!data) return <Spinner className="mx-auto mt-8 size-5 text-muted" />;
  // Providers may send an item again on the next page.
  const items = [...new Map(data.pages.flatMap((page) => page.items).map((item) => [item.id, item])).values()];
  if (!items.length) return <Note className="px-2 py-8 text-center">{STRINGS.stock.nothing(words)}</Note>;
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(92px,1fr))] gap-x-2 gap-y-3">
        {items.map((item) => (
          <StockTile key={item.id} item={item} />
        ))}
      </ul>
      {error && <Note className="mt-3 text-center text-danger">{errorMessage(error)}</Note>}
      {hasNextPage && (
        <SmallButton className="mt-3 w-full" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage && <Spinner className="size-3.5" />} {STRINGS.stock.more}
        </SmallButton>
      )}
      <Note className="mt-3 text-center">
        {STRINGS.stock.from[kind]}{" "}
        <Away to={HOMES[provider.id]} className="text-foreground underline">
          {provider.name}
        </Away>
        {" · "}
        <Away to={items[0]?.licenseUrl ?? HOMES[provider.id]} className="underline">
          {STRINGS.stock.license}
        </Away>
      </Note>
    </>
  );
}

/** A link to a page of a provider. */
const Away = ({
  to,
  className,
  label,
  children,
}: {
  to: string;
  className: string;
  label?: string;
  children: string;
}) => (
  <a href={to} target="_blank" rel="noopener noreferrer" aria-label={label} className={className}>
    {children}
  </a>
);

function StockTile({ item }: { item: StockItem }) {
  const editor = useEditor();
  const relinking = useLibrary((state) => state.relinking);
  const [isBroken, setBroken] = useState(false);
  const add = useMutation({
    mutationFn: () => api("post", "/stock", { body: { provider: item.provider, kind: item.kind, id: item.id } }),
    onSuccess({ fileUrl, width, height, durationSeconds, uploadId }) {
      if (uploadId) for (const key of ["media", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
      const { relinking: ids } = library.getState();
      if (ids.length) return relink(editor, ids, fileUrl);
      const kind = item.kind === "video" ? "video" : "image";
      const facts = { width, height, seconds: durationSeconds ?? 0 };
      const medium = { src: fileUrl, kind, name: item.credit } as const;
      addAtPlayhead(
        editor,
        [mediaDraft(editor.state.film, medium, facts, startFrame(editor))],
        STRINGS.steps.add(kind),
      );
    },
    onError: showError,
  });
  return (
    <li className="min-w-0">
      <button
        type="button"
        title={item.title || item.credit}
        aria-label={
          relinking.length ? STRINGS.relink.use(item.title || item.credit) : STRINGS.stock.add(item.title, item.credit)
        }
        aria-busy={add.isPending || undefined}
        onClick={() => !add.isPending && add.mutate()}
        className="group block w-full"
      >
        <span className="relative block aspect-4/3 overflow-hidden rounded-lg border bg-inset group-hover:border-subtle">
          {!isBroken && (
            <img
              src={item.thumbnailUrl}
              alt=""
              loading="lazy"
              decoding="async"
              onError={() => setBroken(true)}
              className="absolute inset-0 size-full object-cover"
            />
          )}
          {item.durationSeconds !== null && (
            <span
              aria-hidden="true"
              className="nums absolute right-1 bottom-1 rounded bg-black/70 px-1 text-[10.5px] leading-4 text-white"
            >
              {formatDuration(item.durationSeconds)}
            </span>
          )}
          {add.isPending && (
            <span className="absolute inset-0 grid place-items-center bg-black/50 text-white">
              <Spinner className="size-4" />
            </span>
          )}
        </span>
      </button>
      <Away
        to={item.author.url}
        label={STRINGS.stock.author(item.author.name)}
        className="mt-1 block truncate text-[11.5px] text-muted hover:text-foreground hover:underline"
      >
        {item.author.name}
      </Away>
    </li>
  );
}
