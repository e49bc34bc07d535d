/** Media that cannot be loaded: which overlays use them, and another file instead. */

import { FolderOpen, TriangleAlert, Upload } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Editor } from "@/editor/model/editor";
import type { Overlay } from "@/editor/model/film";
import { type PlayerElement, type PlayerWarning, usePlayer } from "@/editor/player";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { SmallButton } from "./parts";
import { library } from "./state";
import { sendFiles } from "./uploads";

const MEDIA = ["image", "video", "sound"];
const ACCEPT: Record<string, string> = { image: "image/*", video: "video/*", sound: "audio/*" };

/** Gives overlays another file. */
export function relink(editor: Editor, ids: readonly number[], src: string) {
  library.setState({ relinking: [] });
  const present = editor.state.film.overlays.filter(({ id }) => ids.includes(id));
  editor.apply(
    present.map(({ id }) => ({ op: "set", id, path: "src", value: src })),
    { name: STRINGS.steps.relink, select: present.map(({ id }) => id) },
  );
}

/** The addresses that the player could not load. */
function useMissingSources(player: PlayerElement | null): readonly string[] {
  const [messages, setMessages] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!player) return;
    const note = ({ code, message }: PlayerWarning) => {
      if (code !== "media-missing") return;
      setMessages((list) => (list.includes(message) ? list : [...list, message]));
    };
    const listen = (event: Event) => note((event as CustomEvent<PlayerWarning>).detail);
    for (const warning of player.warnings) note(warning);
    player.addEventListener("warning", listen);
    return () => player.removeEventListener("warning", listen);
  }, [player]);
  return messages;
}

export function MissingMedia() {
  const messages = useMissingSources(usePlayer());
  const overlays = useEditorState((state) => state.film.overlays);
  /** Overlays by the address that is missing. */
  const missing = useMemo(() => {
    const groups = new Map<string, Overlay[]>();
    for (const overlay of overlays) {
      const src = overlay["src"];
      if (!MEDIA.includes(overlay.type) || typeof src !== "string") continue;
      // The message begins with the address. A slot that is filled at render time is not missing.
      const isLost = src === "" ? !overlay["isDynamic"] : messages.some((message) => message.startsWith(`${src}: `));
      if (isLost) groups.set(src, [...(groups.get(src) ?? []), overlay]);
    }
    return [...groups];
  }, [overlays, messages]);
  if (!missing.length) return null;
  return (
    <section aria-label={STRINGS.relink.title} className="mb-3 rounded-lg bg-warning-soft p-2 text-[12.5px]">
      <p className="flex items-center gap-1.5 font-medium text-warning">
        <TriangleAlert className="size-3.5 shrink-0" aria-hidden="true" />
        {STRINGS.relink.count(missing.length)}
      </p>
      <ul className="mt-1.5 flex flex-col gap-2">
        {missing.map(([src, users]) => (
          <MissingFile key={src} src={src} users={users} />
        ))}
      </ul>
    </section>
  );
}

function MissingFile({ src, users }: { src: string; users: Overlay[] }) {
  const editor = useEditor();
  const chooser = useRef<HTMLInputElement>(null);
  const ids = users.map(({ id }) => id);
  const kind = users[0]?.type ?? "image";
  const name = String(users[0]?.["name"] || src.split("/").at(-1) || STRINGS.relink.empty);
  return (
    <li>
      <button
        type="button"
        onClick={() => editor.select(ids)}
        className="block w-full truncate text-left underline-offset-2 hover:underline"
        title={src}
      >
        {STRINGS.relink.file(kind, name, users.length)}
      </button>
      <span className="mt-1 flex flex-wrap gap-1">
        <input
          ref={chooser}
          type="file"
          accept={ACCEPT[kind]}
          className="hidden"
          tabIndex={-1}
          aria-label={STRINGS.relink.chooser(name)}
          onChange={(event) => {
            sendFiles([...(event.target.files ?? [])].slice(0, 1), ({ fileUrl }) => relink(editor, ids, fileUrl));
            event.target.value = "";
          }}
        />
        <SmallButton onClick={() => chooser.current?.click()}>
          <Upload aria-hidden="true" /> {STRINGS.relink.upload}
        </SmallButton>
        <SmallButton onClick={() => library.setState({ relinking: ids })}>
          <FolderOpen aria-hidden="true" /> {STRINGS.relink.fromLibrary}
        </SmallButton>
      </span>
    </li>
  );
}
