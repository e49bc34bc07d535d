/** What the service renders and previews: the project, once it is saved, or the film itself. */

import { useEffect, useState } from "react";
import { queryClient } from "@/api/queries";
import type { Composition, RenderBody } from "@/api/types";
import type { Film } from "@/editor/model/film";
import { type Session, useSession } from "@/editor/save/session";

/** The project keeps the price of its template and lends its name to renders; a throwaway copy has neither. */
export async function savedSource(session: Session): Promise<{ projectId: string } | null> {
  await session.save().catch(() => undefined);
  const { status, isCopy, id } = session.state;
  return status === "saved" && !isCopy ? { projectId: id } : null;
}

/** The source and the film it has; null until the film is saved. */
export function useSource(): { film: Film; body: RenderBody } | null {
  const session = useSession();
  const [source, setSource] = useState<{ film: Film; body: RenderBody } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void savedSource(session).then((saved) => {
      if (!isCurrent) return;
      // A request that names a project is the same text for every state of it.
      queryClient.removeQueries({ queryKey: ["preview"] });
      const film = session.editor.state.film;
      setSource({ film, body: saved ?? { inputProps: session.editor.composition() as unknown as Composition } });
    });
    return () => {
      isCurrent = false;
    };
  }, [session]);
  return source;
}
