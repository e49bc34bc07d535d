/** The bar above the film: its name and whether it is saved, history, and what to do with the film. */

import { Link, useNavigate } from "@tanstack/react-router";
import {
  ChevronLeft,
  Clapperboard,
  Command as CommandIcon,
  Copy,
  Ellipsis,
  FolderPlus,
  History as HistoryIcon,
  Keyboard,
  Link2,
  Plus,
  Redo2,
  Undo2,
  Upload,
} from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useSession, useSessionState } from "@/editor/save/session";
import { STRINGS } from "@/editor/strings/shell";
import { useMediaQuery } from "@/lib/hooks";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { Tooltip } from "@/ui/tooltip";
import { ActionButton } from "./action-button";
import { HistoryMenu } from "./history-menu";
import { SaveState } from "./save-status";
import { closeDialog, openDialog, useUi } from "./ui";

export function Toolbar() {
  const isCopy = useSessionState((state) => state.isCopy);
  const isWide = useMediaQuery("(min-width: 1100px)");
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-2 md:gap-1.5">
      <Tooltip text={STRINGS.back}>
        <Link
          to="/dashboard/projects"
          aria-label={STRINGS.back}
          className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-hover hover:text-foreground"
        >
          <ChevronLeft className="size-4.5" />
        </Link>
      </Tooltip>
      <FilmName />
      <SaveState />
      <span className="flex flex-1 items-center justify-end md:ml-2 md:justify-start">
        <ActionButton action="edit.undo" icon={<Undo2 className="size-4" />} />
        <ActionButton action="edit.redo" icon={<Redo2 className="size-4" />} />
        <HistoryMenu />
      </span>
      {isWide && (
        <>
          <ActionButton action="view.palette" icon={<CommandIcon className="size-4" />} />
          <ActionButton action="film.share" icon={<Link2 className="size-4" />} />
        </>
      )}
      {isCopy && (
        <Button
          size="sm"
          className="max-md:hidden"
          onClick={() => openDialog("saveAs")}
          icon={<FolderPlus className="size-4" />}
        >
          {STRINGS.saveAsProject}
        </Button>
      )}
      <Button
        size="sm"
        className="max-md:hidden"
        onClick={() => openDialog("publish")}
        icon={<Upload className="size-4" />}
      >
        {STRINGS.publish}
      </Button>
      <Button
        size="sm"
        variant="render"
        onClick={() => openDialog("render")}
        icon={<Clapperboard className="size-4 max-[420px]:hidden" />}
      >
        {STRINGS.render}
      </Button>
      <FilmMenu isCopy={isCopy} />
    </header>
  );
}

/** The name, changed where it stands. */
function FilmName() {
  const session = useSession();
  const { name, isCopy } = useSessionState(({ name, isCopy }) => ({ name, isCopy }));
  const isRenaming = useUi((state) => state.dialog === "rename");
  const [written, setWritten] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setWritten(name), [name]);
  useEffect(() => {
    if (isRenaming) {
      input.current?.select();
      closeDialog();
    }
  }, [isRenaming]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") setWritten(name);
    if (event.key === "Escape" || event.key === "Enter") requestAnimationFrame(() => input.current?.blur());
  };
  return (
    <>
      <h1 className="sr-only">{name}</h1>
      {isCopy ? (
        <span className="min-w-0 truncate px-2 text-[13px] font-medium">{name}</span>
      ) : (
        <span className="inline-grid min-w-12 shrink">
          {/* The hidden text gives the field its width. */}
          <span
            aria-hidden="true"
            className="invisible col-start-1 row-start-1 truncate px-2 text-[13px] font-medium whitespace-pre"
          >
            {written || " "}
          </span>
          <input
            ref={input}
            size={1}
            aria-label={STRINGS.name}
            value={written}
            maxLength={200}
            onChange={(event) => setWritten(event.target.value)}
            onBlur={() => (written.trim() ? session.rename(written) : setWritten(name))}
            onKeyDown={onKeyDown}
            className={cx(
              "col-start-1 row-start-1 h-8 w-full min-w-0 truncate rounded-lg bg-transparent px-2 text-[13px] font-medium outline-none",
              "hover:bg-hover focus:bg-inset focus:shadow-[inset_0_0_0_1px_var(--border-strong)]",
            )}
          />
        </span>
      )}
    </>
  );
}

function FilmMenu({ isCopy }: { isCopy: boolean }) {
  const navigate = useNavigate();
  const isNarrow = useMediaQuery("(max-width: 767px)");
  return (
    <DropdownMenu
      trigger={<Button variant="ghost" size="icon" aria-label={STRINGS.more} icon={<Ellipsis className="size-4" />} />}
    >
      {isNarrow && isCopy && (
        <MenuItem icon={<FolderPlus />} onSelect={() => openDialog("saveAs")}>
          {STRINGS.saveAsProject}
        </MenuItem>
      )}
      {isNarrow && (
        <MenuItem icon={<Upload />} onSelect={() => openDialog("publish")}>
          {STRINGS.publish}
        </MenuItem>
      )}
      <MenuItem icon={<Link2 />} onSelect={() => openDialog("share")}>
        {STRINGS.share}
      </MenuItem>
      {!isCopy && (
        <>
          <MenuItem icon={<HistoryIcon />} onSelect={() => openDialog("versions")}>
            {STRINGS.versions}
          </MenuItem>
          <MenuItem icon={<Copy />} onSelect={() => openDialog("saveAs")}>
            {STRINGS.duplicate}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Plus />} onSelect={() => void navigate({ to: "/edit/new" })}>
        {STRINGS.newFilm}
      </MenuItem>
      <MenuItem icon={<CommandIcon />} onSelect={() => openDialog("palette")}>
        {STRINGS.palette}
      </MenuItem>
      <MenuItem icon={<Keyboard />} onSelect={() => openDialog("shortcuts")}>
        {STRINGS.shortcuts}
      </MenuItem>
    </DropdownMenu>
  );
}
