/** Opens a film of the service for editing. */

import { Editor } from "@/editor/model/editor";
import { SAVE } from "@/editor/strings/shell";
import { showToast } from "@/ui/toast";
import { getFilm } from "./projects";
import { Session } from "./session";

/** What an earlier tab had not saved is put back. */
export async function openSession(id: string, accountId: string): Promise<Session> {
  const stored = await getFilm(id);
  const session = new Session(new Editor(stored.composition), stored, accountId);
  const restored = await session.restoreDrafts();
  if (restored) showToast(SAVE.draftRestored);
  return session;
}
